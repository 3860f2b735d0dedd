/** Holds the lock of the SQLite file while the server runs, so that a second server and commands notice the server. */
import type { SqliteServerLock } from 'express-prediction-market/storage/sqlite';
import type { StorageChoice } from './settings';
import { lockStorage } from './storage';

const AGAIN_MS = 5_000;

export interface ServerLock {
  /** Resolves with whether another server has the lock. Then this server takes the lock as soon as it is free. */
  take(): Promise<boolean>;
  release(): Promise<void>;
}

export function createServerLock(storage: StorageChoice): ServerLock {
  let lock: SqliteServerLock | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isReleased = false;

  async function take(): Promise<boolean> {
    const asked = await lockStorage(storage);
    if (asked === null) return false;
    if (isReleased) await asked.release();
    else if (asked.state !== 'taken') lock = asked;
    // `unref`: the timer does not keep the process from ending.
    else timer = setTimeout(() => void take(), AGAIN_MS).unref();
    return asked.state === 'taken';
  }

  return {
    take,
    async release() {
      isReleased = true;
      clearTimeout(timer);
      await lock?.release();
    },
  };
}
