import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { exportedTypes, hoverText, type Hover } from '../../scripts/hover-texts';
import { viewComments } from '../../scripts/view-comments';
import { undocumented } from './undocumented';

const built = mkdtempSync(join(tmpdir(), 'built-types-'));
let files: string[];
beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build-docs.mjs', built], { stdio: 'pipe' });
  files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

const htmlOf = (file: string): string => readFileSync(join(built, file), 'utf8');

describe('the reference of types', () => {
  const headingsOf = (page: string, level: number): string[] =>
    [...htmlOf(`${page}.html`).matchAll(new RegExp(`<h${level} id="[^"]+">([^<]+)`, 'g'))].map(
      ([, heading = '']) => heading,
    );

  it.each([
    ['types-index', 'createPredictionMarket', ['Start', 'The market', 'Methods for wallets']],
    ['types-client', 'createClient', ['Start', 'Signers', 'Markets and orders']],
    ['types-testing', 'createTestMarket', ['Start', 'Fakes, time and wallets', 'Suite for storages']],
  ])('%s begins with %s, and lists its groups', (page, first, groups) => {
    expect(headingsOf(page, 2).slice(0, 3)).toEqual(groups);
    expect(headingsOf(page, 3)[0]).toBe(first);
    const [contents = ''] = /<main[^]*?<h2/.exec(htmlOf(`${page}.html`)) ?? [];
    for (const group of groups) expect(contents).toContain(`>${group}</a>`);
  });

  it('has no group without a name, and no page above 250 kB', () => {
    const pages = files
      .filter((file) => /^types-.*\.html$/.test(file))
      .map((file) => [file, htmlOf(file)] as const);
    const empty = /<\/h2>\s*(<h2|<nav class="neighbours|<\/main>)/;
    expect(pages.filter(([, html]) => empty.test(html)).map(([file]) => file)).toEqual([]);
    const large = files.filter((file) => htmlOf(file).length > 250_000);
    expect(large).toEqual([]);
  });
});

const EXAMPLES = ['src', 'testing', 'adapters', 'site'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .flatMap((name) => examplesIn(join(folder, name))),
);

function examplesIn(path: string): { place: string; code: string }[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^ +\* @example\n((?: +\*(?!\/| @).*\n)+)/gm)].map(({ index, 1: lines = '' }) => ({
    place: `${path}:${text.slice(0, index).split('\n').length}`,
    code: lines.replace(/^ +\* ?/gm, ''),
  }));
}

const GIVEN = `
import type { PredictionMarket } from 'express-prediction-market';
import type { PredictionMarketClient } from 'express-prediction-market/client';
declare global {
  const pm: PredictionMarket;
  const client: PredictionMarketClient;
  const address: string;
}
`;

/** Imports stay at the top. Other lines move into a function, where they may redeclare a given name. */
function moduleOf(code: string): string {
  const lines = code.split('\n');
  const isImport = (line: string): boolean => line.startsWith('import ');
  const body = lines.filter((line) => !isImport(line)).join('\n');
  return `${lines.filter(isImport).join('\n')}\nexport async function example() {\n${body}\n}\n`;
}

const EXAMPLE_TEXTS = new Map(
  EXAMPLES.map(({ code }, index) => [resolve(`test/example-${index}.ts`), moduleOf(code)]),
);

/** Compiling the examples takes seconds, so the program is made once. */
let made: ts.Program | undefined;
function program(): ts.Program {
  made ??= programOf(new Map([...EXAMPLE_TEXTS, [resolve('test/example-given.ts'), GIVEN]]));
  return made;
}

function programOf(texts: ReadonlyMap<string, string>): ts.Program {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile.bind(ts.sys)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, '.');
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  return ts.createProgram([...texts.keys()], { ...options, noUnusedLocals: false }, host);
}

describe('the examples of the reference', () => {
  it('are on the main calls', () => {
    const shown = ['types-index', 'types-client'].flatMap((page) =>
      [...htmlOf(`${page}.html`).matchAll(/<h3 id="[^"]+">([^<]+)<\/h3>((?:(?!<h[234])[^])*)/g)]
        .filter(([, , text = '']) => (text.match(/<pre/g) ?? []).length > 1)
        .map(([, name = '']) => name),
    );
    expect(shown).toEqual([
      'createPredictionMarket',
      'pm.consume',
      'pm.attachWebSocket',
      'pm.createMarket',
      'pm.placeTrade',
      'pm.deposit',
      'pm.resolveMarket',
      'isPredictionMarketError',
      'createClient',
      'client.live',
      'client.connectWallet',
      'client.markets.all',
      'client.trades.place',
      'client.paid.feed',
    ]);
  });

  it('compile', () => {
    const problems = [...EXAMPLE_TEXTS.keys()].flatMap((path, index) => {
      const file = program().getSourceFile(path);
      const found = [...program().getSyntacticDiagnostics(file), ...program().getSemanticDiagnostics(file)];
      return found.map(
        ({ messageText }) =>
          `${EXAMPLES[index]?.place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      );
    });
    expect(EXAMPLES.length).toBeGreaterThan(10);
    expect(problems).toEqual([]);
  });
});

describe('the text that an editor shows', () => {
  const hover = (): Hover => ({ program: program(), checker: program().getTypeChecker() });
  const typesOf = (path: string, names: readonly string[]): ts.Type[] => {
    const types = exportedTypes(hover(), resolve(path));
    return names.map((name) => types.get(name)).filter((type) => type !== undefined);
  };

  it('is there for every member of the market, of its options and of the client', () => {
    const types = [
      ...typesOf('src/index.ts', ['PredictionMarket', 'PredictionMarketOptions']),
      ...typesOf('src/client/index.ts', ['PredictionMarketClient', 'ClientOptions']),
    ];
    expect(undocumented(hover(), types)).toEqual([]);
  });

  it('is there for every function that the client exports', () => {
    const { checker } = hover();
    const file = program().getSourceFile(resolve('src/client/index.ts'));
    const module = file && checker.getSymbolAtLocation(file);
    const functions = (module ? checker.getExportsOfModule(module) : [])
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
      .filter(({ flags }) => (flags & ts.SymbolFlags.Function) !== 0);
    expect(functions.map(({ name }) => name)).toContain('fromEthers');
    expect(functions.filter((each) => hoverText(hover(), each) === '').map(({ name }) => name)).toEqual([]);
  });

  it('is the description of the schema, at views and events too', () => {
    const comments = viewComments(hover());
    const other = comments.filter(({ text, expected }) => text.replace(/\s+/g, ' ') !== expected);
    expect(comments.length).toBeGreaterThan(300);
    // If this fails, run `npm run build:client`, which writes these comments.
    expect(other.map(({ place, expected }) => `${place}: ${expected}`)).toEqual([]);
  });
});
