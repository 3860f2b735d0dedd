import { readdirSync, readFileSync } from 'node:fs';
import { Server } from 'node:http';
import { join } from 'node:path';
import ts from 'typescript';
import type { PredictionMarket } from '../../src/create-prediction-market';

export interface Snippet {
  page: string;
  line: number;
  language: string;
  /** The second word of the opening line, such as `step`, `output` or the name of a file. */
  kind: string;
  code: string;
}

export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [join('docs', name)] : [])),
];

export function snippetsOf(page: string): Snippet[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/^```(\w*)(?: (\S+))?\n([^]*?)^```$/gm)].map((found) => {
    const [, language = '', kind = '', code = ''] = found;
    return { page, line: text.slice(0, found.index).split('\n').length, language, kind, code };
  });
}

export interface World {
  /** Resolves with the text that the code printed until its end. A server that the code started may print later. */
  run(code: string, file?: string): Promise<string>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** The port that replaces 3000 of the documents. */
  port: number;
  /** The folder that replaces `data` of the documents. */
  folder: string;
  load(name: string): Record<string, unknown>;
}

const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: string[]
) => (...given: unknown[]) => Promise<void>;

export function openWorld({ port, folder, load }: WorldOptions): World {
  const files = new Map<string, Record<string, unknown>>();
  const markets = new Set<PredictionMarket>();
  const servers = new Set<Server>();
  const process_ = {
    env: { OPERATORS_TOKEN: 'choose-your-own' },
    once: () => undefined,
    on: () => undefined,
  };
  const listen = jest.spyOn(Server.prototype, 'listen');
  const tests: Promise<void>[] = [];
  type Body = () => unknown;
  const before: Body[] = [];
  const after: Body[] = [];
  const inTurn = async (bodies: readonly Body[]): Promise<void> => {
    for (const body of bodies) await body();
  };
  const runTest = (_title: string, body: Body) =>
    void tests.push(inTurn([...before, body]).finally(() => inTurn(after)));
  const nodeTest = {
    ...{ __esModule: true, default: runTest, test: runTest },
    beforeEach: (body: Body) => void before.push(body),
    afterEach: (body: Body) => void after.push(body),
  };

  const remember = <Made>(made: Made): Made => {
    const parts = made as { pm?: PredictionMarket; adminRouter?: unknown };
    if (parts.adminRouter !== undefined) markets.add(made as PredictionMarket);
    if (parts.pm !== undefined) markets.add(parts.pm);
    return made;
  };
  const requireModule = (name: string): unknown => {
    if (name.startsWith('./')) return files.get(name.slice(2));
    if (name === 'node:test') return nodeTest;
    const loaded = load(name);
    const { createPredictionMarket: create, createTestMarket: createTest } = loaded as Record<
      string,
      (...given: unknown[]) => unknown
    >;
    return {
      ...loaded,
      __esModule: true,
      default: loaded.default ?? loaded,
      ...(create !== undefined && { createPredictionMarket: (given: unknown) => remember(create(given)) }),
      ...(createTest !== undefined && {
        createTestMarket: async (given: unknown) => remember(await createTest(given)),
      }),
    };
  };
  return {
    async run(code, file) {
      const here = code
        .replaceAll('localhost:3000', `127.0.0.1:${port}`)
        .replaceAll('listen(3000)', `listen(${port}, '127.0.0.1')`)
        .replaceAll("'data/", `'${folder}/`);
      const { outputText } = ts.transpileModule(here, {
        compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
      });
      const lines: string[] = [];
      const console = { log: (...values: unknown[]) => void lines.push(values.join(' ')) };
      const exports: Record<string, unknown> = {};
      if (file !== undefined) files.set(file, exports);
      const before = listen.mock.contexts.length;
      try {
        await new AsyncFunction('require', 'exports', 'console', 'process', outputText)(
          requireModule,
          exports,
          console,
          process_,
        );
        await Promise.all(tests.splice(0));
      } finally {
        for (const server of listen.mock.contexts.slice(before)) servers.add(server as Server);
      }
      return lines.join('\n').replaceAll(`127.0.0.1:${port}`, 'localhost:3000');
    },
    async close() {
      listen.mockRestore();
      for (const market of markets) await market.closeConnections();
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
      for (const market of markets) await market.close();
    },
  };
}

/** Compares the text with what a document shows, in which `…` stands for any characters of a line. */
export function shows(shown: string, text: string): boolean {
  const parts = shown.trim().split('…');
  const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*');
  return new RegExp(`^${pattern}$`).test(text);
}
