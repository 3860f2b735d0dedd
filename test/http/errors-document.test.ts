import { ERROR_TABLE } from '../../src/domain/errors';
import { itemsOf, readPage } from '../support/markdown';

it('docs/errors.md lists exactly the table of errors', () => {
  const listed = itemsOf(readPage('docs/errors.md')).flatMap((item) => {
    const entry = /^`([A-Z_]+)` \((\d+)\): (.*)$/.exec(item);
    return entry === null ? [] : [entry.slice(1)];
  });
  const table = Object.entries(ERROR_TABLE).map(([code, entry]) => [
    code,
    String(entry.status),
    entry.meaning,
  ]);
  expect(listed).toEqual(table);
});
