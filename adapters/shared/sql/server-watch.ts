/** Logs once when the database server goes away, and once when it is back. */
import { silentLogger, type Logger } from '../../../src/ports/logger';
import { isServerAway } from './driver-errors';

export interface ServerWatch {
  logTo(logger: Logger): void;
  /** Watches the outcome of a call that has just begun. */
  follow<T>(call: Promise<T>): Promise<T>;
}

export function createServerWatch(storage: string): ServerWatch {
  let logger: Logger = silentLogger;
  let isAway = false;
  /** Raised with each change. A call that began before the last change says nothing about the server now. */
  let changes = 0;

  function change(away: boolean): void {
    isAway = away;
    changes += 1;
  }

  return {
    logTo: (given) => void (logger = given),
    follow(call) {
      const begunAt = changes;
      call.then(
        () => {
          if (!isAway || begunAt !== changes) return;
          change(false);
          logger.info({ storage }, 'storage: the database answers again');
        },
        (error: unknown) => {
          if (isAway || begunAt !== changes || !isServerAway(error)) return;
          change(true);
          const reason = reasonOf(error);
          logger.error(
            { storage, reason },
            'storage: the database is away; calls are refused until it answers',
          );
        },
      );
      return call;
    },
  };
}

/** The message of the innermost cause. The outer messages only say that the connection is lost. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
