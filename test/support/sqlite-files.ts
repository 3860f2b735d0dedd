/** A test file migrates one SQLite file and copies the result for each test, because migrating takes much longer. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { silentLogger } from '../../src/ports/logger';

export interface SqliteFile {
  file: string;
  remove(): Promise<void>;
}

let migrated: Promise<Buffer> | null = null;

export async function migratedSqliteFile(): Promise<SqliteFile> {
  const { file, remove } = await emptyFolder();
  migrated ??= migrate();
  await writeFile(file, await migrated, { mode: 0o600 });
  return { file, remove };
}

async function migrate(): Promise<Buffer> {
  const { file, remove } = await emptyFolder();
  const storage = sqliteStorage({ file });
  await storage.open({ logger: silentLogger });
  // Closing moves the write-ahead log into the file.
  await storage.close();
  const content = await readFile(file);
  await remove();
  return content;
}

async function emptyFolder(): Promise<SqliteFile> {
  const folder = await mkdtemp(join(tmpdir(), 'prediction-market-sqlite-'));
  return {
    file: join(folder, 'markets.db'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
