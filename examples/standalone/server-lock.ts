/** Holds the lock of the SQLite file while the server runs, so that a second server and commands notice the server. */
import type { SqliteServerLock } from 'express-prediction-market/storage/sqlite';
import type { StorageChoice } from './settings';
import { lockStorage } from './storage';

/** The pause before a server asks again for a lock that another server holds. */
const PAUSE_MS = 5_000;

export interface ServerLock {
  /**
   * Resolves with `true` if another server holds the lock. This server then asks again after each pause, until it
   * has the lock or `stopAsking` is called.
   */
  take(): Promise<boolean>;
  /** Begins no further attempt. Resolves when the attempt under way has ended. Never rejects. */
  stopAsking(): Promise<void>;
  /** Stops asking, and gives the lock back. */
  release(): Promise<void>;
}

export interface ServerLockOptions {
  ask?: (storage: StorageChoice) => Promise<SqliteServerLock | null>;
  /** Calls back once after the pause. Returns a function that cancels the call. */
  after?: (milliseconds: number, callback: () => void) => () => void;
}

export function createServerLock(
  storage: StorageChoice,
  { ask = lockStorage, after = afterPause }: ServerLockOptions = {},
): ServerLock {
  let lock: SqliteServerLock | null = null;
  let isStopped = false;
  let cancel = (): void => undefined;
  let underWay: Promise<unknown> = Promise.resolve();

  async function attempt(): Promise<boolean> {
    const asked = await ask(storage);
    const isTaken = asked?.state === 'taken';
    if (!isTaken) lock = asked;
    else if (!isStopped) cancel = after(PAUSE_MS, again);
    return isTaken;
  }

  function take(): Promise<boolean> {
    if (isStopped) return Promise.resolve(false);
    const attempted = attempt();
    underWay = attempted.catch(() => undefined);
    return attempted;
  }

  /** Asks again. If the attempt fails, no further attempt follows, because the server works without the lock. */
  function again(): void {
    take().catch(() => undefined);
  }

  async function stopAsking(): Promise<void> {
    isStopped = true;
    cancel();
    await underWay;
  }

  return {
    take,
    stopAsking,
    async release() {
      await stopAsking();
      await lock?.release();
      lock = null;
    },
  };
}

/** The timer does not keep the process from ending. */
function afterPause(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds).unref();
  return () => clearTimeout(timer);
}
