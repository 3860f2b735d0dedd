import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sqlRepositories } from '../../adapters/shared/sql/repositories';
import { sqlStorage, type Connector } from '../../adapters/shared/sql/sql-storage';
import { sqliteConnector } from '../../adapters/shared/sql/sqlite-connection';
import { sqliteDialect } from '../../adapters/shared/sql/sqlite-dialect';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { makeFolderOf, openingError } from '../../adapters/storage/sqlite/folder';
import { fileConnector } from '../../adapters/storage/sqlite/file-connector';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { NOW } from '../../testing/storage-conformance/samples';
import { manualTimers, type ManualTimers } from '../jobs/manual-timers';
import { openRaw } from '../support/sqlite-raw';
import { useTemporaryFile } from './temporary-file';
import { createGate } from '../support/gate';

const UNAVAILABLE = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });

const disk = useTemporaryFile();
const { opened, raw, closeLater } = disk;

describe('opening that has failed', () => {
  it('lets go of the file, and may be tried again', async () => {
    await (await opened()).close();
    const other = await openRaw(disk.file);
    await other.all(`INSERT INTO schema_migrations (name) VALUES ('9999-later')`);
    await other.close();
    const storage = sqliteStorage({ file: disk.file });
    await expect(storage.open({ logger: silentLogger })).rejects.toThrow(/9999-later/);
    expect(await readdir(disk.folder)).toEqual(['markets.db']);
    await (await raw()).all(`DELETE FROM schema_migrations WHERE name = '9999-later'`);
    await opened(storage);
    await storage.ping();
  });
});

describe('the database of another program', () => {
  it.each([
    ['has tables only', ['users', 'orders', 'posts', 'tags'], 'orders, posts, tags, …'],
    ['has a schema_migrations of its own', ['schema_migrations', 'users'], 'schema_migrations, users'],
    ['has a schema_migrations like ours', ['schema_migrations (name TEXT)'], 'schema_migrations'],
  ])('that %s is refused, and stays as it is', async (_name, tables, named) => {
    const other = await raw();
    for (const table of tables)
      await other.all(
        `CREATE TABLE ${table.includes('(') ? table : `${table} (version TEXT, rank INTEGER)`}`,
      );
    await expect(sqliteStorage({ file: disk.file }).open({ logger: silentLogger })).rejects.toThrow(
      `sqliteStorage: ${disk.file} is the database of another program, with the tables ${named}. Name a file for this package alone`,
    );
    const found = await other.all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    expect(found).toEqual([...tables].sort().map((table) => ({ name: table.split(' ')[0] })));
    expect(await other.all('PRAGMA journal_mode')).toEqual([{ journal_mode: 'delete' }]);
  });
});

it('a new file that litestream has prepared is opened', async () => {
  const prepared = await raw();
  await prepared.all('CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)');
  await (await opened()).ping();
});

describe('closing', () => {
  it('while it is in use ends what runs, refuses what comes, and lets go of the file', async () => {
    const storage = await opened();
    const write = (): Promise<void> =>
      storage.transaction((transaction) =>
        transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW),
      );
    const load = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? write() : storage.snapshot((r) => r.audit.run()),
    );
    const closing = storage.close();
    await expect(write()).rejects.toEqual(UNAVAILABLE);
    const outcomes = await Promise.allSettled(load);
    await closing;
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
    // The last connection to the file deletes the write-ahead log and its index when the connection closes.
    expect(await readdir(disk.folder)).toEqual(['markets.db']);
    const [row] = await (await raw()).all('SELECT balance FROM accounts');
    expect(row).toEqual({ balance: 20 });
  });
});

describe('an audit', () => {
  const AUDIT = { purpose: 'audit' } as const;
  const ENDLESS =
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS count FROM n';

  it('that is slow lets all other work go on, and the next audit is refused when it does not get its turn', async () => {
    const connector = fileConnector(sqliteConnector(), disk.file, { auditPatienceMs: 30 });
    const storage = await opened(sqlStorage(connector, sqlRepositories(sqliteDialect)));
    const { opened: ended, open: end } = createGate();
    const slow = storage.snapshot(async (r) => {
      await r.settings.get('a');
      await ended;
      return r.audit.run();
    }, AUDIT);
    const others = Array.from({ length: 3 }, () => storage.snapshot((r) => r.audit.run(), AUDIT));
    const served = Array.from({ length: 6 }, () => storage.snapshot((r) => r.settings.get('a')));
    await storage.transaction((transaction) =>
      transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW),
    );
    expect(await Promise.all(served)).toEqual(served.map(() => null));
    await storage.ping();
    expect(await Promise.allSettled(others)).toEqual(
      others.map(() => ({ status: 'rejected', reason: UNAVAILABLE })),
    );
    end();
    expect((await slow).differences).toEqual([]);
    await storage.snapshot((r) => r.audit.run(), AUDIT);
  });

  async function limited(): Promise<{ connector: Connector; timers: ManualTimers }> {
    const timers = manualTimers();
    const connector = fileConnector(sqliteConnector(), disk.file, { timers });
    await connector.open(silentLogger);
    closeLater(connector);
    return { connector, timers };
  }

  async function nextIsServed(connector: Connector): Promise<void> {
    const [row] = await connector.snapshot((session) => session.query('SELECT 1 AS one'), AUDIT);
    expect(row).toEqual({ one: 1 });
  }

  it('is ended within its statement when its time is over, and the next one is served', async () => {
    const { connector, timers } = await limited();
    const { opened: sent, open: send } = createGate();
    let ended = false;
    const endless = connector
      .snapshot((session) => {
        const answer = session.query(ENDLESS);
        send();
        return answer;
      }, AUDIT)
      .finally(() => (ended = true));
    const outcome = expect(endless).rejects.toMatchObject({ code: 'SQLITE_INTERRUPT' });
    await sent;
    // SQLite ignores the first interrupt, which comes before the statement has begun.
    while (!ended) await timers.fire();
    await outcome;
    await nextIsServed(connector);
  });

  it('is ended between two statements when its time is over, and the next one is served', async () => {
    const { connector, timers } = await limited();
    const audit = connector.snapshot(async (session) => {
      await session.query('SELECT 1');
      await timers.fire();
      return session.query(ENDLESS);
    }, AUDIT);
    await expect(audit).rejects.toEqual(UNAVAILABLE);
    await nextIsServed(connector);
  });
});

describe('a disk that is full', () => {
  const append = (storage: Storage, length: number): Promise<void> =>
    storage.transaction(async (transaction) => {
      const data = { text: 'x'.repeat(length) };
      await Promise.all([
        transaction.events.append([{ marketId: null, marketSeq: null, kind: 'a', createdAt: 5, data }]),
        transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW),
      ]);
    });

  it('leaves nothing of a transaction, nor of what was sent behind the failed statement, and is SERVICE_UNAVAILABLE', async () => {
    const connect = sqliteConnector();
    const writer = connect({ file: disk.file, access: 'write' });
    const connector = fileConnector(
      (options) => (options.access === 'write' ? writer : connect(options)),
      disk.file,
    );
    const storage = await opened(sqlStorage(connector, sqlRepositories(sqliteDialect)));
    await append(storage, 1);
    const [pages] = await writer.query('PRAGMA page_count');
    await writer.query(`PRAGMA max_page_count = ${Number(pages?.['page_count']) + 4}`);
    await expect(append(storage, 100_000)).rejects.toEqual(UNAVAILABLE);
    const treasury = async (): Promise<string> =>
      String((await storage.read((r) => r.accounts.find('treasury')))?.balance);
    expect([await treasury(), await storage.read((r) => r.events.head())]).toEqual(['1', 1]);
    await append(storage, 1);
    expect([await treasury(), await storage.read((r) => r.events.head())]).toEqual(['2', 2]);
  });

  it('is reported by a transaction whose work hid it', async () => {
    const storage = await opened();
    const hiding = storage.transaction(async (transaction) => {
      await transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW);
      await transaction.accounts.apply([{ id: 'wallet:0xa', balance: -1n }], NOW).catch(() => undefined);
    });
    await expect(hiding).rejects.toBeDefined();
    expect(await storage.read((r) => r.accounts.find('treasury'))).toBeNull();
  });
});

describe('a file that a newer version has migrated while this one runs on', () => {
  it('is not ready, and SERVICE_UNAVAILABLE to what needs a table that is gone', async () => {
    const storage = await opened();
    const write = (): Promise<void> =>
      storage.transaction(async (transaction) => {
        await transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW);
        await transaction.events.append([
          { marketId: null, marketSeq: null, kind: 'a', createdAt: 5, data: {} },
        ]);
      });
    await write();
    const other = await raw();
    await other.all('ALTER TABLE event_batches RENAME TO outbox');
    await other.all(`INSERT INTO schema_migrations (name) VALUES ('9999-later')`);
    await expect(storage.ping()).rejects.toEqual(UNAVAILABLE);
    await expect(write()).rejects.toEqual(UNAVAILABLE);
    await other.all('CREATE VIEW event_batches AS SELECT * FROM outbox');
    await expect(write()).rejects.toEqual(UNAVAILABLE);
    expect((await storage.read((r) => r.accounts.find('treasury')))?.balance === 1n).toBe(true);
  });
});

describe('a file that cannot be opened', () => {
  const failure = (path: string): Promise<Error> =>
    sqliteStorage({ file: path })
      .open({ logger: silentLogger })
      .then(
        () => Promise.reject(new Error('it was opened')),
        (error: Error) => error,
      );

  it('is named with its path and the cure', async () => {
    await writeFile(disk.file, 'this is a text, and no database of SQLite. '.repeat(100));
    const notDatabase = await failure(disk.file);
    expect(notDatabase).toEqual(UNAVAILABLE);
    expect((notDatabase.cause as Error).message).toContain(`${disk.file}; the file is no SQLite database`);
    const isFolder = await failure(disk.folder);
    expect((isFolder.cause as Error).message).toContain(
      `${disk.folder}; the user of this process has to be able to`,
    );
    const readOnly = openingError(
      new Error('SQLITE_READONLY: attempt to write a readonly database'),
      '/a.db',
    );
    const message = expect.stringContaining(
      'copy it, and <file>-wal if there is one, into a folder of yours',
    );
    for (const { cause } of [isFolder, readOnly as Error])
      expect(cause).toMatchObject({ code: 'UNUSABLE_DATABASE', message });
  });

  it.each(['/proc/no-such-folder/deep/markets.db', '/dev/null/markets.db'])(
    'because its folder cannot be made says so: %s',
    async (path) => {
      expect((await failure(path)).message).toMatch(
        /^sqliteStorage: cannot make the folder \/\S+ of the database file: /,
      );
    },
  );

  it('is waited for ten seconds while its folder does not answer', async () => {
    const timers = manualTimers();
    const made = makeFolderOf(
      join(disk.folder, 'never', 'markets.db'),
      timers,
      () => new Promise(() => undefined),
    );
    const refused = expect(made).rejects.toThrow(/never of the database file: no answer within 10000 ms/);
    await timers.fire(10_000);
    await refused;
  });
});
