/** The composition root: makes the parts of a prediction market. */
import { resolveOptions, type Resolved } from './config';
import type { PredictionMarketOptions } from './prediction-market-options';
import { createJobs, type Jobs } from './jobs';
import { createConsumers, type Consumers } from './jobs/consumers';
import { createConnectionLimiter, type ConnectionLimiter } from './live/connection-limiter';
import { createEmitter, type Emitter } from './live/emitter';
import { createFeed, type LiveFeed } from './live/feed/live-feed';
import { reportingOwnCommits } from './live/on-commit';
import { createRelay, type Relay } from './live/relay';
import { createWebhookJob } from './live/webhooks/delivery-job';
import type { Logger } from './ports/logger';
import type { RateLimitBackend } from './ports/rate-limit';
import type { Storage } from './ports/storage';
import { realTimers, type Timers } from './ports/timers';
import { memoryRateLimit } from './rate-limit/memory';
import { createAlarms } from './usecases/alarms';
import type { Context } from './usecases/context';
import { createMarketLookup } from './usecases/markets/market-lookup';
import { createPaidCalls, type PaidCalls } from './usecases/payments/paid-calls';
import { createPaymentNonces, type PaymentNonces } from './usecases/payments/payment-nonces';
import { createOracleAnswerCache } from './usecases/resolution/oracle-answer-cache';
import { createTradeQueue, type TradeQueue } from './usecases/trading/trade-queue';
import { isoTime } from './views/format';

export interface Parts {
  context: Context;
  rateLimit: RateLimitBackend;
  trades: TradeQueue;
  payments: PaidCalls;
  nonces: PaymentNonces;
  emitter: Emitter;
  relay: Relay;
  feed: LiveFeed;
  connections: ConnectionLimiter;
  jobs: Jobs;
  consumers: Consumers;
}

export function createParts(options: PredictionMarketOptions, paymentTimers: Timers = realTimers): Parts {
  const resolved = resolveOptions(options);
  const storage = observed(resolved.storage, options, resolved.logger);
  const { context, connect } = createContext({ ...resolved, storage });
  const payments = createPaidCalls(context, paymentTimers);
  const live = createLive(context);
  const { emitter, relay, feed, webhooks } = live;
  const jobs = createJobs(context, relay, payments, webhooks);
  connect({ relay, feed, jobs });
  const consumers = createConsumers({
    context,
    relay,
    onParked: (data) => emitter.publish({ event: 'consumer.parked', ts: isoTime(context.clock.now()), data }),
  });
  return {
    ...live,
    context,
    rateLimit: options.rateLimit ?? memoryRateLimit(),
    trades: createTradeQueue(context),
    payments,
    nonces: createPaymentNonces(context),
    jobs,
    consumers,
  };
}

function createLive(context: Context) {
  const { channelLimit, connectionLimit } = context.config.live;
  const emitter = createEmitter(context.logger);
  const feed = createFeed(context, { channelLimit, wakeRelay: () => relay.wake() });
  const connections = createConnectionLimiter(feed, connectionLimit);
  const relay = createRelay(context, emitter, feed);
  const webhooks = createWebhookJob({ context, relay, publish: emitter.publish });
  return { emitter, feed, connections, relay, webhooks };
}

type Connected = Pick<Parts, 'relay' | 'feed' | 'jobs'>;

/** Makes the context. `connect` adds the relay, the feed and the jobs, which themselves need the context. */
function createContext(resolved: Resolved): { context: Context; connect(to: Connected): void } {
  let connected: Connected | null = null;
  const context: Context = {
    ...resolved,
    clockIsSteady: () => connected?.jobs.clockIsSteady() ?? true,
    alarms: createAlarms(resolved),
    oracleAnswerCache: createOracleAnswerCache(resolved),
    markets: createMarketLookup(resolved.storage),
    eventsAppended(facts = 1) {
      connected?.feed.expect(facts);
      connected?.relay.wake();
    },
    keyRevoked: (keyId) => connected?.feed.keyRevoked(keyId),
    webhooksChanged: () => connected?.jobs.webhooksChanged(),
    marketsDue: () => connected?.jobs.wake(),
  };
  return { context, connect: (to) => (connected = to) };
}

function observed(storage: Storage, { onCommit }: PredictionMarketOptions, logger: Logger): Storage {
  return onCommit === undefined ? storage : reportingOwnCommits(storage, onCommit, logger);
}
