import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemsOf, readPage } from '../support/markdown';

interface Term {
  name: string;
  identifiers: string[];
}

const terms: Term[] = itemsOf(readPage('docs/glossary.md')).map((item) => {
  const [, name = '', text = ''] = /^\*\*(.+)\*\*: (.+)$/.exec(item) ?? [];
  const names = /(?:`[^`]+`(?:, )?)+\.$/.exec(text)?.[0] ?? '';
  return { name, identifiers: [...names.matchAll(/`([^`]+)`/g)].map(([, found = '']) => found) };
});

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return entries.filter((entry) => entry.endsWith('.ts')).map((entry) => join(folder, entry));
}

/** Names in comments do not count, so comments are removed. */
const code = ['src', 'adapters', 'testing']
  .flatMap(filesOf)
  .map((file) => readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, ''))
  .join('\n');
const words = new Set(code.match(/[\w$]+/g));

function hasInCode(identifier: string): boolean {
  return words.has(identifier) || (identifier.startsWith("'") && code.includes(identifier));
}

function publicNouns(): string[] {
  const nouns = readFileSync('src/domain/types.ts', 'utf8').matchAll(/^export (?:interface|type) (\w+)/gm);
  const ports = [
    'Storage',
    'Oracle',
    'Facilitator',
    'Payout',
    'RateLimitBackend',
    'Clock',
    'Random',
    'Logger',
  ];
  // Types that need no entry of their own.
  const parts = ['AccountChange'];
  return [...[...nouns].map(([, name = '']) => name), ...ports].filter((name) => !parts.includes(name));
}

it('the glossary gives a name in the code for every term', () => {
  expect(terms.length).toBeGreaterThan(50);
  expect(terms.filter(({ name, identifiers }) => name === '' || identifiers.length === 0)).toEqual([]);
});

it('the glossary names only what the code still has', () => {
  const gone = terms.flatMap(({ identifiers }) => identifiers).filter((name) => !hasInCode(name));
  expect(gone).toEqual([]);
  expect(hasInCode('aNameThatTheCodeDoesNotHave')).toBe(false);
});

it('the glossary has every noun of the domain and every port', () => {
  const named = new Set(terms.flatMap(({ identifiers }) => identifiers));
  expect(publicNouns().filter((noun) => !named.has(noun))).toEqual([]);
});

it('the glossary is sorted by term', () => {
  const names = terms.map(({ name }) => name.toLowerCase());
  expect(names).toEqual([...names].sort((left, right) => left.localeCompare(right, 'en')));
});
