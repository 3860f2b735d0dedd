import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { openRaw, type RawDatabase } from '../support/sqlite-raw';

export interface TemporaryFile {
  readonly folder: string;
  readonly file: string;
  opened(storage?: Storage): Promise<Storage>;
  raw(): Promise<RawDatabase>;
  closeLater(opened: { close(): Promise<void> }): void;
}

/** Registers hooks of Jest, so call this function once in a test file. */
export function useTemporaryFile(): TemporaryFile {
  let folder = '';
  const toClose: { close(): Promise<void> }[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sqlite-storage-'));
  });
  afterEach(async () => {
    for (const opened of toClose.splice(0)) await opened.close();
    await rm(folder, { recursive: true, force: true });
  });
  const fileOf = (): string => join(folder, 'markets.db');
  return {
    get folder() {
      return folder;
    },
    get file() {
      return fileOf();
    },
    async opened(storage = sqliteStorage({ file: fileOf() })) {
      await storage.open({ logger: silentLogger });
      toClose.push(storage);
      return storage;
    },
    async raw() {
      const database = await openRaw(fileOf());
      toClose.push(database);
      return database;
    },
    closeLater: (opened) => void toClose.push(opened),
  };
}
