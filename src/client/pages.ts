/** Walks through lists page by page. */

export interface PageQuery {
  limit: number;
  offset: number;
}

/** A query without the place in the list, which the iterator chooses. */
export type AllQuery<Query> = Omit<Query, 'limit' | 'offset'>;

const PAGE_SIZE = 100;

/**
 * The rows of a list, one by one. A list goes on changing while it is read: a row that a change has moved to a
 * later page is told once. `keyOf` gives the identity of a row.
 */
export function rowsOf<Row>(
  readPage: ReadPage<Row>,
  keyOf: (row: Row) => string | number,
): AsyncGenerator<Row, void, undefined> {
  const told = new Set<string | number>();
  return newRows(readPage, (row) => told.size < told.add(keyOf(row)).size);
}

/**
 * The rows of a list that begins with the newest and whose ids fall. New rows push the others to later pages,
 * so ids that are not below the last one were told already.
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
