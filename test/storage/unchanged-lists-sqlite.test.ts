import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import fc from 'fast-check';
import sqlite3 from 'sqlite3';
import { backUpSqlite, sqliteStorage } from '../../adapters/storage/sqlite';
import type { Market } from '../../src/domain/types';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { addMarket, NOW, recordOf, sampleMarket } from '../../testing/storage-conformance/samples';
import { migratedSqliteFile, type SqliteFile } from '../support/sqlite-files';
import { openRaw, type RawDatabase } from '../support/sqlite-raw';

const CHANGE = "UPDATE markets SET question = 'Changed?'";
const TOTALS = [{ status: 'open', category: 'crypto', markets: 1, exposure: 0n }] as const;

let home: SqliteFile;
let raw: RawDatabase;
let storage: Storage;

beforeEach(async () => {
  home = await migratedSqliteFile();
  raw = await openRaw(home.file);
  storage = sqliteStorage({ file: home.file });
  await storage.open({ logger: silentLogger });
});
afterEach(async () => {
  await storage.close();
  await raw.close();
  await home.remove();
});

async function listed(): Promise<Market[]> {
  const query = { sort: 'created_desc', limit: 5, offset: 0, now: NOW } as const;
  return (await storage.read((reader) => reader.markets.list(query))).markets;
}

const question = async (): Promise<string | undefined> => (await listed())[0]?.question;

async function keep(): Promise<void> {
  for (let time = 0; time < 3; time += 1) expect(await question()).toBe(sampleMarket(1).question);
}

function otherProcess(statements: string, end: string): string[] {
  return [
    '-e',
    `const { Database } = require(${JSON.stringify(require.resolve('sqlite3'))});
    const database = new Database(${JSON.stringify(home.file)});
    database.exec(${JSON.stringify(statements)}, (error) => { if (error) throw error; ${end} });`,
  ];
}

const changes: Record<string, () => Promise<unknown>> = {
  'a statement': () => raw.all(CHANGE),
  'a transaction that began long before': async () => {
    await raw.all('BEGIN IMMEDIATE');
    await raw.all(CHANGE);
    await keep();
    await raw.all('COMMIT');
  },
  'a transaction of which a part was undone': async () => {
    for (const one of ['BEGIN', 'SAVEPOINT a', 'DELETE FROM markets', 'ROLLBACK TO a', CHANGE, 'COMMIT'])
      await raw.all(one);
  },
  'a commit whose log was moved into the file at once': async () => {
    await raw.all(CHANGE);
    await raw.all('PRAGMA wal_checkpoint(TRUNCATE)');
    // The next commit writes to the beginning of the emptied log, where the first commit was.
    await raw.all("UPDATE markets SET question = 'Changed?'");
  },
  'a commit and VACUUM': async () => {
    await raw.all(CHANGE);
    await raw.all('VACUUM');
  },
  'a change over another database': async () => {
    const other = await openRaw(':memory:');
    await other.all(`ATTACH '${home.file}' AS attached`);
    await other.all("UPDATE attached.markets SET question = 'Changed?'");
    await other.close();
  },
  'another process has changed the file': async () => {
    await promisify(execFile)(process.execPath, otherProcess(CHANGE, 'database.close()'));
  },
  'another process was killed after its commit': async () => {
    const child = spawn(process.execPath, otherProcess(CHANGE, "process.kill(process.pid, 'SIGKILL')"));
    await once(child, 'exit');
  },
  'another process was killed before its commit, and a change': async () => {
    const statements = "BEGIN IMMEDIATE; UPDATE markets SET question = 'Lost?'";
    const child = spawn(process.execPath, otherProcess(statements, "process.kill(process.pid, 'SIGKILL')"));
    await once(child, 'exit');
    await keep();
    await raw.all(CHANGE);
  },
  'a backup was copied into the file': async () => {
    await raw.all(CHANGE);
    const backup = `${home.file}.backup`;
    await backUpSqlite({ file: home.file, to: backup });
    await raw.all(`UPDATE markets SET question = '${sampleMarket(1).question}'`);
    await keep();
    await copyInto(home.file, backup);
  },
};

/** The driver's types lack `backup`. */
interface Restoring {
  backup(file: string, to: string, from: string, fileIsTarget: boolean): Restore;
}
interface Restore {
  step(pages: number, done: (error: Error | null) => void): void;
  finish(done: () => void): void;
}

/** Overwrites the file with the pages of the backup, as `.restore` of the program sqlite3 does. */
async function copyInto(file: string, backup: string): Promise<void> {
  const database = new sqlite3.Database(file);
  const restore = (database as unknown as Restoring).backup(backup, 'main', 'main', false);
  await promisify(restore.step.bind(restore))(-1);
  await new Promise<void>((resolve) => restore.finish(resolve));
  await promisify(database.close.bind(database))();
}

it.each(Object.keys(changes))('kept lists are read again after %s', async (name) => {
  await addMarket(storage);
  await storage.transaction(({ markets }) => markets.addTotals(TOTALS));
  await keep();
  await changes[name]?.();
  expect(await question()).toBe('Changed?');
});

it('kept lists have the texts and numbers of their markets as they were stored', async () => {
  const any = fc.string({ unit: 'binary', maxLength: 40 });
  const odd = fc.constantFrom(
    '',
    '\0',
    'a\0b',
    '"',
    '\\u0000',
    '{"a":1}',
    '[1]',
    'null',
    '1e21',
    '\u2028',
    '𝒳',
    '\x7f',
  );
  const words = fc.oneof(any, odd);
  const amount = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
  const share = fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 50 })).map(([of, all]) => Math.min(of, all) / all),
    fc.constantFrom(0, 1, 5e-324, 1 - 2 ** -53, 0.1 + 0.2),
  );
  const fields = fc.record({
    question: words,
    description: fc.option(words),
    resolutionCriteria: words,
    volume: amount,
    pool: amount,
    createdAt: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    share,
    note: fc.option(words),
  });
  await storage.transaction(({ markets }) => markets.addTotals(TOTALS));
  await fc.assert(
    fc.asyncProperty(fields, async ({ share: oracleConsensus, note, ...given }) => {
      await raw.all('DELETE FROM markets');
      const resolution = {
        outcome: 'YES',
        resolvedAt: NOW,
        oracleConsensus,
        method: 'oracle',
        note,
      } as const;
      const market = await addMarket(storage, { ...given, resolution });
      for (let time = 0; time < 3; time += 1) expect(await listed()).toEqual([recordOf(market)]);
    }),
    { numRuns: 150 },
  );
});
