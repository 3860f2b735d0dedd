import { BoundedMap } from '../../../../src/domain/bounded-map';
import type { AccountChange, AccountId } from '../../../../src/domain/types';
import type { AccountRepository } from '../../../../src/ports/storage';
import { text } from '../row-columns';
import type { Dialect } from '../dialect';
import { failureKind } from '../driver-errors';
import { accountColumns, toAccount } from '../row-mappers';
import { encodeRows, encodeTexts, type Row, type Session } from '../session';

function statements(dialect: Dialect) {
  const table = dialect.table('accounts');
  const select = `SELECT ${accountColumns(dialect)} FROM ${table}`;
  return {
    find: `${select} WHERE id = $1`,
    lock: `${select} WHERE ${dialect.among('id', 'text')} ORDER BY id ${dialect.forUpdate}`,
    create: `WITH ${dialect.rows({ id: 'text', now: 'integer' })} INSERT INTO ${table}
      (id, balance, reserved, activity_count, open_positions, total_positions, updated_at)
      SELECT id, 0, 0, 0, 0, 0, now FROM r WHERE true ORDER BY line ON CONFLICT (id) DO NOTHING`,
    add: `WITH ${dialect.rows({
      account: 'text',
      balance: 'integer',
      reserved: 'integer',
      activity_count: 'integer',
      open_positions: 'integer',
      total_positions: 'integer',
      now: 'integer',
    })} UPDATE ${table} AS a SET balance = a.balance + r.balance, reserved = a.reserved + r.reserved,
      activity_count = a.activity_count + r.activity_count, open_positions = a.open_positions + r.open_positions,
      total_positions = a.total_positions + r.total_positions, updated_at = CASE WHEN r.now > a.updated_at THEN r.now ELSE a.updated_at END
      FROM r WHERE a.id = r.account RETURNING id`,
  };
}

/** Bounds the memory of `known`. */
const MOST_KNOWN = 50_000;

export function accountRepository(dialect: Dialect): (session: Session) => AccountRepository {
  const sql = statements(dialect);
  /**
   * Accounts that existed when they were last locked, or were created then. Accounts are never removed, but
   * their creation may have been rolled back.
   */
  const known = new BoundedMap<AccountId, true>(MOST_KNOWN);

  return (session) => {
    const create = (ids: readonly AccountId[], now: number) =>
      session.query(sql.create, [encodeRows(ids.map((id) => [id, now]))]);
    const lock = (ids: readonly AccountId[]) => session.query(sql.lock, [encodeTexts(ids)]);

    /**
     * Runs before any lock is taken. If a transaction locked some accounts, and then created and locked a
     * missing one, it would lock out of order. Then it could wait for a transaction that waits for it.
     */
    async function createUnknown(ascending: readonly AccountId[], now: number): Promise<void> {
      const unknown = ascending.filter((id) => !known.has(id));
      if (unknown.length > 0) await create(unknown, now);
    }

    async function add(changes: readonly AccountChange[], now: number): Promise<Row[]> {
      try {
        return await session.query(sql.add, [encodeRows(changes.map((change) => cells(change, now)))]);
      } catch (error) {
        if (failureKind(error) !== 'check') throw error;
        throw new Error('a wallet would fall below zero, or below what is reserved of it', { cause: error });
      }
    }

    return {
      async find(id) {
        const [row] = await session.query(sql.find, [id]);
        return row === undefined ? null : toAccount(row);
      },
      async lock(ids, now) {
        const ascending = [...new Set(ids)].sort();
        ascending.forEach(refusePool);
        await createUnknown(ascending, now);
        let found = await lock(ascending);
        if (found.length < ascending.length) {
          await create(ascending, now);
          found = await lock(ascending);
        }
        for (const id of ascending) if (!known.has(id)) known.set(id, true);
        return found.map(toAccount);
      },
      async apply(changes, now) {
        const ids = new Set(changes.map(({ id }) => id));
        if (ids.size < changes.length) throw new Error('one change an account');
        ids.forEach(refusePool);
        const found = new Set((await add(changes, now)).map((row) => text(row, 'id')));
        const missing = changes.filter(({ id }) => !found.has(id));
        if (missing.length === 0) return;
        // The row is created first and changed later, because a CHECK refuses to insert a negative change
        // even when the row exists.
        await create(missing.map(({ id }) => id).sort(), now);
        await add(missing, now);
      },
    };
  };
}

function refusePool(id: AccountId): void {
  if (id.startsWith('market:')) throw new Error(`the pool ${id} lives on its market`);
}

function cells(change: AccountChange, now: number) {
  const { id, balance, reserved = 0n, activityCount = 0, openPositions = 0, totalPositions = 0 } = change;
  return [id, balance, reserved, activityCount, openPositions, totalPositions, now];
}
