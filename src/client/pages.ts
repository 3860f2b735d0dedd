export interface PageQuery {
  limit: number;
  offset: number;
}

/** A query without `limit` and `offset`, which the iterator chooses. */
export type AllQuery<Query> = Omit<Query, 'limit' | 'offset'>;

const PAGE_SIZE = 100;

/**
 * The rows of a list, one by one. A change of the list can move a row to a later page; the iterator still gives the
 * row once. `keyOf` gives the identity of a row.
 */
export function rowsOf<Row>(
  readPage: ReadPage<Row>,
  keyOf: (row: Row) => string | number,
): AsyncGenerator<Row, void, undefined> {
  const told = new Set<string | number>();
  return newRows(readPage, (row) => told.size < told.add(keyOf(row)).size);
}

/**
 * The rows of a list in falling order of ids. New rows move other rows to later pages, so a row whose id is not below
 * the last id was given before.
 */
export function newestFirst<Row extends { id: number }>(
  readPage: ReadPage<Row>,
): AsyncGenerator<Row, void, undefined> {
  let last = Infinity;
  return newRows(readPage, ({ id }) => id < last && ((last = id), true));
}

type ReadPage<Row> = (page: PageQuery) => Promise<readonly Row[]>;

async function* newRows<Row>(
  readPage: ReadPage<Row>,
  isNew: (row: Row) => boolean,
): AsyncGenerator<Row, void, undefined> {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const page = await readPage({ limit: PAGE_SIZE, offset });
    for (const row of page) if (isNew(row)) yield row;
    if (page.length < PAGE_SIZE) return;
  }
}
