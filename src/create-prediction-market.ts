import type { Router } from 'express';
import type { PredictionMarketOptions } from './prediction-market-options';
import type { EventPosition } from './domain/event-position';
import { createHttpRouter, type HttpRouters } from './http';
import { createReadiness, type Readiness } from './http/readiness';
import type { Consumers } from './jobs/consumers';
import { createLifeCycle, type LifeCycle, type StartOptions } from './life-cycle';
import type { EventListeners } from './live/emitter';
import { createEventIterators, type ClosableEventIterators, type EventIterators } from './live/events-since';
import type { FeedFigures } from './live/feed/types';
import { createEventStreams } from './live/stream';
import { createWebSocketBridge, type WebSocketBridge, type WebSocketOptions } from './live/websocket/bridge';
import { noSockets, type SocketFigures } from './live/websocket/types';
import type { AttachableServer } from './live/websocket/attachable-server';
import { createOperations } from './operations';
import type { Operations } from './operations-types';
import { createParts, type Parts } from './parts';
import { realTimers } from './ports/timers';
import { createAuthThrottle } from './rate-limit/auth-throttle';
import type { Alarm } from './domain/alarms';
import { createKeyAuthenticator } from './usecases/keys/key-authenticator';

/**
 * The events of the service. Listeners get the events of new facts, and the local events of this instance.
 * `since` also reads stored facts.
 */
export interface PredictionMarketEvents extends EventListeners, EventIterators {}

export interface LiveFigures extends FeedFigures {
  /** The figures of the WebSockets, without the streams. */
  sockets: SocketFigures;
}

export interface PredictionMarket extends Operations {
  /** Serves `/api/v2/*` except `/api/v2/admin`. Requests for other paths pass to the host's routes. */
  readonly router: Router;
  /**
   * The operators' routes. Their paths are relative to the host's mount path. The router has no authentication:
   * the host decides who may use it.
   */
  readonly adminRouter: Router;
  /**
   * Typed events for listeners in this process. The events of facts come after the commit and in order.
   * docs/embedding.md says which events a listener gets.
   */
  readonly events: PredictionMarketEvents;
  /**
   * Where this instance is in the sequence of facts. What a caller reads from the service after this call contains
   * all facts up to the position. `events.since` with this position gives the caller the later facts.
   */
  eventPosition(): EventPosition;
  /**
   * Handles facts with the given function: each fact at least once, in order, on one instance at a time. The storage
   * keeps the position under the given name. docs/live.md "Consumers". Call it after `start`, on every instance.
   * Rejects with CONSUMER_LIMIT_REACHED, with an `EventPositionError` for a `from` at which no reader can begin, with
   * a `TypeError` or `RangeError` for a wrong option, and with a `TypeError` for a name on which this instance works
   * already.
   * @example
   * await pm.consume('mails', (events) => {
   *   for (const { event, seq } of events) console.log(event, seq);
   * });
   */
  consume: Consumers['consume'];
  /**
   * Serves WebSockets at `/api/v2/ws`, or at another path, of this HTTP server. May be called for several servers,
   * before or after `start`. Until `start` has finished, upgrades get status 503. Other paths are left to the host's
   * listeners; without such listeners, a WebSocket upgrade of another path gets status 404.
   * @throws Error after `close`, or when the path of this server is attached already. TypeError for a wrong server or
   * option.
   * @example
   * import express from 'express';
   *
   * const server = express().use(pm.router).listen(3000);
   * pm.attachWebSocket(server);
   */
  attachWebSocket(server: AttachableServer, options?: WebSocketOptions): void;
  /** The sockets and streams of this instance in figures, for metrics. */
  liveFigures(): LiveFigures;
  /**
   * Ends all sockets (close code 1001) and streams, and refuses new ones. Fulfils when they have ended. `close` does
   * this too. Call it before you close a server that waits for its connections to end.
   */
  closeConnections(): Promise<void>;
  /**
   * Opens and migrates the storage, then starts the background jobs. Until this has finished, requests for all
   * routes except `/health` and the documents get status 503. If `start` rejects, it may be called again.
   */
  start(options?: StartOptions): Promise<void>;
  /** Finishes the work under way, then stops all parts. May be called more than once. */
  close(): Promise<void>;
  /** The conditions that need an operator, as this instance knows them. docs/operations.md lists them. */
  alarms(): Alarm[];
  /** Whether this instance is ready, as `GET /ready` answers. The promise never rejects. */
  isReady(): Promise<boolean>;
  /** Runs every job until nothing is due. Meant for tests, and for hosts that start jobs by cron. */
  runJobs(): Promise<void>;
}

/**
 * Makes a prediction market from a storage, an oracle and a facilitator. Mount `router`, attach the WebSocket, and
 * call `start()`. Throws a TypeError or RangeError that names a wrong option.
 * @example
 * import { createPredictionMarket } from 'express-prediction-market';
 * import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
 * import { manualOracle } from 'express-prediction-market/oracle/manual';
 * import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
 *
 * const pm = createPredictionMarket({
 *   storage: sqliteStorage({ file: 'data/markets.db' }),
 *   oracle: manualOracle(),
 *   facilitator: developmentFacilitator(),
 *   payTo: '0x1111111111111111111111111111111111111111',
 * });
 * await pm.start();
 */
export function createPredictionMarket(options: PredictionMarketOptions): PredictionMarket {
  return predictionMarketOf(createParts(options), options);
}

/** Builds a prediction market from the parts that `createParts` has made with the same options. */
export function predictionMarketOf(parts: Parts, options: PredictionMarketOptions): PredictionMarket {
  const lifeCycle: LifeCycle = createLifeCycle({
    ...parts,
    iterators: { close: () => entrances.iterators.close() },
    sockets: { detach: () => entrances.sockets.detach() },
  });
  const entrances = createEntrances(parts, lifeCycle, options);
  const { context, emitter, relay, feed, connections, jobs, consumers } = parts;
  const { routers, iterators, sockets, figures } = entrances;
  const { requireStarted } = lifeCycle;
  return {
    router: routers.router,
    adminRouter: routers.adminRouter,
    events: Object.assign(emitter, { since: iterators.since }),
    eventPosition() {
      requireStarted();
      return relay.position();
    },
    attachWebSocket: (server, options) => sockets.attach(server, options),
    liveFigures: () => ({ ...feed.figures(), sockets: structuredClone(figures) }),
    closeConnections: () => connections.close(),
    start: lifeCycle.start,
    close: lifeCycle.close,
    alarms: () => context.alarms.list(),
    isReady: async () => (await entrances.readiness()).status === 'ready',
    async runJobs() {
      requireStarted();
      await jobs.runOnce();
      await consumers.runOnce();
    },
    async consume(name, handler, given) {
      requireStarted();
      return consumers.consume(name, handler, given);
    },
    ...createOperations(context, parts.trades, requireStarted),
  };
}

interface Entrances {
  routers: HttpRouters;
  sockets: WebSocketBridge;
  iterators: ClosableEventIterators;
  readiness(): Promise<Readiness>;
  /** Counts of sockets and their messages, for metrics. `sockets` updates them. */
  figures: SocketFigures;
}

function createEntrances(
  parts: Parts,
  { isStarted, requireStarted }: LifeCycle,
  { operatorName }: PredictionMarketOptions,
): Entrances {
  const { context, rateLimit, relay, feed, connections, jobs } = parts;
  const { clock, logger, config } = context;
  const keys = createKeyAuthenticator(context);
  const throttle = createAuthThrottle(rateLimit, config.failedAuthLimit, clock);
  const figures = noSockets();
  const sockets = createWebSocketBridge({
    ...{ feed, keys, throttle, connections, figures, clock, logger, isStarted },
    limits: config.live,
    timers: realTimers,
  });
  const { storage } = context;
  const readiness = createReadiness({ storage, isStarted, jobsHealth: () => jobs.health() });
  return {
    figures,
    sockets,
    readiness,
    iterators: createEventIterators({ context, relay, requireStarted }),
    routers: createHttpRouter({
      ...{ context, keys, throttle, rateLimit, isStarted },
      queue: parts.trades,
      operatorName,
      streams: createEventStreams(feed, connections, config.live),
      paidCalls: parts.payments,
      nonces: parts.nonces,
      readiness,
      socketPath: () => sockets.path(),
    }),
  };
}
