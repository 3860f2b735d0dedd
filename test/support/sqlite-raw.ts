/** Uses the SQLite library of the adapter, because two SQLite libraries in one process can corrupt a file. */
import sqlite3 from 'sqlite3';
import type { StorageInspection } from '../../testing/storage-conformance';
import { INSPECTED_COLUMNS } from './inspected-columns';

export interface RawDatabase {
  all<T>(sql: string, bind?: readonly unknown[] | Record<string, unknown>): Promise<T[]>;
  close(): Promise<void>;
}

export function openRaw(file: string): Promise<RawDatabase> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(file, (error) =>
      error === null ? resolve(wrap(database)) : reject(error),
    );
  });
}

function wrap(database: sqlite3.Database): RawDatabase {
  return {
    all: <T>(sql: string, bind: readonly unknown[] | Record<string, unknown> = []) =>
      new Promise<T[]>((resolve, reject) =>
        database.all<T>(sql, bind, (error, rows) => (error === null ? resolve(rows) : reject(error))),
      ),
    close: () =>
      new Promise((resolve, reject) =>
        database.close((error) => (error === null ? resolve() : reject(error))),
      ),
  };
}

export function sqliteInspection(raw: RawDatabase): StorageInspection {
  async function first<T>(sql: string, ...bind: readonly unknown[]): Promise<T | null> {
    return (await raw.all<T>(sql, bind))[0] ?? null;
  }
  const { account, market, position, trade } = INSPECTED_COLUMNS;
  return {
    account: (id) => first(`SELECT ${account} FROM accounts WHERE id = ?`, id),
    market: (id) => first(`SELECT ${market} FROM markets WHERE id = ?`, id),
    position: (marketId, wallet, side) =>
      first(
        `SELECT ${position} FROM positions WHERE market_id = ? AND wallet = ? AND side = ?`,
        marketId,
        wallet,
        side,
      ),
    trade: (id) => first(`SELECT ${trade} FROM trades WHERE id = ?`, id),
    entries: (reference) =>
      raw.all(
        `SELECT e.account AS account, CAST(e.amount AS TEXT) AS amount FROM entries e
         JOIN postings p ON p.id = e.posting_id WHERE p.reference = ? ORDER BY e.line`,
        [reference],
      ),
    challengeExists: async (nonce) =>
      (await raw.all('SELECT 1 AS one FROM challenges WHERE nonce = ?', [nonce])).length > 0,
  };
}
