/**
 * The link to Redis is open while Redis answers. The first command that fails or takes too long closes it, and all tasks under
 * way give up at once. A probe in the background opens it again, so no request waits for a Redis that is away.
 */
import { silentLogger, type Logger } from '../../../src/ports/logger';
import { withinTime } from '../../../src/ports/time-limit';
import type { Timers } from '../../../src/ports/timers';
import type { Connect, Connection, Send } from './connection';

export interface LinkTimings {
  /** How long a request waits for Redis at most. */
  commandTimeoutMs: number;
  /** How long a probe waits for a connection at most. */
  connectTimeoutMs: number;
  /** From the end of a probe to the next. */
  probeIntervalMs: number;
}

export interface LinkDependencies {
  connect: Connect;
  /** Rejects when the connected server cannot run the commands that this adapter sends. */
  verify(send: Send): Promise<unknown>;
  timers: Timers;
  timings: LinkTimings;
}

export interface Link {
  /** Tries to connect once, then goes on in the background. Never rejects. */
  start(logger: Logger): Promise<void>;
  /** Closes for good. Leaves no open socket and no timer. */
  close(): Promise<void>;
  /** Runs a task on Redis. Fulfils with `null` while Redis is away, and when the task fails or takes too long. Never rejects. */
  ask<T>(task: (send: Send) => Promise<T>): Promise<T | null>;
}

interface Open {
  connection: Connection;
  /** Give up the tasks under way. */
  abandon: Set<() => void>;
}

/** A link that stays open this long is stable. Each shorter one doubles the wait before the next probe. */
const SOUND_AFTER_MS = 10_000;
/** The longest such wait: Redis is found again soon, and the log stays short. */
const LONGEST_WAIT_MS = 5_000;

export function createLink({ connect, verify, timers, timings }: LinkDependencies): Link {
  const { commandTimeoutMs, connectTimeoutMs, probeIntervalMs } = timings;
  let open: Open | null = null;
  let candidate: Connection | null = null;
  let attempt: Promise<void> = Promise.resolve();
  let logger = silentLogger;
  let isStarted = false;
  let isClosed = false;
  let isFirstAttempt = true;
  let wait = probeIntervalMs;
  let callOffTimer = (): void => undefined;

  async function tryOnce(): Promise<void> {
    const connection = connect((reason) => trip(connection, reason));
    candidate = connection;
    try {
      await withinTime(timers, connectTimeoutMs, connection.ready);
      await withinTime(timers, commandTimeoutMs, verify(connection.send));
      if (isClosed) throw new Error('closed meanwhile');
      opened(connection);
    } catch (error) {
      connection.close();
      if (!isClosed) stillAway(error);
    } finally {
      candidate = null;
      isFirstAttempt = false;
    }
  }

  function opened(connection: Connection): void {
    open = { connection, abandon: new Set() };
    callOffTimer = timers.after(SOUND_AFTER_MS, () => (wait = probeIntervalMs));
    logger.info({}, 'Redis answers: rate limits are shared');
  }

  function stillAway(error: unknown): void {
    if (isFirstAttempt) warn(error);
    probeLater(probeIntervalMs);
  }

  function trip(connection: Connection, reason: unknown): void {
    if (open?.connection !== connection) return;
    const { abandon } = open;
    open = null;
    connection.close();
    callOffTimer();
    for (const giveUp of abandon) giveUp();
    warn(reason);
    probeLater(wait);
    wait = Math.max(probeIntervalMs, Math.min(wait * 2, LONGEST_WAIT_MS));
  }

  function warn(reason: unknown): void {
    const text = reason instanceof Error ? reason.message : String(reason);
    logger.warn({ reason: text }, 'Redis does not answer: rate limits are counted by each instance');
  }

  function probeLater(milliseconds: number): void {
    callOffTimer = timers.after(milliseconds, () => {
      attempt = tryOnce();
    });
  }

  function run<T>(used: Open, task: (send: Send) => Promise<T>): Promise<T | null> {
    return new Promise((resolve) => {
      const giveUp = (): void => resolve(null);
      used.abandon.add(giveUp);
      void withinTime(timers, commandTimeoutMs, task(used.connection.send)).then(
        (value) => {
          used.abandon.delete(giveUp);
          resolve(value);
        },
        (error: unknown) => {
          resolve(null);
          trip(used.connection, error);
        },
      );
    });
  }

  return {
    async start(given) {
      if (isStarted || isClosed) return;
      isStarted = true;
      logger = given;
      attempt = tryOnce();
      await attempt;
    },
    async close() {
      isClosed = true;
      callOffTimer();
      const current = open;
      open = null;
      for (const giveUp of current?.abandon ?? []) giveUp();
      current?.connection.close();
      candidate?.close();
      await attempt;
    },
    ask: (task) => (open === null ? Promise.resolve(null) : run(open, task)),
  };
}
