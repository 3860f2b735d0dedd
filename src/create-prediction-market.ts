/** The composition root: options -> ports -> use cases -> routers. The only file in src that sees every room. */
import type { Router } from 'express';
import { resolveOptions, type PredictionMarketOptions } from './config';
import { activeCurve } from './crypto/curve';
import { serviceUnavailable } from './domain/errors';
import { createHttpRouter, memoryRateLimit } from './http';
import { createJobs } from './jobs';
import { runInOrder } from './jobs/run-in-order';
import { createOperations } from './operations';
import type { Operations } from './operations-types';
import { createEmitter, type PredictionMarketEvents } from './live/emitter';
import { tellingOwnCommits } from './live/own-commits';
import { createRelay } from './live/relay';
import type { Context } from './usecases/context';
import { createPaymentDesk } from './usecases/payments/paid-calls';
import { createPaymentNonces } from './usecases/payments/payment-nonces';
import { createKeyAuthenticator } from './usecases/keys/key-authenticator';
import { createAlarms, type Alarm } from './usecases/alarms';
import { createMarketLookup } from './usecases/markets/market-lookup';
import { createTradeQueue } from './usecases/trading/trade-queue';

export interface PredictionMarket extends Operations {
  /** Serves `/api/v2/*` and lets every other path through to the host. */
  readonly router: Router;
  /** The operators' routes, relative to where the host mounts it. It has no authentication of its own. */
  readonly adminRouter: Router;
  /** Typed events to listeners in this process, after commit and in order. Those that nobody listens to pass: docs/embedding.md. */
  readonly events: PredictionMarketEvents;
  /** Opens the storage, migrates it, starts the background jobs. Until it has finished, routes answer 503. */
  start(): Promise<void>;
  /** Drains what is under way, then stops. Safe to call more than once. */
  close(): Promise<void>;
  /** What operators have to look after, as far as this instance sees it: docs/operations.md. */
  alarms(): Alarm[];
  /** Runs every job once, now: closes and settles what is due, relays events, prunes. For tests and cron-like hosts. */
  runJobs(): Promise<void>;
}

type Life = 'new' | 'starting' | 'started' | 'closing' | 'closed';

export function createPredictionMarket(options: PredictionMarketOptions): PredictionMarket {
  const resolved = resolveOptions(options);
  const { logger } = resolved;
  const { onCommit } = options;
  const storage =
    onCommit === undefined ? resolved.storage : tellingOwnCommits(resolved.storage, onCommit, logger);
  const rateLimit = options.rateLimit ?? memoryRateLimit();
  const events = createEmitter(logger);

  // The relay and the jobs are built from the context that reaches them.
  const wake = { relay: (): void => undefined, jobs: (): void => undefined };
  let clockIsSteady = (): boolean => true;
  const context: Context = {
    ...resolved,
    storage,
    clockIsSteady: () => clockIsSteady(),
    alarms: createAlarms(resolved),
    markets: createMarketLookup(storage),
    eventsAppended: () => wake.relay(),
    marketsDue: () => wake.jobs(),
  };
  const queue = createTradeQueue(context);
  const desk = createPaymentDesk(context);
  const nonces = createPaymentNonces(context);
  const relay = createRelay(context, events);
  const jobs = createJobs(context, relay, desk);
  wake.relay = () => relay.wake();
  wake.jobs = () => jobs.wake();
  clockIsSteady = () => jobs.clockIsSteady();

  let life: Life = 'new';
  const isStarted = (): boolean => life === 'started';
  const routers = createHttpRouter({
    context,
    keys: createKeyAuthenticator(context),
    queue,
    desk,
    nonces,
    rateLimit,
    isStarted,
    jobsHealth: () => jobs.health(),
  });

  let storageIsOpen = false;
  let relayKnowsItsPlace = false;
  async function open(): Promise<void> {
    const { implementation, fallbackReason } = activeCurve();
    logger.debug({ implementation, fallbackReason }, 'the curve that recovers signers');
    try {
      // Still open after an attempt that failed later on.
      if (!storageIsOpen) await storage.open({ logger });
      storageIsOpen = true;
      await nonces.load();
      await rateLimit.start?.({ logger });
      await relay.start();
      relayKnowsItsPlace = true;
    } catch (error) {
      if (life === 'starting') life = 'new';
      throw error;
    }
    if (life !== 'starting') throw new Error('The prediction market was closed while it was starting');
    const { payTo, network, asset } = context.config;
    logger.info(
      { payTo, network, asset },
      'payments go to payTo, which must belong to this deployment alone',
    );
    jobs.start();
    life = 'started';
  }

  let starting: Promise<void> | null = null;
  async function start(): Promise<void> {
    if (life !== 'new') throw new Error(`start() was called on a prediction market that is ${life}`);
    life = 'starting';
    starting = open();
    await starting;
  }

  let closing: Promise<void> | null = null;
  async function shutDown(): Promise<void> {
    life = 'closing';
    // A start cannot be called off: what it opens is closed behind it.
    await starting?.catch(() => undefined);
    const steps = [() => queue.drain(), () => desk.drain()];
    // The last run emits what is new, and without its place the relay would take all of history for that.
    if (relayKnowsItsPlace)
      steps.push(
        () => jobs.stop(),
        () => relay.stop(),
      );
    if (storageIsOpen)
      steps.push(
        async () => rateLimit.close?.(),
        () => storage.close(),
      );
    await runInOrder(steps);
    life = 'closed';
  }

  function requireStarted(): void {
    if (!isStarted())
      throw serviceUnavailable(`The prediction market is ${life === 'new' ? 'not started' : life}`);
  }

  return {
    router: routers.router,
    adminRouter: routers.adminRouter,
    events,
    start,
    close: () => (closing ??= shutDown()),
    alarms: () => context.alarms.list(),
    runJobs: async () => {
      requireStarted();
      await jobs.runOnce();
    },
    ...createOperations(context, queue, requireStarted),
  };
}
