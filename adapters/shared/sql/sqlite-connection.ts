/**
 * One SQLite connection, which Sequelize opens and closes. Statements go directly to the driver's connection,
 * because Sequelize's query layer is slow.
 */
import type * as SequelizeModule from 'sequelize';
import type * as SqliteModule from 'sqlite3';
import { loadDrivers, type Load } from '../drivers/load-driver';
import { oneStatementAtATime, type BindValue, type Row, type Session } from './session';

/** The connection opens with the first statement. */
export interface SqliteConnection extends Session {
  /**
   * Closes the connection. Must be called only when no statement is running. A later statement opens the connection
   * again.
   */
  close(): Promise<void>;
  /** Ends the running statement, if there is one. That statement then rejects. */
  interrupt(): void;
}

export interface SqliteConnectionOptions {
  file: string;
  /** With `read`, a missing file is not created. */
  access: 'write' | 'read';
}

/**
 * The most prepared statements, so that they do not fill the memory. A further statement runs without being
 * prepared.
 */
const MOST_PREPARED = 256;

/** @throws Error of one line when `sequelize` or `sqlite3` is not installed. */
export function sqliteConnector(load?: Load): (options: SqliteConnectionOptions) => SqliteConnection {
  const [{ Sequelize }, driver] = loadDrivers(['sequelize', 'sqlite3'], 'sqliteStorage', load) as [
    typeof SequelizeModule,
    typeof SqliteModule,
  ];

  return ({ file, access }) => {
    let open: { sequelize: SequelizeModule.Sequelize; statements: Statements } | null = null;

    async function opened(): Promise<Statements> {
      const sequelize = new Sequelize({
        dialect: 'sqlite',
        dialectModule: driver,
        storage: file,
        logging: false,
        dialectOptions: {
          mode: access === 'write' ? driver.OPEN_READWRITE | driver.OPEN_CREATE : driver.OPEN_READWRITE,
        },
      });
      const connection = await sequelize.connectionManager.getConnection({ type: 'write', useMaster: true });
      open = { sequelize, statements: preparedStatements(connection as SqliteModule.Database) };
      return open.statements;
    }

    // Statements run one at a time, because the driver would run them on several threads, in any order.
    const { query } = oneStatementAtATime({
      query: async (sql, bind = []) => (open?.statements ?? (await opened())).run(sql, bind),
    });
    return {
      query,
      interrupt: () => open?.statements.interrupt(),
      async close() {
        const closing = open;
        open = null;
        await closing?.statements.finalize();
        await closing?.sequelize.close();
      },
    };
  };
}

interface Statements {
  run(sql: string, bind: readonly BindValue[]): Promise<Row[]>;
  interrupt(): void;
  /** Ends the prepared statements. An open statement would keep the database open. */
  finalize(): Promise<void>;
}

function preparedStatements(database: SqliteModule.Database): Statements {
  const prepared = new Map<string, SqliteModule.Statement>();

  async function statementFor(sql: string): Promise<SqliteModule.Statement> {
    const statement = await new Promise<SqliteModule.Statement>((resolve, reject) => {
      const made: SqliteModule.Statement = database.prepare(sql, (error: Error | null) =>
        error === null ? resolve(made) : reject(error),
      );
    });
    prepared.set(sql, statement);
    return statement;
  }

  return {
    async run(sql, bind) {
      const known = prepared.get(sql);
      if (known === undefined && (bind.length === 0 || prepared.size >= MOST_PREPARED)) {
        return rowsOf((done) => database.all<Row>(sql, named(bind), done));
      }
      const statement = known ?? (await statementFor(sql));
      return rowsOf((done) => statement.all<Row>(named(bind), done));
    },
    interrupt: () => database.interrupt(),
    async finalize() {
      const finalized = [...prepared.values()].map(
        (statement) => new Promise<void>((resolve) => statement.finalize(() => resolve())),
      );
      prepared.clear();
      await Promise.all(finalized);
    },
  };
}

function named(bind: readonly BindValue[]): Record<string, BindValue> {
  return Object.fromEntries(bind.map((value, index) => [`$${index + 1}`, value]));
}

function rowsOf(run: (done: (error: Error | null, rows: Row[]) => void) => void): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    run((error, rows) => (error === null ? resolve(rows) : reject(error)));
  });
}
