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
export async function* rowsOf<Row>(
  readPage: (page: PageQuery) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string | number,
): AsyncGenerator<Row, void, undefined> {
  const told = new Set<string | number>();
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const page = await readPage({ limit: PAGE_SIZE, offset });
    for (const row of page) {
      const key = keyOf(row);
      if (told.has(key)) continue;
      told.add(key);
      yield row;
    }
    if (page.length < PAGE_SIZE) return;
  }
}

/**
 * The rows of a list that begins with the newest and whose ids fall. New rows push the others to later pages,
 * so ids that are not below the last one were told already.
 */
export async function* newestFirst<Row extends { id: number }>(
  readPage: (page: PageQuery) => Promise<readonly Row[]>,
): AsyncGenerator<Row, void, undefined> {
  let last = Infinity;
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const page = await readPage({ limit: PAGE_SIZE, offset });
    for (const row of page) {
      if (row.id >= last) continue;
      last = row.id;
      yield row;
    }
    if (page.length < PAGE_SIZE) return;
  }
}
