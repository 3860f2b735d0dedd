/** Opens an SQLite file without Sequelize, which takes long to load. The file must exist and be migrated. */
import { oneAtATime } from '../../adapters/shared/one-at-a-time';
import { sqlRepositories } from '../../adapters/shared/sql/repositories';
import type { BindValue, Row, Session } from '../../adapters/shared/sql/session';
import { sqliteDialect } from '../../adapters/shared/sql/sqlite-dialect';
import { beginImmediate, finishing } from '../../adapters/storage/sqlite/transactions';
import type { Storage } from '../../src/ports/storage';
import { openRaw } from '../support/sqlite-raw';

export async function lightSqlite(file: string): Promise<Storage> {
  const raw = await openRaw(file);
  const session: Session = {
    query: (sql, bind = []) => raw.all<Row>(sql, named(bind)),
  };
  const repositories = sqlRepositories(sqliteDialect);
  const inOrder = oneAtATime();
  const read: Storage['read'] = (work) => inOrder(() => work(repositories(session)));
  return {
    name: 'light sqlite',
    eventNumbering: 'append',
    open: async () => {
      for (const pragma of ['busy_timeout = 1000', 'synchronous = FULL'])
        await session.query(`PRAGMA ${pragma}`);
    },
    close: () => raw.close(),
    ping: async () => undefined,
    read,
    snapshot: read,
    transaction: (work) =>
      inOrder(async () => {
        await beginImmediate(session);
        return finishing(session, (transaction) => work(repositories(transaction)));
      }),
  };
}

function named(bind: readonly BindValue[]): Record<string, BindValue> {
  return Object.fromEntries(bind.map((value, index) => [`$${index + 1}`, value]));
}
