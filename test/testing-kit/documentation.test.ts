import { readdirSync, readFileSync } from 'node:fs';

const EXAMPLES = 'test/testing-kit/examples';

it.each([
  ['docs/testing.md', ['test/testing-kit/example.test.ts', `${EXAMPLES}/money.example.test.ts`]],
  ['docs/facilitator-adapters.md', [`${EXAMPLES}/facilitator.example.test.ts`]],
  ['docs/oracle-adapters.md', [`${EXAMPLES}/oracle.example.test.ts`]],
  ['docs/payout-adapters.md', [`${EXAMPLES}/payout.example.test.ts`]],
  [
    'docs/storage-adapters.md',
    ['row-store.example.test', 'file-store.example.test', 'database-proxy'].map(
      (name) => `${EXAMPLES}/${name}.ts`,
    ),
  ],
  ['docs/rate-limit-adapters.md', [`${EXAMPLES}/rate-limit.example.test.ts`]],
])('%s shows the very examples that run in %j', (document, examples) => {
  const shown = [...readFileSync(document, 'utf8').matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code);
  expect(shown).toEqual(examples.map((example) => readFileSync(example, 'utf8')));
});

const PORTS = ['facilitator', 'oracle', 'payout', 'rate-limit', 'row-store', 'storage'];

/** By port, an example of the package that shows the hooks which the page of the port leaves out. */
const PACKAGED: Record<string, string> = { 'row-store': 'examples/custom-storage/storage.test.ts' };

it.each(PORTS)('the package shows how to provide each hook of the suite of the %s port', (port) => {
  const types = readFileSync(`testing/${port}-conformance/types.ts`, 'utf8');
  const [, members = ''] = /UnderTest \{([^]*?)\n\}/.exec(types) ?? [];
  const hooks = [...members.matchAll(/^ {2}(\w+)\??[:(]/gm)].map(([, name = '']) => name);
  expect(hooks).toContain('destroy');
  const page = port === 'row-store' ? 'storage' : port;
  const code = [...readFileSync(`docs/${page}-adapters.md`, 'utf8').matchAll(/```ts\b.*\n([^]*?)```/g)];
  const packaged = PACKAGED[port];
  const texts = code.map(([, block]) => block);
  if (packaged !== undefined) texts.push(readFileSync(packaged, 'utf8'));
  const missing = hooks.filter((hook) => !new RegExp(`\\b${hook}\\b(?!: false)`).test(texts.join('\n')));
  expect(missing.filter((hook) => !WORDS_ARE_ENOUGH.includes(hook))).toEqual([]);
});

it.each(PORTS)('the page of the %s port says what an author in TypeScript installs', (port) => {
  const page = readFileSync(`docs/${port === 'row-store' ? 'storage' : port}-adapters.md`, 'utf8');
  const [, proof = ''] = page.split(port === 'row-store' ? '### Prove the short way' : '## Prove it\n');
  expect(proof.slice(0, 200)).toContain('`@types/express`');
});

/** Hooks that the pages describe in words, without an example. */
const WORDS_ARE_ENOUGH = ['durable', 'decidesBy', 'unbreakable', 'wait'];

it.each(PORTS.filter((port) => port !== 'row-store'))(
  'the page of the %s port names a test only as one of the repository',
  (port) => {
    const paragraphs = readFileSync(`docs/${port}-adapters.md`, 'utf8').split(/\n(?:- |\n)/);
    const named = paragraphs.filter((text) => /`test\//.test(text));
    expect(
      named.filter((text) => !text.includes('in the repository') && !text.includes('of the repository')),
    ).toEqual([]);
  },
);

it('no example gives the body of an answer a time limit that Node 20 may forget', () => {
  const examples = readdirSync(EXAMPLES).map((name) => readFileSync(`${EXAMPLES}/${name}`, 'utf8'));
  const limited = [...examples, readFileSync('examples/custom-oracle/oracle.ts', 'utf8')].filter((code) =>
    code.includes('AbortSignal.timeout('),
  );
  expect(limited.length).toBeGreaterThan(4);
  for (const code of limited) {
    expect(code).toContain(".addEventListener('abort', () => reject(");
    expect(code).not.toContain('signal: AbortSignal.timeout(');
  }
});
