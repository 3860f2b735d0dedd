/**
 * The primary process when the setting `WORKERS` is above 1. It starts the workers, which share one listener,
 * replaces those that end, and adds up their metrics. It serves no request and opens no storage.
 */
import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { unnamedToken } from './admin-token';
import { bannerLines, type FoundBooks } from './banner';
import type { Environment } from './checks';
import { envFileLines } from './env-file';
import { createLogger } from './logger';
import { onLosingNpm } from './npm-parent';
import { createReplacements, REPLACED_PER_MINUTE } from './replacements';
import { readSettings } from './settings';
import { STOP_LIMIT_MS } from './shutdown';
import type { ToPrimary, ToWorker } from './worker-messages';
import { createWorkerMetrics } from './worker-metrics';

/** How much longer than its own limits a worker may take to stop before the primary ends it. */
const STOP_GRACE_MS = 2_000;

export function runWorkers(environment: Environment): void {
  const settings = readSettings(environment);
  const adminToken = unnamedToken(settings);
  // The workers accept connections themselves, so a worker that is killed loses no connection that the primary has
  // already accepted.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // While the storage does not answer, its figures are NaN, which JSON does not have.
  cluster.setupPrimary({ serialization: 'advanced' });
  const workers = superviseWorkers({
    count: settings.workers,
    // Other users of the machine can read the arguments of a process, but not its environment.
    fork: () => cluster.fork({ ...environment, ...(adminToken !== null && { ADMIN_TOKEN: adminToken }) }),
    logger: createLogger(settings.logLevel, { withPid: true }),
    onAllReady: (port, books) => {
      const lines = bannerLines({ ...settings, port }, adminToken, books);
      process.stderr.write(`${[...lines, ...envFileLines(environment)].join('\n')}\n`);
    },
  });
  const stop = (signal: string): void => {
    if (workers.isStopping()) workers.endAtOnce();
    else workers.stop(signal);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  onLosingNpm(() => {
    if (!workers.isStopping()) workers.stop('the end of npm');
  });
}

interface Supervised {
  count: number;
  fork(): Worker;
  logger: Logger;
  /** Called once, when every worker is ready. `books` is what the first worker has found. */
  onAllReady(port: number, books: FoundBooks): void;
}

interface Supervisor {
  stop(reason: string): void;
  endAtOnce(): never;
  isStopping(): boolean;
}

function superviseWorkers({ count, fork, logger, onAllReady }: Supervised): Supervisor {
  const alive = new Set<Worker>();
  const ready = new Set<Worker>();
  const pauseBeforeReplacement = createReplacements(() => performance.now());
  let stage: 'first worker' | 'other workers' | 'serving' = 'first worker';
  let books: FoundBooks | null = null;
  let isStopping = false;
  let exitCode = 0;

  // Sending to a worker that has just ended fails. The handler of its end below does what is needed.
  const tell = (worker: Worker, message: ToWorker): void => void worker.send(message, () => undefined);
  const start = (): void => {
    if (!isStopping) alive.add(fork());
  };
  const metrics = createWorkerMetrics((round) =>
    [...ready].map((worker) => {
      tell(worker, { type: 'collect', round });
      return worker.id;
    }),
  );

  function becameReady(worker: Worker, port: number, found: FoundBooks): void {
    ready.add(worker);
    books ??= found;
    if (stage === 'first worker') {
      stage = 'other workers';
      // The first worker has migrated the storage and opened the port. Only now the others start, so that an
      // error which keeps the server from starting is printed once.
      for (let started = 1; started < count; started += 1) start();
    }
    if (stage === 'other workers' && ready.size === count) {
      stage = 'serving';
      onAllReady(port, books);
    }
  }

  function ended(worker: Worker, code: number | null, signal: string | null): void {
    alive.delete(worker);
    ready.delete(worker);
    metrics.lost(worker.id);
    if (isStopping) {
      // A signal may reach all processes of a group, also a worker that cannot handle it yet. So the end of a worker by
      // one of these signals is no failure.
      if (code !== 0 && signal !== 'SIGTERM' && signal !== 'SIGINT') exitCode = 1;
      if (alive.size === 0) process.exit(exitCode);
    } else if (stage === 'first worker') {
      // A worker that cannot start prints the reason itself.
      process.exit(code === null || code === 0 ? 1 : code);
    } else replace(worker, code, signal);
  }

  function replace({ process: { pid } }: Worker, code: number | null, signal: string | null): void {
    const pauseMs = pauseBeforeReplacement();
    if (pauseMs === null) {
      process.stderr.write(
        `stopping: more than ${REPLACED_PER_MINUTE} workers have ended within a minute (WORKERS)\n`,
      );
      exitCode = 1;
      stop('too many workers have ended');
      return;
    }
    logger.error({ worker: pid, code, signal, pauseMs }, 'a worker has ended, and is replaced');
    setTimeout(start, pauseMs);
  }

  function stop(reason: string): void {
    isStopping = true;
    logger.info({ signal: reason, workers: alive.size }, 'stopping: every worker finishes its requests');
    if (alive.size === 0) process.exit(exitCode);
    for (const worker of alive) tell(worker, { type: 'stop' });
    setTimeout(endAtOnce, STOP_LIMIT_MS + STOP_GRACE_MS);
  }

  function endAtOnce(): never {
    for (const worker of alive) worker.process.kill('SIGKILL');
    process.exit(1);
  }

  cluster.on('message', (worker, message: ToPrimary) => {
    if (message.type === 'ready') becameReady(worker, message.port, message.books);
    else if (message.type === 'figures') metrics.answered(worker.id, message.round, message.figures);
    else void metrics.gather().then((text) => tell(worker, { type: 'scraped', text }));
  });
  cluster.on('exit', ended);
  start();
  return { stop, endAtOnce, isStopping: () => isStopping };
}
