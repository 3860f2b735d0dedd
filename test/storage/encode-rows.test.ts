import fc from 'fast-check';
import { encodeRows, type Cell } from '../../adapters/shared/sql/session';

function readBack(cell: Cell): unknown {
  if (typeof cell === 'bigint') return cell.toString();
  if (typeof cell === 'boolean') return cell ? 1 : 0;
  return cell;
}

describe('rows as one bound value', () => {
  it('are JSON, with money as text and truth values as numbers', () => {
    const cell = fc.oneof(
      fc.bigInt(),
      fc.boolean(),
      fc.string({ unit: 'binary' }),
      fc.maxSafeInteger(),
      fc.constantFrom(0.1, 0.999999, null),
    );
    fc.assert(
      fc.property(fc.array(fc.array(cell)), (rows) => {
        expect(JSON.parse(encodeRows(rows))).toEqual(rows.map((row) => row.map(readBack)));
      }),
    );
  });
});
