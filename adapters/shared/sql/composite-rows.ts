import { plainCell, UNSTORABLE, type Cell } from './session';

/** Texts that need no quotes in the notation of `encodeCompositeRows`. */
const PLAIN = /^[\w:.-]+$/;

/**
 * Many rows as one bound value, in the notation of Postgres for an array of a composite type:
 * `{"(1,YES)","(2,NO)"}`.
 */
export function encodeCompositeRows(rows: readonly (readonly Cell[])[]): string {
  return `{${rows.map((row) => `"(${row.map(compositeCell).join(',')})"`).join(',')}}`;
}

function compositeCell(cell: Cell): string {
  const plain = plainCell(cell);
  // An empty place is NULL. An empty text has quotes.
  if (plain === null) return '';
  if (typeof plain === 'number' || PLAIN.test(plain)) return String(plain);
  // The database would get other characters in place of NUL and of half a surrogate pair.
  if (UNSTORABLE.test(plain)) throw new Error('a text that no database can store');
  // The row is quoted in the array, so a quoted cell is escaped once more.
  return escaped(`"${escaped(plain)}"`);
}

const escaped = (text: string): string => text.replace(/["\\]/g, '\\$&');
