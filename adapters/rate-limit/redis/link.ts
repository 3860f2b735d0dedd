/**
 * The link to Redis is open while Redis answers. The first command that fails or takes too long closes the
 * link, and all tasks under way give up at once. While the link is closed, no request waits for Redis. A probe
 * in the background opens the link again.
 */
import { silentLogger, type Logger } from '../../../src/ports/logger';
import { withinTime } from '../../../src/ports/time-limit';
import type { Timers } from '../../../src/ports/timers';
import type { Connect, RedisConnection, Send } from './connection';

export interface LinkTimings {
  /** The longest time of one task. */
  commandTimeoutMs: number;
  /** The longest time that a probe waits for a connection. */
  connectTimeoutMs: number;
  /** The pause from the end of a probe to the next probe. */
  probeIntervalMs: number;
}

export interface LinkDependencies {
  connect: Connect;
  /** Rejects when the connected server cannot run the commands that this adapter sends. */
  verify(send: Send): Promise<unknown>;
  timers: Timers;
  timings: LinkTimings;
}

export interface RedisFigures {
  /** Whether Redis answers. At `false` this instance counts by itself. */
  reachable: boolean;
  /** How often this instance has lost Redis or could not reach it, since the start of the process. */
  errors: number;
}

export interface RedisLink {
  /**
   * Resolves after the first attempt to connect, even if that attempt fails. After a failure, further
   * attempts follow in the background. Never rejects.
   */
  start(logger: Logger): Promise<void>;
  /** Closes the link, which cannot be opened again. No open socket and no timer is left. */
  close(): Promise<void>;
  /**
   * Runs a task on Redis. Resolves with `null` while the link is closed, and when the task fails or takes too
   * long. Never rejects.
   */
  ask<T>(task: (send: Send) => Promise<T>): Promise<T | null>;
  /** Whether the link is open, and how often it was lost or a probe has failed. */
  figures(): RedisFigures;
}

/** A link that stays open this long is stable. Each shorter link doubles the wait before the next probe. */
const STABLE_AFTER_MS = 10_000;
/** The longest wait before a probe, unless `probeIntervalMs` is longer. */
const LONGEST_WAIT_MS = 5_000;

export function createLink(dependencies: LinkDependencies): RedisLink {
  const { timers, timings } = dependencies;
  const pauses = createPauses(timings.probeIntervalMs);
  const prober = createProber(dependencies, { found, lost, failed: () => void (errors += 1) });
  let open: Tasks | null = null;
  let logger = silentLogger;
  let errors = 0;
  let cancelReset = (): void => undefined;

  function found(connection: RedisConnection): void {
    open = createTasks(connection, dependencies, (reason) => lost(connection, reason));
    cancelReset = timers.after(STABLE_AFTER_MS, () => pauses.reset());
    logger.info({}, 'Redis answers: rate limits are shared');
  }

  function lost(connection: RedisConnection, reason: unknown): void {
    if (open?.connection !== connection) return;
    errors += 1;
    closeOpen();
    warnOf(reason, logger);
    prober.probeAfter(pauses.next());
  }

  function closeOpen(): void {
    const tasks = open;
    open = null;
    tasks?.end();
    cancelReset();
  }

  return {
    start: (given) => {
      if (!prober.isIdle()) return Promise.resolve();
      logger = given;
      return prober.probeNow((error) => warnOf(error, logger));
    },
    async close() {
      const stopped = prober.stop();
      closeOpen();
      await stopped;
    },
    figures: () => ({ reachable: open !== null, errors }),
    ask: (task) => (open === null ? Promise.resolve(null) : open.run(task)),
  };
}

interface Prober {
  /** `true` until the first probe begins or `stop` is called. */
  isIdle(): boolean;
  /** Runs the first probe. If it finds no Redis, `failed` is called with the cause. */
  probeNow(failed: (error: unknown) => void): Promise<void>;
  probeAfter(milliseconds: number): void;
  /** Closes the connection that a probe is trying, and waits for the end of the probe. */
  stop(): Promise<void>;
}

/** Tries to connect until Redis answers. A probe that fails plans the next probe. */
function createProber(
  dependencies: LinkDependencies,
  link: {
    found(connection: RedisConnection): void;
    lost(connection: RedisConnection, reason: unknown): void;
    failed(): void;
  },
): Prober {
  const { connect, timers, timings } = dependencies;
  let candidate: RedisConnection | null = null;
  let attempt: Promise<void> | null = null;
  let isStopped = false;
  let cancelProbe = (): void => undefined;

  async function probe(failed: (error: unknown) => void): Promise<void> {
    const connection = connect((reason) => link.lost(connection, reason));
    candidate = connection;
    try {
      await untilVerified(connection, dependencies);
      if (isStopped) throw new Error('closed meanwhile');
      link.found(connection);
    } catch (error) {
      connection.close();
      if (isStopped) return;
      link.failed();
      failed(error);
      probeAfter(timings.probeIntervalMs);
    } finally {
      candidate = null;
    }
  }

  function probeAfter(milliseconds: number): void {
    cancelProbe = timers.after(milliseconds, () => {
      attempt = probe(() => undefined);
    });
  }

  return {
    isIdle: () => attempt === null && !isStopped,
    probeNow: (failed) => (attempt = probe(failed)),
    probeAfter,
    async stop() {
      isStopped = true;
      cancelProbe();
      candidate?.close();
      await attempt;
    },
  };
}

async function untilVerified(
  { ready, send }: RedisConnection,
  { verify, timers, timings }: LinkDependencies,
): Promise<void> {
  await withinTime(timers, timings.connectTimeoutMs, ready);
  await withinTime(timers, timings.commandTimeoutMs, verify(send));
}

function warnOf(reason: unknown, logger: Logger): void {
  const text = reason instanceof Error ? reason.message : String(reason);
  logger.warn({ reason: text }, 'Redis does not answer: rate limits are counted by each instance');
}

interface Tasks {
  readonly connection: RedisConnection;
  run<T>(task: (send: Send) => Promise<T>): Promise<T | null>;
  /** Closes the connection. All tasks on it give up. */
  end(): void;
}

function createTasks(
  connection: RedisConnection,
  { timers, timings }: LinkDependencies,
  failed: (reason: unknown) => void,
): Tasks {
  const underWay = new Set<() => void>();
  return {
    connection,
    run: (task) =>
      new Promise((resolve) => {
        const giveUp = (): void => resolve(null);
        underWay.add(giveUp);
        void withinTime(timers, timings.commandTimeoutMs, task(connection.send)).then(
          (value) => {
            underWay.delete(giveUp);
            resolve(value);
          },
          (error: unknown) => {
            resolve(null);
            failed(error);
          },
        );
      }),
    end() {
      connection.close();
      for (const giveUp of underWay) giveUp();
    },
  };
}

/** The pauses between the loss of a link and the first probe after it. */
function createPauses(shortest: number): { next(): number; reset(): void } {
  let pause = shortest;
  return {
    next() {
      const taken = pause;
      pause = Math.max(shortest, Math.min(pause * 2, LONGEST_WAIT_MS));
      return taken;
    },
    reset: () => void (pause = shortest),
  };
}
