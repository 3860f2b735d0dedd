/**
 * Prometheus metrics: the process, the requests by route template, and the events, rounds and alarms of the
 * market. The other files named *-metrics.ts add the figures of its parts.
 */
import type { RequestHandler, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  ALARM_NAMES,
  type EventName,
  type OracleRound,
  type OwnCommit,
  type PredictionMarket,
  type RateLimitBackend,
} from 'express-prediction-market';
import type { RedisRateLimit } from 'express-prediction-market/rate-limit/redis';
import { observeConsumers } from './consumer-metrics';
import { observeHouse } from './house-metrics';
import { observeLive } from './live-metrics';
import { observePayments } from './payment-metrics';
import { observeReady } from './ready-metrics';
import { observeRateLimit } from './redis-metrics';
import { observeResolutions } from './resolution-metrics';
import { observeWebhooks } from './webhook-metrics';
import type { Figures } from './worker-messages';

const EVENTS = [
  'market.created',
  'market.resolving',
  'market.proposed',
  'market.escalated',
  'market.resolved',
  'trade',
  'price',
  'account.trade',
  'account.balance',
  'account.settlement',
  'creator.updated',
] as const satisfies readonly EventName[];

export interface Metrics {
  /** Counts and times every request. It has to be the first handler. */
  observeRequests: RequestHandler;
  /** `GET /metrics`. */
  serve: RequestHandler;
  /** The metrics of this process. The primary process combines those of all workers. */
  figures(): Promise<Figures>;
  observeMarket(market: PredictionMarket): void;
  observeRateLimit(backend: RateLimitBackend | RedisRateLimit): void;
  /** Counts an event that this instance has committed. So the sum over all instances counts each event once. */
  countCommit(event: OwnCommit): void;
  /** Counts what each voter has said in a round of this instance. */
  countRound(round: OracleRound): void;
  /** Counts a request with a wrong operators' token. */
  countWrongToken(): void;
}

/**
 * Makes the metrics of one app. Each app has its own registry, so that two apps in one process (tests) do not
 * share counters.
 */
export function createMetrics(scrape?: () => Promise<string | null>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const wrongTokens = new Counter({
    name: 'prediction_market_wrong_tokens_total',
    help: "Requests with a wrong operators' token that this instance has refused.",
    registers: [registry],
  });
  return {
    countWrongToken: () => wrongTokens.inc(),
    countCommit: commitCounter(registry),
    countRound: roundCounter(registry),
    observeRequests(request, response, next) {
      const started = performance.now();
      response.once('close', () => {
        const labels = {
          method: method(request.method),
          route: routeOf(response),
          status: response.statusCode,
        };
        requests.observe(labels, (performance.now() - started) / 1000);
      });
      next();
    },
    serve(_request, response, next) {
      (scrape?.() ?? registry.metrics()).then((text) => {
        if (text === null) response.status(503).type('text/plain').send('A worker did not answer in time.\n');
        else response.set('Content-Type', registry.contentType).send(text);
      }, next);
    },
    figures: () => registry.getMetricsAsJSON(),
    observeRateLimit: (backend) => observeRateLimit(registry, backend),
    observeMarket(market) {
      observeMarket(registry, market);
      observeHouse(registry, market);
      observePayments(registry, market);
      observeReady(registry, market);
      observeLive(registry, market);
      observeResolutions(registry, market);
      observeWebhooks(registry, market);
      observeConsumers(registry, market);
    },
  };
}

function commitCounter(registry: Registry): (event: OwnCommit) => void {
  const registers = [registry];
  const trades = new Counter({
    name: 'prediction_market_trades_total',
    help: 'Trades that this instance has committed.',
    labelNames: ['side', 'action'],
    registers,
  });
  const notional = new Counter({
    name: 'prediction_market_trade_volume_usd_total',
    help: 'Sum of the notionals of trades that this instance has committed, before fees, in USD.',
    registers,
  });
  const events = new Counter({
    name: 'prediction_market_events_total',
    help: 'Events of what this instance has committed, by name.',
    labelNames: ['event'],
    registers,
  });
  const settlements = new Counter({
    name: 'prediction_market_payouts_usd_total',
    help: 'Paid out to positions on resolved markets by this instance, in USD.',
    registers,
  });
  return (committed) => {
    events.inc({ event: committed.event });
    if (committed.event === 'trade') {
      const { side, action, shares, pricePerShare } = committed.data;
      trades.inc({ side, action });
      notional.inc(shares * pricePerShare);
    }
    if (committed.event === 'account.settlement') settlements.inc(committed.data.payout);
  };
}

function roundCounter(registry: Registry): (round: OracleRound) => void {
  const registers = [registry];
  const rounds = new Counter({
    name: 'prediction_market_oracle_rounds_total',
    help: 'Rounds of the oracle that this instance has stored, by what follows from them.',
    labelNames: ['finding', 'decision'],
    registers,
  });
  const votes = new Counter({
    name: 'prediction_market_oracle_votes_total',
    help: 'Votes in these rounds, by voter and outcome; the outcome of a voter that failed is failed.',
    labelNames: ['voter', 'outcome'],
    registers,
  });
  const cost = new Counter({
    name: 'prediction_market_oracle_cost_usd_total',
    help: 'What these votes cost in USD, where the voter says so.',
    labelNames: ['voter'],
    registers,
  });
  return (round) => {
    rounds.inc({ finding: round.finding, decision: round.decision });
    for (const { oracle: voter, outcome, error, costUsd } of round.votes) {
      votes.inc({ voter, outcome: error === undefined ? outcome : 'failed' });
      if (costUsd !== undefined) cost.inc({ voter }, costUsd);
    }
  };
}

function observeMarket(registry: Registry, market: PredictionMarket): void {
  const registers = [registry];
  const sequence = new Gauge({
    name: 'prediction_market_event_seq',
    help: 'Number of the newest event published by this process; the same facts on every instance, so never add it up.',
    aggregator: 'max',
    registers,
  });
  new Gauge({
    name: 'prediction_market_alarms',
    help: 'What operators have to look after now, by name; on the instance that sees it. Above 0 is an alarm.',
    labelNames: ['alarm'],
    // Some alarms are seen by every instance, others by one instance only. With the maximum over the workers,
    // each alarm counts once.
    aggregator: 'max',
    registers,
    collect() {
      const standing = market.alarms();
      for (const alarm of ALARM_NAMES)
        this.set({ alarm }, standing.filter(({ name }) => name === alarm).length);
    },
  });
  for (const name of EVENTS) market.events.on(name, ({ seq }) => sequence.set(seq));
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method as a label. A client can send any text as the method, and a label may have only a few values. */
function method(sent: string): string {
  return METHODS.has(sent) ? sent : 'other';
}

/**
 * The template of the path, such as `/api/v2/public/markets/:id`. The path itself is no label, because each
 * path would be a series of its own.
 */
function routeOf(response: Response): string {
  const named: unknown = response.locals['routeTemplate'];
  if (typeof named === 'string') return named;
  const route = response.req.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? response.req.baseUrl + route.path : 'unmatched';
}
