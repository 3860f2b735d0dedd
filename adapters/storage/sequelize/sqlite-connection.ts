/** One SQLite connection through Sequelize. The only place, with postgres-connection.ts, that knows Sequelize. */
import type * as SequelizeModule from 'sequelize';
import type * as SqliteModule from 'sqlite3';
import { loadDriver, type Load } from '../../support/load-driver';
import { inTurn, type Session } from './session';

export interface SqliteConnection extends Session {
  close(): Promise<void>;
}

export interface SqliteConnectionOptions {
  file: string;
  /** A reader neither creates the file nor writes to it. */
  access: 'write' | 'read';
}

/** @throws Error of one line when `sequelize` or `sqlite3` is not installed. */
export function sqliteConnector(load?: Load): (options: SqliteConnectionOptions) => SqliteConnection {
  const { Sequelize, QueryTypes } = loadDriver('sequelize', 'sqliteStorage', load) as typeof SequelizeModule;
  const driver = loadDriver('sqlite3', 'sqliteStorage', load) as typeof SqliteModule;

  // Sequelize drops the rows of a statement whose first words are INSERT INTO, RETURNING or not.
  const visible = (sql: string): string => (/^insert into/i.test(sql) ? `/* rows */ ${sql}` : sql);

  return ({ file, access }) => {
    const sequelize = new Sequelize({
      dialect: 'sqlite',
      dialectModule: driver,
      storage: file,
      logging: false,
      // Sequelize would repeat a statement that met SQLITE_BUSY five times: the 5-second rule has no room for that.
      retry: { max: 1 },
      dialectOptions: {
        mode: access === 'write' ? driver.OPEN_READWRITE | driver.OPEN_CREATE : driver.OPEN_READWRITE,
      },
    });
    // The driver would run them on several threads, in any order.
    const { query } = inTurn({
      query: (sql, bind = []) =>
        sequelize.query(visible(sql), { type: QueryTypes.SELECT, raw: true, bind: [...bind] }),
    });
    return { query, close: () => sequelize.close() };
  };
}
