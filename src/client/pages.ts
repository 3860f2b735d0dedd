import type { CallOptions } from './options';

/** A query without `limit` and `offset`, which the iterator chooses. */
export type AllQuery<Query> = Omit<Query, 'limit' | 'offset'>;

const PAGE_SIZE = 100;

/** Says for each row of a list in turn whether the row is new. */
type Sieve<Row> = () => (row: Row) => boolean;

/**
 * The rows of a list, one by one. A change of the list can move a row to a later page; the iterator still gives the
 * row once. `field` is the name of the rows in a page.
 */
export function rowsOf<Query, Field extends string, Row>(
  list: (query?: Query, options?: CallOptions) => Promise<Record<Field, readonly Row[]>>,
  field: Field,
  sieve: Sieve<Row>,
): (query?: AllQuery<Query>, options?: CallOptions) => AsyncGenerator<Row, void, undefined> {
  return async function* (query, options) {
    const isNew = sieve();
    for (let offset = 0; ; offset += PAGE_SIZE) {
      const page = (await list({ ...query, limit: PAGE_SIZE, offset } as Query, options))[field];
      for (const row of page) if (isNew(row)) yield row;
      if (page.length < PAGE_SIZE) return;
    }
  };
}

/** `keyOf` gives the identity of a row. */
export const distinct =
  <Row>(keyOf: (row: Row) => string | number): Sieve<Row> =>
  () => {
    const told = new Set<string | number>();
    return (row) => told.size < told.add(keyOf(row)).size;
  };

/**
 * For a list in falling order of ids. New rows move other rows to later pages, so a row whose id is not below the last
 * id was given before.
 */
export const newestFirst: Sieve<{ id: number }> = () => {
  let last = Infinity;
  return ({ id }) => id < last && ((last = id), true);
};

export const byId = distinct(({ id }: { id: string | number }) => id);
