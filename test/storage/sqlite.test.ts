import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { loadDriver } from '../../adapters/shared/drivers/load-driver';
import { sqlRepositories } from '../../adapters/shared/sql/repositories';
import { sqlStorage } from '../../adapters/shared/sql/sql-storage';
import { sqliteConnector } from '../../adapters/shared/sql/sqlite-connection';
import { sqliteDialect } from '../../adapters/shared/sql/sqlite-dialect';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { fileConnector } from '../../adapters/storage/sqlite/file-connector';
import { initialSchema } from '../../adapters/shared/sql/migrations/0001-initial';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { addMarket, NOW } from '../../testing/storage-conformance/samples';
import { useTemporaryFile } from './temporary-file';

const UNAVAILABLE = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });

const disk = useTemporaryFile();
const { opened, raw, closeLater } = disk;

function impatient(): Storage {
  return sqlStorage(
    fileConnector(sqliteConnector(), disk.file, { busyTimeoutMs: 1 }),
    sqlRepositories(sqliteDialect),
  );
}

const MIGRATIONS = [
  '0001-initial',
  '0003-payments',
  '0004-withdrawals',
  '0005-deposit-answers',
  '0006-event-batches',
  '0009-last-facts',
  '0010-payment-decisions',
  '0011-key-windows',
  '0012-open-withdrawals',
  '0013-house-risks',
  '0014-resolutions',
  '0015-webhooks',
  '0016-consumers',
  '0017-operator-log',
  '0018-market-terms',
  '0019-deposits-by-wallet',
  '0021-creator-fees',
  '0022-operator-log-filters',
];

describe('opening', () => {
  it('makes the folder of the file', async () => {
    const file = join(disk.folder, 'deep', 'deeper', 'markets.db');
    await opened(sqliteStorage({ file }));
    expect((await stat(file)).isFile()).toBe(true);
  });

  it('makes a file that its owner alone may read, and what SQLite puts beside it, under any umask', async () => {
    const before = process.umask(0);
    try {
      const storage = await opened();
      await storage.transaction((transaction) => transaction.settings.putIfAbsent('a', 'b'));
      const modes = await Promise.all(
        ['', '-wal', '-shm'].map(async (end) =>
          ((await stat(`${disk.file}${end}`)).mode & 0o777).toString(8),
        ),
      );
      expect(modes).toEqual(['600', '600', '600']);
    } finally {
      process.umask(before);
    }
  });

  it('leaves the mode of a file that was there already to its owner', async () => {
    await writeFile(disk.file, '', { mode: 0o640 });
    await chmod(disk.file, 0o640);
    await opened();
    expect((await stat(disk.file)).mode & 0o777).toBe(0o640);
  });

  it('migrates a fresh file once, however many open it at the same time', async () => {
    const storages = await Promise.all(Array.from({ length: 4 }, () => opened()));
    await Promise.all(storages.map((storage) => storage.ping()));
    const rows = await (await raw()).all('SELECT name FROM schema_migrations');
    expect(rows).toEqual(MIGRATIONS.map((name) => ({ name })));
  });

  it('finds what an earlier process has stored', async () => {
    const first = await opened();
    const { id } = await addMarket(first);
    await first.close();
    const second = await opened();
    expect(await second.read((r) => r.markets.findByIds([id]))).toHaveLength(1);
  });

  it('logs each migration that it runs', async () => {
    const info = jest.fn<(fields: object, message: string) => void>();
    const storage = sqliteStorage({ file: disk.file });
    closeLater(storage);
    await storage.open({ logger: { ...silentLogger, info } });
    expect(info.mock.calls).toEqual(MIGRATIONS.map((migration) => [{ migration }, 'storage: migrated']));
  });

  it('goes on from the first released schema, and keeps what it holds', async () => {
    const first = await raw();
    for (const statement of initialSchema(sqliteDialect)) await first.all(statement);
    await first.all('CREATE TABLE schema_migrations (name TEXT NOT NULL PRIMARY KEY)');
    await first.all(`INSERT INTO schema_migrations (name) VALUES ('0001-initial')`);
    await first.all(`INSERT INTO settings (name, value) VALUES ('kept', 'yes')`);
    await first.all(`INSERT INTO events (seq, market_id, market_seq, kind, created_at, data)
      VALUES (7, 3, 1, 'trade', 5, '{"text":"a„b"}'), (8, NULL, NULL, 'creator', 6, '{}')`);
    const migrated = await opened();
    expect(await migrated.read((r) => r.settings.get('kept'))).toBe('yes');
    expect(await migrated.read((r) => r.payments.list({ limit: 1, offset: 0 }))).toEqual([]);
    expect(await migrated.read((r) => r.events.after(0, 10))).toEqual([
      { seq: 7, marketId: 3, marketSeq: 1, kind: 'trade', createdAt: 5, data: { text: 'a„b' } },
      { seq: 8, marketId: null, marketSeq: null, kind: 'creator', createdAt: 6, data: {} },
    ]);
  });

  it('refuses a database that a newer version has migrated', async () => {
    await (await opened()).close();
    await (await raw()).all(`INSERT INTO schema_migrations (name) VALUES ('9999-later')`);
    await expect(sqliteStorage({ file: disk.file }).open({ logger: silentLogger })).rejects.toThrow(
      /9999-later/,
    );
  });

  it('says SERVICE_UNAVAILABLE of a file that is no database', async () => {
    await writeFile(disk.file, 'not a database, and longer than its header would be: '.repeat(100));
    await expect(sqliteStorage({ file: disk.file }).open({ logger: silentLogger })).rejects.toEqual(
      UNAVAILABLE,
    );
  });

  it('happens once', async () => {
    const storage = await opened();
    await expect(storage.open({ logger: silentLogger })).rejects.toThrow(/twice/);
  });

  it('comes before everything else', async () => {
    const storage = sqliteStorage({ file: disk.file });
    await expect(storage.ping()).rejects.toEqual(UNAVAILABLE);
    await expect(storage.read((r) => r.events.head())).rejects.toEqual(UNAVAILABLE);
    await expect(storage.transaction(() => Promise.resolve(1))).rejects.toEqual(UNAVAILABLE);
  });

  it('asks for a file', () => {
    expect(() => sqliteStorage({ file: '' })).toThrow('sqliteStorage: file must be the path');
  });
});

describe('durability', () => {
  it('writes ahead, synchronises every commit and enforces references', async () => {
    const connection = sqliteConnector()({ file: disk.file, access: 'write' });
    const connector = fileConnector(() => connection, disk.file);
    await connector.open(silentLogger);
    closeLater(connection);
    expect(await connection.query('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    // 2 is FULL: the log is flushed to the disk before a commit is acknowledged.
    expect(await connection.query('PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
    expect(await connection.query('PRAGMA foreign_keys')).toEqual([{ foreign_keys: 1 }]);
  });

  it('guards wallets in the database itself', async () => {
    await opened();
    const database = await raw();
    const insert = `INSERT INTO accounts (id, balance, reserved, activity_count, open_positions, total_positions, updated_at)`;
    await expect(database.all(`${insert} VALUES ('wallet:0x1', -1, 0, 0, 0, 0, 0)`)).rejects.toThrow(/CHECK/);
    await expect(database.all(`${insert} VALUES ('wallet:0x1', 1, 2, 0, 0, 0, 0)`)).rejects.toThrow(/CHECK/);
    await expect(database.all(`${insert} VALUES ('treasury', -1, 0, 0, 0, 0, 0)`)).resolves.toEqual([]);
  });

  it('refuses a sum beyond 64 bits, and does not round it', async () => {
    const storage = await opened();
    const add = (balance: bigint): Promise<void> =>
      storage.transaction((transaction) => transaction.accounts.apply([{ id: 'treasury', balance }], NOW));
    await add(2n ** 63n - 1n);
    await expect(add(1n)).rejects.toBeDefined();
    const account = await storage.read((r) => r.accounts.find('treasury'));
    expect(account?.balance === 2n ** 63n - 1n).toBe(true);
  });
});

describe('a lock that another process holds', () => {
  it('is SERVICE_UNAVAILABLE for writers and those who wait behind them, and does not matter to readers', async () => {
    const storage = await opened(impatient());
    const { id } = await addMarket(storage);
    const other = await raw();
    await other.all('BEGIN IMMEDIATE');
    const write = (): Promise<unknown> => addMarket(storage, { slug: 'another' });
    const outcomes = await Promise.allSettled([write(), write(), write()]);
    expect(outcomes).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason: UNAVAILABLE })));
    expect(await storage.read((r) => r.markets.findByIds([id]))).toHaveLength(1);
    await other.all('ROLLBACK');
    await expect(write()).resolves.toBeDefined();
  });
});

describe('a transaction', () => {
  it.each(['a file', ':memory:'])('that ends takes its forgotten statements with it (%s)', async (where) => {
    const storage = await opened(sqliteStorage({ file: where === ':memory:' ? where : disk.file }));
    let late: Promise<unknown> = Promise.resolve();
    const failing = storage.transaction(async (transaction) => {
      late = transaction.accounts
        .apply([{ id: 'treasury', balance: 1n }], NOW)
        .catch((error: unknown) => error);
      throw new Error('before the statement was awaited');
    });
    await expect(failing).rejects.toThrow('before the statement was awaited');
    await late;
    expect(await storage.read((r) => r.accounts.find('treasury'))).toBeNull();
  });

  it('refuses statements after its end', async () => {
    const storage = await opened();
    const leaked = await storage.transaction((transaction) => Promise.resolve(transaction));
    await expect(leaked.settings.putIfAbsent('a', 'b')).rejects.toThrow('This transaction has ended');
  });

  it('does not let readers write', async () => {
    const storage = await opened();
    const leaked = await storage.read((r) => Promise.resolve(r));
    expect(await leaked.settings.get('a')).toBeNull();
    const connection = sqliteConnector()({ file: disk.file, access: 'read' });
    closeLater(connection);
    await connection.query('PRAGMA query_only = ON');
    await expect(connection.query(`DELETE FROM markets`)).rejects.toBeDefined();
  });
});

describe('a driver', () => {
  const missing = (name: string): never => {
    throw Object.assign(new Error(`Cannot find module '${name}'\nRequire stack:\n- here`), {
      code: 'MODULE_NOT_FOUND',
    });
  };

  it('that is not installed is named in one line, with what to do', () => {
    expect(() => loadDriver('sqlite3', 'sqliteStorage', missing)).toThrow(
      /^sqliteStorage needs the package "sqlite3", which is not installed: run npm install sqlite3$/,
    );
    expect(() => sqliteConnector(missing)).toThrow(
      /^sqliteStorage needs the packages "sequelize" and "sqlite3", which are not installed: run npm install sequelize sqlite3$/,
    );
    const withSequelize = (name: string): unknown => (name === 'sequelize' ? {} : missing(name));
    expect(() => sqliteConnector(withSequelize)).toThrow(/^sqliteStorage needs the package "sqlite3", .*$/);
  });

  it('that is installed but does not load is named too', () => {
    const broken = (): never => {
      throw new Error('Could not locate the bindings file. Tried:\n → here\n → there');
    };
    expect(() => loadDriver('sqlite3', 'sqliteStorage', broken)).toThrow(
      /^sqliteStorage cannot load the package "sqlite3" \(Could not locate the bindings file\): run npm rebuild sqlite3$/,
    );
  });
});
