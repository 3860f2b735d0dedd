import { steadyNow } from '../ports/clock';
import type { Context } from '../usecases/context';
import { newLeaseOwner } from '../usecases/lease-owner';
import { processWithdrawals } from '../usecases/withdrawals/process-withdrawals';
import { newWithdrawalMemory } from '../usecases/withdrawals/withdrawal-memory';
import { releaseWithdrawals } from '../usecases/withdrawals/withdrawals-lease';
import { watchResolutions } from '../usecases/resolution/watch-resolutions';
import { removeOldRows } from '../usecases/remove-old-rows';
import { createClockWatch, type ClockWatch } from './clock-watch';
import { createDueMarketsJob, type DueMarketsJob } from './due-markets';
import { runInOrder } from './run-in-order';
import { createLoop, type JobHealth, type Loop, type LoopOptions } from './loop';
import { realTimers, type Timers } from '../ports/timers';

export type { JobHealth } from './loop';

const PRUNE_INTERVAL_MS = 60_000;
const WATCH_INTERVAL_MS = 60_000;
const WEBHOOK_POLL_MS = 1_000;
const PAYMENTS_PER_RUN = 16;
/** A job is unhealthy after this many failures in a row. */
const UNHEALTHY_FAILURES = 3;
/** A run that reports no progress for this long counts as a run that hangs. */
const HANGS_AFTER_MS = 120_000;

export interface RelayTask {
  run(): Promise<boolean>;
  onWake(listener: () => void): void;
  pollMs(): number;
}

export interface ReconciliationTask {
  reconcile(options: { limit: number }): Promise<boolean>;
}

export interface WebhookTask {
  run(): Promise<boolean>;
  changed(): void;
  onWake(listener: () => void): void;
  ended(): Promise<void>;
  stop(): Promise<void>;
}

export interface Jobs {
  /** Starts the loops. Each loop runs its job at once. */
  start(): void;
  /** A hint that a market may be due. */
  wake(): void;
  /** Called when an operator has created, changed or removed a webhook. */
  webhooksChanged(): void;
  /**
   * Runs all jobs until nothing is due, in this order: payments, withdrawals, markets (with the oracle's
   * answers), the alarms of resolutions, pruning, events, webhooks (with their deliveries). A failure does
   * not keep the next jobs from running. At the end, the promise rejects with the first failure.
   */
  runOnce(): Promise<void>;
  /** Waits for the runs under way, emits the last events, and ends all loops. */
  stop(): Promise<void>;
  health(): { ok: boolean; jobs: JobHealth[] };
  /** Compares the clock with the monotonic clock. `false`: the clock has just jumped. */
  clockIsSteady(): boolean;
}

export function createJobs(
  context: Context,
  relay: RelayTask,
  payments: ReconciliationTask,
  webhooks: WebhookTask,
  timers: Timers = realTimers,
): Jobs {
  const { clock, logger } = context;
  const lookAgain = (): void => {
    for (const loop of [loops.markets, loops.prune, loops.payments, loops.withdrawals, loops.webhooks])
      loop.wake();
  };
  const watch = createClockWatch({ clock, logger, timers, lookAgain });
  const dueMarkets = createDueMarketsJob(context, () => loops.markets.wake());
  const owner = newLeaseOwner(context.random);
  const loops = createLoops({ context, owner, relay, payments, webhooks, timers, watch, dueMarkets });
  const all = Object.values(loops);
  relay.onWake(() => loops.events.wake());
  webhooks.onWake(() => loops.webhooks.wake());

  /** Runs until no market is due and no round of the oracle is running. */
  async function runMarketsUntilQuiet(): Promise<void> {
    do {
      await dueMarkets.allRoundsEnded();
    } while ((await loops.markets.runNow()) || dueMarkets.isAsking());
  }

  return {
    start: () => all.forEach((loop) => loop.start()),
    wake: () => loops.markets.wake(),
    webhooksChanged: () => webhooks.changed(),
    runOnce: () =>
      runInOrder([
        () => loops.payments.runNow(),
        () => loops.withdrawals.runNow(),
        runMarketsUntilQuiet,
        () => loops.resolutions.runNow(),
        () => loops.prune.runNow(),
        () => loops.events.runNow(),
        () => loops.webhooks.runNow(),
        () => webhooks.ended(),
      ]),
    async stop() {
      watch.stop();
      const { events, ...others } = loops;
      await Promise.all(Object.values(others).map((loop) => loop.stop()));
      await releaseWithdrawals(context, owner);
      await dueMarkets.allRoundsEnded();
      await webhooks.stop();
      // One more run of the relay, so that listeners get the events of the last commits. The loop logs a
      // failure.
      await events.runNow().catch(() => false);
      await events.stop();
    },
    clockIsSteady: () => watch.isSteady(),
    health() {
      const jobs = all.map((loop) => loop.health());
      return { ok: jobs.every((job) => isHealthy(job, steadyNow(clock))), jobs };
    },
  };
}

interface LoopDependencies {
  context: Context;
  /** The name of this instance in leases. */
  owner: string;
  relay: RelayTask;
  payments: ReconciliationTask;
  webhooks: WebhookTask;
  timers: Timers;
  watch: ClockWatch;
  dueMarkets: DueMarketsJob;
}

/** `health` lists the loops in the order in which the returned object has them. */
function createLoops(dependencies: LoopDependencies) {
  const { context, owner, relay, payments, webhooks, timers, watch, dueMarkets } = dependencies;
  const { clock, logger, config } = context;
  const memory = newWithdrawalMemory();
  const loop = (name: string, intervalMs: LoopOptions['intervalMs'], run: LoopOptions['run']): Loop =>
    createLoop({ name, intervalMs, run, clock, logger, timers });
  /**
   * A loop that does nothing while the clock may be wrong. Its work falls due by the clock and cannot be
   * undone.
   */
  const steadyLoop = (name: string, intervalMs: number, run: LoopOptions['run']): Loop =>
    loop(name, intervalMs, async (signal, onProgress) => watch.isSteady() && run(signal, onProgress));
  const intervalMs = config.jobIntervalMs;
  return {
    markets: steadyLoop('due-markets', intervalMs, (signal) => dueMarkets.run(signal)),
    events: loop(
      'event-relay',
      () => relay.pollMs(),
      () => relay.run(),
    ),
    prune: steadyLoop('prune-expired', PRUNE_INTERVAL_MS, async () => {
      const { more } = await removeOldRows(context, { owner });
      return more;
    }),
    payments: steadyLoop('payments', intervalMs, () => payments.reconcile({ limit: PAYMENTS_PER_RUN })),
    withdrawals: steadyLoop('withdrawals', intervalMs, async (signal, onProgress) => {
      const { progressed } = await processWithdrawals(context, {
        ...{ owner, signal, memory, onProgress, timers },
      });
      return progressed;
    }),
    resolutions: loop('resolutions', WATCH_INTERVAL_MS, async () => {
      await watchResolutions(context);
      return false;
    }),
    webhooks: steadyLoop('webhooks', WEBHOOK_POLL_MS, () => webhooks.run()),
  };
}

function isHealthy({ failures, lastProgressAt }: JobHealth, now: number): boolean {
  return failures < UNHEALTHY_FAILURES && (lastProgressAt === null || now - lastProgressAt <= HANGS_AFTER_MS);
}
