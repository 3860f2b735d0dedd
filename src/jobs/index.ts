/** The background jobs of one instance: due markets, the event relay, pruning. */
import type { Context } from '../usecases/context';
import { newLeaseOwner } from '../usecases/lease-owner';
import { newWithdrawalMemory, processWithdrawals } from '../usecases/withdrawals/process-withdrawals';
import { pruneExpired } from '../usecases/prune-expired';
import { createClockWatch } from './clock-watch';
import { createDueMarketsJob } from './due-markets';
import { runInOrder } from './run-in-order';
import { createLoop, type JobHealth, type Loop, type LoopOptions } from './loop';
import { realTimers, type Timers } from '../ports/timers';

export type { JobHealth } from './loop';

const RELAY_POLL_MS = 1_000;
const PRUNE_INTERVAL_MS = 60_000;
const PAYMENTS_PER_RUN = 16;
/** One failure in a row happens to all; a run that does not get on for so long hangs. */
const UNHEALTHY_FAILURES = 3;
const LONGEST_PAUSE_MS = 120_000;

/** What the jobs drive of the event relay. */
export interface RelayTask {
  run(): Promise<boolean>;
  onWake(listener: () => void): void;
}

/** What the jobs drive of the pay-per-request API. */
export interface ReconciliationTask {
  reconcile(options: { limit: number }): Promise<boolean>;
}

export interface Jobs {
  /** Starts the loops; each runs at once. */
  start(): void;
  /** A hint that a market may be due. */
  wake(): void;
  /**
   * Runs everything now until nothing is due: payments, withdrawals, markets (the oracle's answers included), pruning, then events.
   * Rejects with the first failure, after all have been tried.
   */
  runOnce(): Promise<void>;
  /** Waits for what is under way, emits the last events; nothing runs afterwards. */
  stop(): Promise<void>;
  health(): { ok: boolean; jobs: JobHealth[] };
  /** Looks at the clock: `false` when it has just jumped. */
  clockIsSteady(): boolean;
}

export function createJobs(
  context: Context,
  relay: RelayTask,
  payments: ReconciliationTask,
  timers: Timers = realTimers,
): Jobs {
  const { clock, logger, config } = context;
  const owner = newLeaseOwner(context.random);
  const dueMarkets = createDueMarketsJob(context, () => markets.wake());
  const shared = { clock, logger, timers };
  const watch = createClockWatch({
    ...shared,
    lookAgain: () => [markets, prune, reconciliation, withdrawals].forEach((loop) => loop.wake()),
  });
  /** What the clock makes due, and cannot be undone. */
  const whenSteady =
    (run: LoopOptions['run']): LoopOptions['run'] =>
    async (signal, gotOn) =>
      watch.isSteady() && run(signal, gotOn);
  const markets = createLoop({
    ...shared,
    name: 'due-markets',
    intervalMs: config.resolutionIntervalMs,
    run: whenSteady((signal) => dueMarkets.run(signal)),
  });
  const events = createLoop({
    ...shared,
    name: 'event-relay',
    intervalMs: RELAY_POLL_MS,
    run: () => relay.run(),
  });
  const prune = createLoop({
    ...shared,
    name: 'prune-expired',
    intervalMs: PRUNE_INTERVAL_MS,
    run: whenSteady(async () => (await pruneExpired(context, { owner })).more),
  });
  const reconciliation = createLoop({
    ...shared,
    name: 'payments',
    intervalMs: config.resolutionIntervalMs,
    run: whenSteady(() => payments.reconcile({ limit: PAYMENTS_PER_RUN })),
  });
  const memory = newWithdrawalMemory();
  const withdrawals = createLoop({
    ...shared,
    name: 'withdrawals',
    intervalMs: config.resolutionIntervalMs,
    run: whenSteady(
      async (signal, gotOn) =>
        (await processWithdrawals(context, { owner, signal, memory, gotOn })).progressed,
    ),
  });
  const loops: Loop[] = [markets, events, prune, reconciliation, withdrawals];
  relay.onWake(() => events.wake());

  async function runMarketsUntilQuiet(): Promise<void> {
    do await dueMarkets.answered();
    while (await markets.runNow());
  }

  return {
    start: () => loops.forEach((loop) => loop.start()),
    wake: () => markets.wake(),
    runOnce: () =>
      runInOrder([
        () => reconciliation.runNow(),
        () => withdrawals.runNow(),
        runMarketsUntilQuiet,
        () => prune.runNow(),
        () => events.runNow(),
      ]),
    async stop() {
      watch.stop();
      await Promise.all([markets.stop(), prune.stop(), reconciliation.stop(), withdrawals.stop()]);
      await dueMarkets.answered();
      // What has just been committed still reaches the listeners. A failure has been logged.
      await events.runNow().catch(() => false);
      await events.stop();
    },
    clockIsSteady: () => watch.isSteady(),
    health() {
      const jobs = loops.map((loop) => loop.health());
      return { ok: jobs.every((job) => isHealthy(job, clock.now())), jobs };
    },
  };
}

function isHealthy({ failures, gotOnAt }: JobHealth, now: number): boolean {
  return failures < UNHEALTHY_FAILURES && (gotOnAt === null || now - gotOnAt <= LONGEST_PAUSE_MS);
}
