import { BoundedMap } from '../../../../src/domain/bounded-map';
import { marketOfPool } from '../../../../src/domain/ledger';
import type { Account, AccountChange, AccountId } from '../../../../src/domain/types';
import type { AccountRepository } from '../../../../src/ports/storage';
import { text } from '../row-columns';
import type { Dialect } from '../dialect';
import { failureKind } from '../driver-errors';
import { accountColumns, toAccount } from '../row-mappers';
import { encodeRows, encodeTexts, type Row, type Session } from '../session';

const CHANGE = {
  account: 'text',
  balance: 'integer',
  reserved: 'integer',
  activity_count: 'integer',
  open_positions: 'integer',
  total_positions: 'integer',
  now: 'integer',
} as const;

function statements(dialect: Dialect) {
  const table = dialect.table('accounts');
  const select = `SELECT ${accountColumns(dialect)} FROM ${table}`;
  return {
    find: `${select} WHERE id = $1`,
    lock: `${select} WHERE ${dialect.among('id', 'text')} ORDER BY id ${dialect.forUpdate}`,
    create: `WITH ${dialect.rows({ id: 'text', now: 'integer' })} INSERT INTO ${table}
      (id, balance, reserved, activity_count, open_positions, total_positions, updated_at)
      SELECT id, 0, 0, 0, 0, 0, now FROM r WHERE true ORDER BY line ON CONFLICT (id) DO NOTHING`,
    add: `WITH ${dialect.typedRows('account_change', CHANGE)} UPDATE ${table} AS a SET balance = a.balance + r.balance, reserved = a.reserved + r.reserved,
      activity_count = a.activity_count + r.activity_count, open_positions = a.open_positions + r.open_positions,
      total_positions = a.total_positions + r.total_positions, updated_at = CASE WHEN r.now > a.updated_at THEN r.now ELSE a.updated_at END
      FROM r WHERE a.id = r.account RETURNING id`,
  };
}

/** The most accounts in `known`, to bound its memory. */
const MOST_KNOWN = 50_000;

/** What the repositories of all sessions share, and the session of one repository. */
interface Store {
  dialect: Dialect;
  sql: ReturnType<typeof statements>;
  /**
   * The accounts that existed, or were created, when they were last locked. Accounts are never removed, but the
   * creation of an account may have been rolled back.
   */
  known: Map<AccountId, true>;
  session: Session;
}

export function accountRepository(dialect: Dialect): (session: Session) => AccountRepository {
  const sql = statements(dialect);
  const known = new BoundedMap<AccountId, true>(MOST_KNOWN);
  return (session) => {
    const store: Store = { dialect, sql, known, session };
    return {
      async find(id) {
        const [row] = await session.query(sql.find, [id]);
        return row === undefined ? null : toAccount(row);
      },
      lock: (ids, now) => lock(store, ids, now),
      apply: (changes, now) => apply(store, changes, now),
    };
  };
}

async function lock(store: Store, ids: readonly AccountId[], now: number): Promise<Account[]> {
  const { known } = store;
  const ascending = [...new Set(ids)].sort();
  ascending.forEach(refusePool);
  await createUnknown(store, ascending, now);
  let found = await lockExisting(store, ascending);
  if (found.length < ascending.length) {
    await create(store, ascending, now);
    found = await lockExisting(store, ascending);
  }
  for (const id of ascending) if (!known.has(id)) known.set(id, true);
  return found.map(toAccount);
}

/**
 * Creates the accounts that may be missing, before `lock` locks any of them. If an account were created and locked
 * after the others, the locks would be out of order, and transactions could deadlock.
 */
async function createUnknown(store: Store, ascending: readonly AccountId[], now: number): Promise<void> {
  const unknown = ascending.filter((id) => !store.known.has(id));
  if (unknown.length > 0) await create(store, unknown, now);
}

function lockExisting({ session, sql }: Store, ids: readonly AccountId[]): Promise<Row[]> {
  return session.query(sql.lock, [encodeTexts(ids)]);
}

function create({ session, sql }: Store, ids: readonly AccountId[], now: number): Promise<Row[]> {
  return session.query(sql.create, [encodeRows(ids.map((id) => [id, now]))]);
}

async function apply(store: Store, changes: readonly AccountChange[], now: number): Promise<void> {
  const ids = new Set(changes.map(({ id }) => id));
  if (ids.size < changes.length) throw new Error('one change an account');
  ids.forEach(refusePool);
  const found = new Set((await add(store, changes, now)).map((row) => text(row, 'id')));
  const missing = changes.filter(({ id }) => !found.has(id));
  if (missing.length === 0) return;
  // The row is created first and changed afterwards. An upsert would not do: the CHECK refuses a negative
  // change in its INSERT, even when the row exists.
  await create(store, missing.map(({ id }) => id).sort(), now);
  await add(store, missing, now);
}

async function add(
  { dialect, session, sql }: Store,
  changes: readonly AccountChange[],
  now: number,
): Promise<Row[]> {
  try {
    return await session.query(sql.add, [
      dialect.encodeTypedRows(changes.map((change) => cells(change, now))),
    ]);
  } catch (error) {
    if (failureKind(error) !== 'check') throw error;
    throw new Error('a wallet would fall below zero, or below what is reserved of it', { cause: error });
  }
}

function refusePool(id: AccountId): void {
  if (marketOfPool(id) !== null) throw new Error(`the pool ${id} lives on its market`);
}

function cells(change: AccountChange, now: number) {
  const { id, balance, reserved = 0n, activityCount = 0, openPositions = 0, totalPositions = 0 } = change;
  return [id, balance, reserved, activityCount, openPositions, totalPositions, now];
}
