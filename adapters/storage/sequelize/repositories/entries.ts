import type { Posting } from '../../../../src/domain/types';
import type { EntryRepository } from '../../../../src/ports/storage';
import { choice, integer, micros, text } from '../columns';
import type { Dialect } from '../dialect';
import { accountId } from '../mappers';
import { encodeRows, type Cell, type Row, type Session } from '../session';

const KINDS = ['trade', 'deposit', 'resolution', 'settlement', 'withdrawal'] as const;

function statements(dialect: Dialect) {
  const postings = dialect.table('postings');
  const entries = dialect.table('entries');
  return {
    find: `SELECT p.kind, p.reference, p.created_at, e.account, ${dialect.exact('e.amount')} AS amount
      FROM ${postings} p LEFT JOIN ${entries} e ON e.posting_id = p.id WHERE p.reference = $1 ORDER BY e.line`,
    insertPostings: `WITH ${dialect.rows({ reference: 'text', kind: 'text', created_at: 'integer' })}
      INSERT INTO ${postings} (reference, kind, created_at)
      SELECT reference, kind, created_at FROM r ORDER BY line RETURNING id, reference`,
    insertEntries: `WITH ${dialect.rows({ posting_id: 'integer', position: 'integer', account: 'text', amount: 'integer' })}
      INSERT INTO ${entries} (posting_id, line, account, amount)
      SELECT posting_id, position, account, amount FROM r ORDER BY r.line`,
  };
}

export function entryRepository(dialect: Dialect): (session: Session) => EntryRepository {
  const sql = statements(dialect);

  return (session) => ({
    async findPosting(reference) {
      return toPosting(await session.query(sql.find, [reference]));
    },
    async insert(postings) {
      if (postings.length === 0) return;
      postings.forEach(refuseUnbalanced);
      const rows = postings.map(({ reference, kind, createdAt }) => [reference, kind, createdAt]);
      const inserted = await session.query(sql.insertPostings, [encodeRows(rows)]);
      const ids = new Map(inserted.map((row) => [text(row, 'reference'), integer(row, 'id')]));
      const entries = postings.flatMap((posting) => entryCells(posting, ids.get(posting.reference)));
      await session.query(sql.insertEntries, [encodeRows(entries)]);
    },
  });
}

function entryCells({ reference, entries }: Posting, id: number | undefined): Cell[][] {
  if (id === undefined) throw new Error(`posting ${reference} did not come back`);
  return entries.map(({ account, amount }, line) => [id, line, account, amount]);
}

function toPosting(rows: readonly Row[]): Posting | null {
  const [first] = rows;
  if (first === undefined) return null;
  const posting: Posting = {
    kind: choice(first, 'kind', KINDS),
    reference: text(first, 'reference'),
    createdAt: integer(first, 'created_at'),
    entries: rows
      .filter((row) => row['account'] !== null)
      .map((row) => ({ account: accountId(row, 'account'), amount: micros(row, 'amount') })),
  };
  // Judged again on the way out: what was written unbalanced by another hand must not pass for a movement of money.
  refuseUnbalanced(posting);
  return posting;
}

function refuseUnbalanced({ reference, entries }: Posting): void {
  const sum = entries.reduce((total, { amount }) => total + amount, 0n);
  if (sum !== 0n) throw new Error(`posting ${reference} sums to ${sum}, not to zero`);
}
