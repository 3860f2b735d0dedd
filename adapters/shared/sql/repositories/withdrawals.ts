import {
  OPEN_STATUSES,
  WITHDRAWAL_STATUSES,
  type OpenStatus,
  type Withdrawal,
} from '../../../../src/domain/withdrawals';
import type { WithdrawalRepository } from '../../../../src/ports/storage';
import { choice, integer, micros, optionalText, text } from '../row-columns';
import type { Dialect } from '../dialect';
import { encodeRows, type Row, type Session } from '../session';

/**
 * This condition is worded exactly as in the partial indexes. Otherwise the planner does not use these indexes.
 */
export const IS_OPEN = `status IN (${OPEN_STATUSES.map((status) => `'${status}'`).join(', ')})`;

function statements(dialect: Dialect) {
  const table = dialect.table('withdrawals');
  const plain = 'id, wallet, wallet_seq, status, payout_state, paid_by, reason, created_at, updated_at';
  const select = `SELECT ${plain}, ${dialect.exact('amount')} AS amount FROM ${table}`;
  const listOpenOf = (status: OpenStatus): string =>
    `${select} WHERE ${IS_OPEN} AND status = '${status}' AND id > $1 ORDER BY id LIMIT $2`;
  const given = 'wallet, amount, status, payout_state, paid_by, reason, created_at, updated_at';
  return {
    find: `${select} WHERE id = $1`,
    lock: `${select} WHERE id = $1 ${dialect.forUpdate}`,
    list: `${select} WHERE wallet = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
    newest: `SELECT wallet_seq FROM ${table} WHERE wallet = $1 ORDER BY wallet_seq DESC LIMIT 1`,
    listOpen: `${select} WHERE ${IS_OPEN} AND id > $1 ORDER BY id LIMIT $2`,
    listOpenOf: { pending: listOpenOf('pending'), sent: listOpenOf('sent') } satisfies Record<
      OpenStatus,
      string
    >,
    countOpen: `SELECT count(*) AS open FROM ${table} WHERE ${IS_OPEN} AND wallet = $1`,
    insert: `WITH ${dialect.rows({
      wallet_seq: 'integer',
      wallet: 'text',
      amount: 'integer',
      status: 'text',
      payout_state: 'text',
      paid_by: 'text',
      reason: 'text',
      created_at: 'integer',
      updated_at: 'integer',
    })} INSERT INTO ${table} (wallet_seq, ${given}) SELECT wallet_seq, ${given} FROM r WHERE true RETURNING id`,
    update: `WITH ${dialect.rows({
      wanted: 'integer',
      status: 'text',
      payout_state: 'text',
      paid_by: 'text',
      reason: 'text',
      updated_at: 'integer',
    })} UPDATE ${table} AS w SET status = r.status, payout_state = r.payout_state, paid_by = r.paid_by,
      reason = r.reason, updated_at = r.updated_at FROM r WHERE w.id = r.wanted RETURNING id`,
  };
}

export function withdrawalRepository(dialect: Dialect): (session: Session) => WithdrawalRepository {
  const sql = statements(dialect);

  return (session) => {
    async function one(statement: string, id: number): Promise<Withdrawal | null> {
      const [row] = await session.query(statement, [id]);
      return row === undefined ? null : toWithdrawal(row);
    }
    async function countOf(wallet: string): Promise<number> {
      const [newest] = await session.query(sql.newest, [wallet]);
      return newest === undefined ? 0 : integer(newest, 'wallet_seq');
    }
    return {
      find: (id) => one(sql.find, id),
      lock: (id) => one(sql.lock, id),
      async list({ wallet, limit, offset }) {
        const total = await countOf(wallet);
        const rows = await session.query(sql.list, [wallet, limit, offset]);
        return { withdrawals: rows.map(toWithdrawal), total };
      },
      async listOpen({ status, afterId, limit }) {
        const statement = status === undefined ? sql.listOpen : sql.listOpenOf[status];
        return (await session.query(statement, [afterId, limit])).map(toWithdrawal);
      },
      async countOpen(wallet) {
        const [row] = await session.query(sql.countOpen, [wallet]);
        return row === undefined ? 0 : integer(row, 'open');
      },
      async insert(withdrawal) {
        const { wallet, amount, status, payoutState, transaction, reason, createdAt, updatedAt } = withdrawal;
        const walletSeq = (await countOf(wallet)) + 1;
        const cells = [
          walletSeq,
          wallet,
          amount,
          status,
          payoutState,
          transaction,
          reason,
          createdAt,
          updatedAt,
        ];
        const [row] = await session.query(sql.insert, [encodeRows([cells])]);
        if (row === undefined) throw new Error('a withdrawal was inserted without an id');
        return { ...withdrawal, id: integer(row, 'id'), walletSeq };
      },
      async update({ id, status, payoutState, transaction, reason, updatedAt }) {
        const cells = [id, status, payoutState, transaction, reason, updatedAt];
        const written = await session.query(sql.update, [encodeRows([cells])]);
        if (written.length === 0) throw new Error(`withdrawal ${id} does not exist`);
      },
    };
  };
}

function toWithdrawal(row: Row): Withdrawal {
  return {
    id: integer(row, 'id'),
    wallet: text(row, 'wallet'),
    walletSeq: integer(row, 'wallet_seq'),
    amount: micros(row, 'amount'),
    status: choice(row, 'status', WITHDRAWAL_STATUSES),
    payoutState: optionalText(row, 'payout_state'),
    transaction: optionalText(row, 'paid_by'),
    reason: optionalText(row, 'reason'),
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
  };
}
