/**
 * Runs the code blocks of the documents. The second word of the opening line of a block says how. A `fragment` lacks
 * parts that it needs to run. A `step` runs after the `begin` of its page. A block that names a file runs as that file.
 * An `output` shows what the block before has printed. `RUN_BY` names the tests that run the other blocks.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { freePort } from '../support/free-port';
import { openWorld, pages, shows, snippetsOf, type Snippet, type World } from './snippets';

const RUN_BY: Record<string, string> = {
  'README.md': 'test/standalone/readme.test.ts',
  'docs/embedding.md': 'test/standalone/readme.test.ts',
  'docs/facilitator-adapters.md': 'test/testing-kit/documentation.test.ts',
  'docs/oracle-adapters.md': 'test/testing-kit/documentation.test.ts',
  'docs/payout-adapters.md': 'test/testing-kit/documentation.test.ts',
  'docs/rate-limit-adapters.md': 'test/testing-kit/documentation.test.ts',
  'docs/storage-adapters.md': 'test/testing-kit/documentation.test.ts',
  'docs/testing.md': 'test/testing-kit/documentation.test.ts',
  'docs/paying.md': 'test/x402/guide.test.ts',
  'docs/client.md': 'test/client/guide.test.ts',
  'docs/client-live.md': 'test/client/live/document.test.ts',
  'docs/react.md': 'test/client/react/document.test.ts',
  'docs/live.md': 'test/live/websocket/document.test.ts',
};
const CODE = ['ts', 'tsx', 'js'];
const OTHER = ['html', 'sh', 'json', 'jsonc', 'text', 'mermaid', 'http'];

const all = pages.flatMap(snippetsOf);
const placeOf = ({ page, line }: Snippet): string => `${page}:${line}`;
const isCode = ({ language }: Snippet): boolean => CODE.includes(language);

let folder: string;
let port: number;
let world: World | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'snippets-'));
  port = await freePort();
});
beforeEach(() => {
  world = openWorld({ port, folder, load: (name) => jest.requireActual<Record<string, unknown>>(name) });
});
afterEach(() => world?.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('each code block of the documents has a language that the tests know', () => {
  expect(all.filter(({ language }) => ![...CODE, ...OTHER].includes(language)).map(placeOf)).toEqual([]);
});

it('each code block without a kind is run by the test that is named for its page', () => {
  const plain = all.filter(
    (snippet) => isCode(snippet) && !/^(fragment|begin|step|.+\.m[jt]s)$/.test(snippet.kind),
  );
  expect(plain.filter(({ page }) => RUN_BY[page] === undefined).map(placeOf)).toEqual([]);
  for (const [page, test] of Object.entries(RUN_BY)) {
    expect([page, existsSync(test) && readFileSync(test, 'utf8').includes(page)]).toEqual([page, true]);
  }
});

it('each fragment is correct code as far as it goes', () => {
  const fragments = all.filter((snippet) => isCode(snippet) && snippet.kind === 'fragment');
  expect(fragments.length).toBeGreaterThan(0);
  const problems = fragments.flatMap((snippet) => {
    const { diagnostics = [] } = ts.transpileModule(snippet.code, {
      reportDiagnostics: true,
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    return diagnostics.map(
      ({ messageText }) => `${placeOf(snippet)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
  expect(problems).toEqual([]);
});

it('each block of JSON is JSON', () => {
  for (const { code } of all.filter(({ language }) => language === 'json')) JSON.parse(code);
});

it('each script of npm that the documents name exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const named = all
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => [...code.matchAll(/npm (?:run )?(start|test|(?<=run )[\w:]+)/g)])
    .map(([, name = '']) => name);
  expect(named).toEqual(expect.arrayContaining(['start', 'test']));
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

/** These commands need a checkout of the repository. The package has neither our scripts nor our tests. */
const OF_A_CHECKOUT =
  /\bnpm (start|test|run [\w:-]+)|\bnpx jest (test\/|--selectProjects)|\bdocker build -f ops\//;
/** Developers of the package read these pages, and they have a checkout. */
const FOR_DEVELOPERS = [
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/decisions.md',
  'docs/dependencies.md',
];

it('a page with commands for a checkout says so before or beside the first of them', () => {
  const silent = pages
    .filter((page) => !FOR_DEVELOPERS.includes(page))
    .filter((page) => {
      const text = readFileSync(page, 'utf8').replaceAll(/^cd my-market && .*$/gm, ''); // the app that `init` writes
      const first = text.search(OF_A_CHECKOUT);
      if (first === -1) return false;
      const end = text.indexOf('\n\n', first);
      return !/\bcheckout\b/.test(text.slice(0, end));
    });
  expect(silent).toEqual([]);
});

function outputAfter(snippets: Snippet[], index: number): string | undefined {
  const following = snippets.slice(index + 1);
  const next = following.findIndex(isCode);
  return following.slice(0, next === -1 ? undefined : next).find(({ kind }) => kind === 'output')?.code;
}

function expectOutput(output: string, printed = ''): void {
  expect({ output, printed, same: shows(output, printed) }).toEqual({ output, printed, same: true });
}

const pagesOfSteps = pages.filter((page) => snippetsOf(page).some(({ kind }) => kind === 'step'));
describe.each(pagesOfSteps)('%s', (page) => {
  const snippets = snippetsOf(page);
  const begin = snippets.find(({ kind }) => kind === 'begin')?.code ?? '';
  const steps = snippets.flatMap((snippet, index) =>
    snippet.kind === 'step' ? [[snippet.line, snippet.code, outputAfter(snippets, index)] as const] : [],
  );

  it.each(steps)('line %i prints what the page says', async (_line, code, output) => {
    const printed = await world?.run(`${begin}\n${code}`);
    expectOutput(output ?? '', printed);
  });
});

const isFile = ({ kind }: Snippet): boolean => /\.m[jt]s$/.test(kind);
const pagesOfFiles = pages.filter((page) => snippetsOf(page).some(isFile));
it.each(pagesOfFiles)('the files of %s run one after another, and print what the page says', async (page) => {
  const snippets = snippetsOf(page);
  for (const [index, snippet] of snippets.entries()) {
    if (!isFile(snippet)) continue;
    expectOutput(outputAfter(snippets, index) ?? '', await world?.run(snippet.code, snippet.kind));
  }
});
