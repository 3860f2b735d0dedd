/**
 * The transaction of a trade with the same statements as in the adapter, but prepared once and sent by the driver
 * itself. It shows the most that one transaction for each trade can do on SQLite.
 */
import sqlite3 from 'sqlite3';
import type { Storage } from 'express-prediction-market';
import { sqlRepositories } from '../adapters/shared/sql/repositories';
import type { Row, Session } from '../adapters/shared/sql/session';
import { sqliteDialect } from '../adapters/shared/sql/sqlite-dialect';

export interface DriverStorage {
  storage: Storage;
  close(): Promise<void>;
}

/**
 * Makes a storage whose transactions go directly to the driver. `storage` is open on the same file and answers all
 * other calls.
 */
export async function overTheDriver(file: string, storage: Storage): Promise<DriverStorage> {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(file, (error) => (error === null ? resolve(opened) : reject(error)));
  });
  database.serialize();
  const session = preparedSession(database);
  await session.query('PRAGMA synchronous = FULL');
  await session.query('PRAGMA busy_timeout = 5000');
  let last: Promise<unknown> = Promise.resolve();
  return {
    storage: {
      ...storage,
      transaction(work) {
        const next = last.then(async () => {
          await session.query('BEGIN IMMEDIATE');
          const result = await work(sqlRepositories(sqliteDialect)(session));
          await session.query('COMMIT');
          return result;
        });
        last = next;
        return next;
      },
    },
    close: () =>
      new Promise((resolve, reject) => {
        session.finalize();
        database.close((error) => (error === null ? resolve() : reject(error)));
      }),
  };
}

function preparedSession(database: sqlite3.Database): Session & { finalize(): void } {
  const statements = new Map<string, sqlite3.Statement>();
  return {
    query: (sql, bind = []) =>
      new Promise<Row[]>((resolve, reject) => {
        const statement = statements.get(sql) ?? database.prepare(sql);
        statements.set(sql, statement);
        const named = Object.fromEntries(bind.map((value, index) => [`$${index + 1}`, value]));
        statement.all<Row>(named, (error, rows) => (error === null ? resolve(rows) : reject(error)));
      }),
    finalize() {
      for (const statement of statements.values()) statement.finalize();
    },
  };
}
