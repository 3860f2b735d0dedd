import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOMS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs',
  'site',
  'cli',
  'examples',
  'testing',
  'bench',
  'scripts',
  'src',
  'adapters',
  'test',
];
/** A Unix user, not a vague word for a person. */
const UNIX_USER = "'-u', 'nobody'";
const VAGUE = /\b(?:whoever|somebody|nobody|everybody|anybody|whatever|someone|for ever)\b/i;
/** Readers stopped at these phrases. A plainer form exists for each, such as "alternate" for "by turns". */
const PUZZLING =
  /\b(?:as it came|by turns|held against|otherwise than|must not stand|for all that|gets nowhere|whence|thereof|for want of an?)\b/i;
/** Titles of documents that are not in this repository. */
const FOREIGN = /DESIGN(?:\.md)? §|DESIGN section|\bSPEC(?:\.md)? "|\bSPEC's\b/;

function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return entries.filter((entry) => /\.(?:ts|mjs|md)$/.test(entry)).map((entry) => join(path, entry));
}

function isOurs(file: string): boolean {
  return !/node_modules|\.generated\.|plain-words\.test/.test(file);
}

function linesWith(pattern: RegExp): string[] {
  return ROOMS.flatMap(filesOf)
    .filter(isOurs)
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .replace(UNIX_USER, '')
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    );
}

it('comments and documents name the actor', () => {
  expect(linesWith(VAGUE)).toEqual([]);
  expect(VAGUE.test('Whoever comes next.')).toBe(true);
});

it('comments and documents have no phrase that needs a second reading', () => {
  expect(linesWith(PUZZLING)).toEqual([]);
  expect(PUZZLING.test('YES and NO by turns.')).toBe(true);
});

it('comments and documents cite no document that the project does not hold', () => {
  expect(linesWith(FOREIGN)).toEqual([]);
  expect(FOREIGN.test('as in DESIGN §4')).toBe(true);
});
