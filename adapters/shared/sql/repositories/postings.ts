import { POSTING_KINDS, type Posting } from '../../../../src/domain/types';
import type { PostingRepository } from '../../../../src/ports/storage';
import { choice, integer, micros, text } from '../row-columns';
import type { Dialect } from '../dialect';
import { accountId } from '../row-mappers';
import { encodeRows, type Cell, type Row, type Session } from '../session';

const HEAD = { reference: 'text', kind: 'text', created_at: 'integer' } as const;

function statements(dialect: Dialect) {
  const postings = dialect.table('postings');
  const entries = dialect.table('entries');
  return {
    find: `SELECT p.kind, p.reference, p.created_at, e.account, ${dialect.exact('e.amount')} AS amount
      FROM ${postings} p LEFT JOIN ${entries} e ON e.posting_id = p.id WHERE p.reference = $1 ORDER BY e.line`,
    insertWhole: `WITH ${dialect.typedRows('posting_row', { ...HEAD, accounts: 'text', amounts: 'text' })}
      INSERT INTO ${postings} (reference, kind, created_at, accounts, amounts)
      SELECT reference, kind, created_at, accounts, amounts FROM r ORDER BY line`,
    insertPostings: `WITH ${dialect.rows(HEAD)}
      INSERT INTO ${postings} (reference, kind, created_at)
      SELECT reference, kind, created_at FROM r ORDER BY line`,
    // The statement finds the posting by its reference. So it can be sent without waiting for the posting's id.
    insertEntries: `WITH ${dialect.rows({ reference: 'text', position: 'integer', account: 'text', amount: 'integer' })}
      INSERT INTO ${entries} (posting_id, line, account, amount)
      SELECT p.id, r.position, r.account, r.amount FROM r JOIN ${postings} p ON p.reference = r.reference ORDER BY r.line`,
  };
}

export function postingRepository(dialect: Dialect): (session: Session) => PostingRepository {
  const sql = statements(dialect);

  return (session) => ({
    async find(reference) {
      return toPosting(await session.query(sql.find, [reference]));
    },
    async insert(postings) {
      if (postings.length === 0) return;
      postings.forEach(refuseUnbalanced);
      if (dialect.postingLines === 'arrays') {
        const rows = postings.map((posting) => [...headCells(posting), ...arrayCells(posting)]);
        await session.query(sql.insertWhole, [dialect.encodeTypedRows(rows)]);
        return;
      }
      await Promise.all([
        session.query(sql.insertPostings, [encodeRows(postings.map(headCells))]),
        session.query(sql.insertEntries, [encodeRows(postings.flatMap(entryCells))]),
      ]);
    },
  });
}

const headCells = ({ reference, kind, createdAt }: Posting): Cell[] => [reference, kind, createdAt];

/** The entries as two arrays in the notation of Postgres. */
const arrayCells = ({ entries }: Posting): Cell[] => [
  `{${entries.map(({ account }) => `"${account}"`).join(',')}}`,
  `{${entries.map(({ amount }) => amount.toString()).join(',')}}`,
];

function entryCells({ reference, entries }: Posting): Cell[][] {
  return entries.map(({ account, amount }, line) => [reference, line, account, amount]);
}

function toPosting(rows: readonly Row[]): Posting | null {
  const [first] = rows;
  if (first === undefined) return null;
  const posting: Posting = {
    kind: choice(first, 'kind', POSTING_KINDS),
    reference: text(first, 'reference'),
    createdAt: integer(first, 'created_at'),
    entries: rows
      .filter((row) => row['account'] !== null)
      .map((row) => ({ account: accountId(row, 'account'), amount: micros(row, 'amount') })),
  };
  // The posting is checked again when it is read: an unbalanced posting that other software has written must
  // not count as a movement of money.
  refuseUnbalanced(posting);
  return posting;
}

function refuseUnbalanced({ reference, entries }: Posting): void {
  const sum = entries.reduce((total, { amount }) => total + amount, 0n);
  if (sum !== 0n) throw new Error(`posting ${reference} sums to ${sum}, not to zero`);
}
