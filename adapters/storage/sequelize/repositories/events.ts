import type { EventRepository } from '../../../../src/ports/storage';
import { integer } from '../columns';
import type { Dialect } from '../dialect';
import { toOutboxEvent } from '../mappers';
import { encodeRows, type Session } from '../session';

const COLUMNS = {
  market_id: 'integer',
  market_seq: 'integer',
  kind: 'text',
  created_at: 'integer',
  data: 'text',
} as const;

function statements(dialect: Dialect) {
  const table = dialect.table('events');
  const names = Object.keys(COLUMNS).join(', ');
  const head = `SELECT COALESCE(max(seq), 0) FROM ${table}`;
  return {
    after: `SELECT seq, ${names} FROM ${table} WHERE seq > $1 ORDER BY seq LIMIT $2`,
    head: `SELECT (${head}) AS head`,
    append: `WITH ${dialect.rows(COLUMNS)} INSERT INTO ${table} (${names}) SELECT ${names} FROM r ORDER BY line`,
    deleteBefore: `DELETE FROM ${table} WHERE seq IN (
      SELECT seq FROM ${table} WHERE created_at < $1 AND seq < (${head}) ORDER BY created_at, seq LIMIT $2
    ) RETURNING seq`,
    /** Numbers in the order of the rows' ids: within a market that is the order of its lock, and so of its commits. */
    sequence: `WITH waiting AS (SELECT id FROM ${table} WHERE seq IS NULL ORDER BY id LIMIT $1),
      numbered AS (SELECT id, (${head}) + row_number() OVER (ORDER BY id) AS seq FROM waiting)
      UPDATE ${table} AS e SET seq = numbered.seq FROM numbered WHERE e.id = numbered.id RETURNING e.id AS id`,
  };
}

export function eventRepository(dialect: Dialect): (session: Session) => EventRepository {
  const sql = statements(dialect);

  return (session) => ({
    async after(seq, limit) {
      return (await session.query(sql.after, [seq, limit])).map(toOutboxEvent);
    },
    async head() {
      const [row] = await session.query(sql.head);
      return row === undefined ? 0 : integer(row, 'head');
    },
    async append(events) {
      if (events.length === 0) return;
      const rows = events.map(({ marketId, marketSeq, kind, createdAt, data }) => [
        marketId,
        marketSeq,
        kind,
        createdAt,
        JSON.stringify(data),
      ]);
      await session.query(sql.append, [encodeRows(rows)]);
    },
    async sequence(limit) {
      if (dialect.numbering === 'append') return 0;
      // A relay that lost its lease unawares must wait, and then see what the other has numbered.
      if (dialect.holdName !== null) await session.query(dialect.holdName, ['event sequence']);
      return (await session.query(sql.sequence, [limit])).length;
    },
    async deleteBefore(createdBefore, limit) {
      return (await session.query(sql.deleteBefore, [createdBefore, limit])).length;
    },
  });
}
