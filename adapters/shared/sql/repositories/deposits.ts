import type { DepositRepository } from '../../../../src/ports/storage';
import type { Dialect } from '../dialect';
import { toDeposit } from '../row-mappers';
import { encodeRows, type Session } from '../session';

export function depositRepository(dialect: Dialect): (session: Session) => DepositRepository {
  const table = dialect.table('deposits');
  const names = 'reference, wallet, amount, balance_after, reserved_after, created_at';
  const select = `SELECT reference, wallet, ${dialect.exact('amount')} AS amount,
    ${dialect.exact('balance_after')} AS balance_after,
    ${dialect.exact('reserved_after')} AS reserved_after, created_at FROM ${table}`;
  const find = `${select} WHERE reference = $1`;
  const list = `${select} WHERE wallet = $1 ORDER BY created_at DESC, reference DESC LIMIT $2 OFFSET $3`;
  const insert = `WITH ${dialect.rows({
    reference: 'text',
    wallet: 'text',
    amount: 'integer',
    balance_after: 'integer',
    reserved_after: 'integer',
    created_at: 'integer',
  })} INSERT INTO ${table} (${names}) SELECT ${names} FROM r WHERE true
    ON CONFLICT (reference) DO NOTHING RETURNING reference`;
  const setFundsAfter = `WITH ${dialect.rows({
    credited: 'text',
    balance_after: 'integer',
    reserved_after: 'integer',
  })} UPDATE ${table} AS d SET balance_after = r.balance_after, reserved_after = r.reserved_after
    FROM r WHERE d.reference = r.credited RETURNING reference`;

  return (session) => ({
    async find(reference) {
      const [row] = await session.query(find, [reference]);
      return row === undefined ? null : toDeposit(row);
    },
    async list({ wallet, limit, offset }) {
      return (await session.query(list, [wallet, limit, offset])).map(toDeposit);
    },
    async insert({ reference, wallet, amount, balanceAfter, reservedAfter, createdAt }) {
      const row = encodeRows([[reference, wallet, amount, balanceAfter, reservedAfter, createdAt]]);
      return (await session.query(insert, [row])).length === 1;
    },
    async setFundsAfter(reference, { balance, reserved }) {
      const written = await session.query(setFundsAfter, [encodeRows([[reference, balance, reserved]])]);
      if (written.length === 0) throw new Error(`deposit ${reference} does not exist`);
    },
  });
}
