import type { NewFact, StoredFact } from '../../../../src/domain/events';
import type { EventRepository } from '../../../../src/ports/storage';
import { integer, text } from '../row-columns';
import type { Dialect } from '../dialect';
import type { Row, Session } from '../session';

/**
 * The most facts in one row. A reader unpacks whole rows, so this number also bounds how many unwanted facts a
 * reader unpacks.
 */
const LARGEST_BATCH = 128;

function statements(dialect: Dialect) {
  const table = dialect.table('event_batches');
  const head = `SELECT first_seq + size - 1 FROM ${table} WHERE first_seq IS NOT NULL ORDER BY first_seq DESC LIMIT 1`;
  const number = dialect.eventNumbering === 'append' ? `COALESCE((${head}), 0) + 1` : 'NULL';
  return {
    // The page begins with the row that contains the next number, or with the first later row if that row was
    // removed. Numbers have no gaps, so the last number of a page is known beforehand. If rows were removed,
    // the page counts from the first row that is left.
    after: `WITH start AS (
        SELECT COALESCE(
          (SELECT first_seq FROM ${table} WHERE first_seq + size > CAST($1 AS BIGINT) + 1
            AND first_seq = (SELECT max(first_seq) FROM ${table} WHERE first_seq <= CAST($1 AS BIGINT) + 1)),
          (SELECT min(first_seq) FROM ${table} WHERE first_seq > CAST($1 AS BIGINT) + 1)
        ) AS seq
      )
      SELECT b.first_seq, b.created_at, b.data FROM start JOIN ${table} b ON b.first_seq >= start.seq
        AND b.first_seq <= CASE WHEN start.seq > CAST($1 AS BIGINT) THEN start.seq ELSE CAST($1 AS BIGINT) END + CAST($2 AS BIGINT)
      WHERE b.first_seq + b.size > CAST($1 AS BIGINT) + 1 ORDER BY b.first_seq`,
    head: `SELECT COALESCE((${head}), 0) AS head`,
    append: `INSERT INTO ${table} (first_seq, size, created_at, data) VALUES (${number}, $1, $2, $3)`,
    // Removes whole rows until the limit is reached. `$3` is the greatest number that may be removed.
    deleteBefore: `WITH page AS (
        SELECT id, size, created_at, first_seq FROM ${table}
        WHERE created_at < $1 AND first_seq < (SELECT max(first_seq) FROM ${table} WHERE first_seq IS NOT NULL)
          AND first_seq + size - 1 <= CAST($3 AS BIGINT)
        ORDER BY created_at, first_seq LIMIT $2
      ),
      counted AS (SELECT id, sum(size) OVER (ORDER BY created_at, first_seq) - size AS earlier FROM page)
      DELETE FROM ${table} WHERE id IN (SELECT id FROM counted WHERE earlier < $2) RETURNING size`,
    /**
     * Gives numbers to facts in the order of the rows' ids. Within a market, that is the order in which
     * transactions had the market's lock, and so the order of their commits.
     */
    sequence: `WITH waiting AS (SELECT id, size FROM ${table} WHERE first_seq IS NULL ORDER BY id LIMIT $1),
      counted AS (SELECT id, sum(size) OVER (ORDER BY id) - size AS earlier FROM waiting),
      numbered AS (SELECT id, COALESCE((${head}), 0) + 1 + earlier AS seq FROM counted WHERE earlier < $1)
      UPDATE ${table} AS b SET first_seq = numbered.seq FROM numbered WHERE b.id = numbered.id RETURNING b.size AS size`,
  };
}

export function eventRepository(dialect: Dialect): (session: Session) => EventRepository {
  const sql = statements(dialect);
  const sizes = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + integer(row, 'size'), 0);

  return (session) => ({
    async after(seq, limit) {
      const rows = await session.query(sql.after, [seq, limit]);
      return rows
        .flatMap(unpack)
        .filter((event) => (event.seq ?? 0) > seq)
        .slice(0, limit);
    },
    async head() {
      const [row] = await session.query(sql.head);
      return row === undefined ? 0 : integer(row, 'head');
    },
    async append(events) {
      await Promise.all(
        batchesOf(events).map((batch) =>
          session.query(sql.append, [batch.length, batch[0]?.createdAt ?? 0, pack(batch)]),
        ),
      );
    },
    async sequence(limit) {
      if (dialect.eventNumbering === 'append') return 0;
      // A relay that does not know that it has lost its lease must wait at this statement. Then it sees the
      // numbers that the other relay has given.
      if (dialect.lockName !== null) await session.query(dialect.lockName, ['event sequence']);
      return sizes(await session.query(sql.sequence, [limit]));
    },
    async deleteBefore(createdBefore, limit, upTo = Number.MAX_SAFE_INTEGER) {
      return sizes(await session.query(sql.deleteBefore, [createdBefore, limit, upTo]));
    },
  });
}

/**
 * Puts consecutive facts of one instant into one row, up to `LARGEST_BATCH`. Facts of different instants have
 * different rows, because rows are removed by age.
 */
function batchesOf(events: readonly NewFact[]): NewFact[][] {
  const batches: NewFact[][] = [];
  for (const event of events) {
    const last = batches.at(-1);
    if (last !== undefined && last.length < LARGEST_BATCH && last[0]?.createdAt === event.createdAt) {
      last.push(event);
    } else {
      batches.push([event]);
    }
  }
  return batches;
}

type PackedEvent = [
  marketId: number | null,
  marketSeq: number | null,
  kind: string,
  data: StoredFact['data'],
];

function pack(batch: readonly NewFact[]): string {
  const packed = batch.map(({ marketId, marketSeq, kind, data }): PackedEvent => [
    marketId,
    marketSeq,
    kind,
    data,
  ]);
  return JSON.stringify(packed);
}

function unpack(row: Row): StoredFact[] {
  const first = integer(row, 'first_seq');
  const createdAt = integer(row, 'created_at');
  // `pack` and migration 0006 write this column in the same form, so its type is known.
  const packed = JSON.parse(text(row, 'data')) as PackedEvent[];
  return packed.map(([marketId, marketSeq, kind, data], index) => ({
    seq: first + index,
    marketId,
    marketSeq,
    kind,
    createdAt,
    data,
  }));
}
