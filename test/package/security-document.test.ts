import { existsSync, readFileSync } from 'node:fs';
import { itemsOf, readPage } from '../support/markdown';

const [, afterDuties = ''] = readPage('docs/security.md').split('\n## Threats\n');
const [promises = '', rest = ''] = afterDuties.split('## What is not promised');
const NAMED = /`(test\/[^`]+\.ts)` “([^”]+)”/g;

function testsOf(text: string): { file: string; title: string }[] {
  return [...text.matchAll(NAMED)].map(([, file = '', title = '']) => ({ file, title }));
}

function has(file: string, title: string): boolean {
  if (!existsSync(file)) return false;
  // Prettier moves a long title to a line of its own.
  const source = readFileSync(file, 'utf8').replace(/\(\s+/g, '(');
  return ["'", '"', '`'].some((quote) => source.includes(`(${quote}${title}${quote}`));
}

it('docs/security.md names tests that exist', () => {
  const named = testsOf(promises);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ file, title }) => !has(file, title))).toEqual([]);
  expect(has('test/package/security-document.test.ts', 'names tests that are made up')).toBe(false);
});

it('docs/security.md makes no promise without a test, and says what it does not promise', () => {
  expect(itemsOf(promises).filter((promise) => testsOf(promise).length === 0)).toEqual([]);
  expect(rest).toContain('\n- ');
});

it('docs/security.md says that the tests have no public address, as long as package.json names no repository', () => {
  const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as { repository?: unknown };
  expect(readPage('docs/security.md').includes('no public address yet')).toBe(repository === undefined);
});
