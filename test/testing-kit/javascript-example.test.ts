/** docs/testing.md shows its example in JavaScript and in TypeScript. */
import { readFileSync } from 'node:fs';
import { snippetsOf } from '../documents/snippets';

const blocks = snippetsOf('docs/testing.md');
const example = readFileSync('test/testing-kit/example.test.ts', 'utf8');
const plain = ['<{ balance: number }>', ', type TestMarket', ': TestMarket'].reduce(
  (code, type) => code.replace(type, ''),
  example,
);

it('the JavaScript of docs/testing.md is the example that runs as TypeScript, without its types', () => {
  expect(plain).not.toBe(example);
  const [shown] = blocks.filter(({ language, kind }) => language === 'js' && kind === '');
  expect(shown?.code).toBe(plain);
});

it('its lines for CommonJS load what the imports of the example load', () => {
  const [lines] = blocks.filter(({ code }) => code.includes('require('));
  const required = plain
    .split('\n')
    .slice(0, 2)
    .map((line) => line.replace(/^import (.+) from (.+);$/, 'const $1 = require($2);'));
  expect(
    lines?.code
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual(required);
});
