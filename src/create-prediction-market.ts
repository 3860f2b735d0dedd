/** The composition root: options -> ports -> use cases -> routers. */
import type { Router } from 'express';
import { resolveOptions, type PredictionMarketOptions, type Resolved } from './config';
import { createHttpRouter } from './http';
import { createJobs, type Jobs } from './jobs';
import { createConsumers, type Consumers } from './jobs/consumers';
import { createLifeCycle } from './life-cycle';
import { createOperations } from './operations';
import type { Operations } from './operations-types';
import type { EventPosition } from './domain/event-position';
import { createEmitter, type EventListeners } from './live/emitter';
import { createEventHistory, type EventHistory } from './live/events-since';
import { createFeed } from './live/feed/hub';
import type { Feed, FeedFigures } from './live/feed/types';
import { createConnections } from './live/connections';
import { createWebSocketBridge, type WebSocketOptions } from './live/websocket/bridge';
import { noSockets, type SocketFigures } from './live/websocket/types';
import type { AttachableServer } from './live/websocket/upgrades';
import { tellingOwnCommits } from './live/own-commits';
import { createRelay, type Relay } from './live/relay';
import { createEventStreams } from './live/stream';
import { createWebhookJob } from './live/webhooks/delivery-job';
import type { Logger } from './ports/logger';
import type { Storage } from './ports/storage';
import { realTimers } from './ports/timers';
import { createAuthThrottle } from './rate-limit/auth-throttle';
import { memoryRateLimit } from './rate-limit/memory';
import type { Context } from './usecases/context';
import { createPaidCalls } from './usecases/payments/paid-calls';
import { createPaymentNonces } from './usecases/payments/payment-nonces';
import { createKeyAuthenticator } from './usecases/keys/key-authenticator';
import { createAlarms, type Alarm } from './usecases/alarms';
import { createPaidAnswers } from './usecases/resolution/paid-answers';
import { createMarketLookup } from './usecases/markets/market-lookup';
import { isoTime } from './views/format';
import { createTradeQueue } from './usecases/trading/trade-queue';

/**
 * The events of the service. Listeners are told of facts while this process runs. `since` also reads stored
 * facts.
 */
export interface PredictionMarketEvents extends EventListeners, EventHistory {}

export interface LiveFigures extends FeedFigures {
  sockets: SocketFigures;
}

export interface PredictionMarket extends Operations {
  /** Serves `/api/v2/*`. Requests for other paths go on to the host's routes. */
  readonly router: Router;
  /**
   * The operators' routes. Their paths are relative to the host's mount path. The router has no authentication:
   * the host decides who may use it.
   */
  readonly adminRouter: Router;
  /** Typed events for listeners in this process, after commit and in order. docs/embedding.md says which events a listener gets. */
  readonly events: PredictionMarketEvents;
  /**
   * Where this instance is in the sequence of facts. The position is a start for `events.since`: what a caller
   * reads from the service after this call contains all facts up to the position.
   */
  position(): EventPosition;
  /**
   * Begins to handle facts under a name. The position is stored under it, so that each fact is handled at
   * least once, in order, by one instance at a time: docs/live.md. Call it after `start`, on every instance.
   * Rejects with CONSUMER_LIMIT_REACHED, with an `EventPositionError` for a `from` that is no position, and with
   * a `TypeError` for a name that this instance has.
   */
  consume: Consumers['consume'];
  /**
   * Serves WebSockets at `/api/v2/ws`, or at another path, of this HTTP server. It may be called for any number of
   * servers, before or after `start`. Until `start` has finished, upgrades are answered 503. Upgrades of other
   * paths are left to the host.
   */
  attachWebSocket(server: AttachableServer, options?: WebSocketOptions): void;
  /** The sockets and streams of this instance in figures, for metrics. */
  liveFigures(): LiveFigures;
  /**
   * Ends all sockets (close code 1001) and streams, and refuses new ones. Fulfils when they have ended. `close`
   * does it too. A host calls it first if its server waits for its connections before the market is closed.
   */
  closeConnections(): Promise<void>;
  /**
   * Opens and migrates the storage, then starts the background jobs. Routes answer 503 until this has finished.
   * If it rejects, it may be called again.
   */
  start(): Promise<void>;
  /** Finishes the work under way, then stops all parts. May be called more than once. */
  close(): Promise<void>;
  /** The conditions that need an operator, as this instance knows them. docs/operations.md lists them. */
  alarms(): Alarm[];
  /**
   * Runs every job until nothing is due: markets, payments, withdrawals, pruning, events, webhooks, consumers.
   * Meant for tests, and for hosts that start jobs by cron.
   */
  runJobs(): Promise<void>;
}

export function createPredictionMarket(options: PredictionMarketOptions): PredictionMarket {
  const resolved = resolveOptions(options);
  const rateLimit = options.rateLimit ?? memoryRateLimit();
  const emitter = createEmitter(resolved.logger);
  const { context, connect } = createContext({
    ...resolved,
    storage: observed(resolved.storage, options, resolved.logger),
  });
  const queue = createTradeQueue(context);
  const paidCalls = createPaidCalls(context);
  const nonces = createPaymentNonces(context);
  const { live } = resolved.config;
  const feed = createFeed(context, { channelLimit: live.channelLimit, wakeRelay: () => relay.wake() });
  const connections = createConnections(feed, live.connectionLimit);
  const relay = createRelay(context, emitter, feed);
  const webhooks = createWebhookJob({ context, relay, publish: emitter.publish });
  const jobs = createJobs(context, relay, paidCalls, webhooks);
  connect(relay, feed, jobs);
  const consumers = createConsumers({
    context,
    relay,
    onParked: (data) => emitter.publish({ event: 'consumer.parked', ts: isoTime(context.clock.now()), data }),
  });
  const lifeCycle = createLifeCycle({
    context,
    rateLimit,
    nonces,
    relay,
    connections,
    sockets: { detach: () => sockets.detach() },
    jobs,
    consumers,
    history: { close: () => history.close() },
    trades: queue,
    payments: paidCalls,
  });
  const history = createEventHistory({ context, relay, requireStarted: lifeCycle.requireStarted });
  const keys = createKeyAuthenticator(context);
  const throttle = createAuthThrottle(rateLimit, resolved.config.failedAuthLimit, context.clock);
  const figures = noSockets();
  const sockets = createWebSocketBridge({
    ...{ feed, keys, throttle, connections, figures },
    limits: live,
    clock: context.clock,
    logger: context.logger,
    timers: realTimers,
    isStarted: lifeCycle.isStarted,
  });
  const routers = createHttpRouter({
    context,
    keys,
    throttle,
    queue,
    streams: createEventStreams(feed, connections, live),
    paidCalls,
    nonces,
    rateLimit,
    isStarted: lifeCycle.isStarted,
    jobsHealth: () => jobs.health(),
  });
  return {
    router: routers.router,
    adminRouter: routers.adminRouter,
    events: Object.assign(emitter, { since: history.since }),
    position: () => {
      lifeCycle.requireStarted();
      return relay.position();
    },
    attachWebSocket: (server, options) => sockets.attach(server, options),
    liveFigures: () => ({ ...feed.figures(), sockets: structuredClone(figures) }),
    closeConnections: () => connections.close(),
    start: lifeCycle.start,
    close: lifeCycle.close,
    alarms: () => context.alarms.list(),
    runJobs: async () => {
      lifeCycle.requireStarted();
      await jobs.runOnce();
      await consumers.runOnce();
    },
    consume: async (name, handler, given) => {
      lifeCycle.requireStarted();
      return consumers.consume(name, handler, given);
    },
    ...createOperations(context, queue, lifeCycle.requireStarted),
  };
}

/**
 * Makes the context. The relay, the feed and the jobs need the context, and the context calls them. So they are
 * connected to the context after they are made.
 */
function createContext(resolved: Resolved): {
  context: Context;
  connect(relay: Relay, feed: Feed, jobs: Jobs): void;
} {
  let connected: { relay: Relay; feed: Feed; jobs: Jobs } | null = null;
  const context: Context = {
    ...resolved,
    clockIsSteady: () => connected?.jobs.clockIsSteady() ?? true,
    alarms: createAlarms(resolved),
    paidAnswers: createPaidAnswers(resolved),
    markets: createMarketLookup(resolved.storage),
    eventsAppended: () => connected?.relay.wake(),
    keyRevoked: (keyId) => connected?.feed.keyRevoked(keyId),
    webhooksChanged: () => connected?.jobs.webhooksChanged(),
    marketsDue: () => connected?.jobs.wake(),
  };
  return { context, connect: (relay, feed, jobs) => (connected = { relay, feed, jobs }) };
}

function observed(storage: Storage, { onCommit }: PredictionMarketOptions, logger: Logger): Storage {
  return onCommit === undefined ? storage : tellingOwnCommits(storage, onCommit, logger);
}
