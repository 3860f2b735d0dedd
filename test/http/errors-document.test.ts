import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_TABLE } from '../../src/domain/errors';

it('docs/errors.md lists exactly the table of errors', () => {
  const text = readFileSync(join(__dirname, '../../docs/errors.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` +\| (\d+) +\| (.*?) +\|$/gm)].map((row) => row.slice(1));
  const table = Object.entries(ERROR_TABLE).map(([code, entry]) => [
    code,
    String(entry.status),
    entry.meaning,
  ]);
  expect(rows).toEqual(table);
});
