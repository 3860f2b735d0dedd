/** Whether this instance reaches Redis. A rate limit in memory gets none of these metrics. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { RateLimitBackend } from 'express-prediction-market';
import type { RedisRateLimit } from 'express-prediction-market/rate-limit/redis';

export function observeRateLimit(registry: Registry, backend: RateLimitBackend | RedisRateLimit): void {
  if (!('figures' in backend)) return;
  const registers = [registry];
  new Gauge({
    name: 'prediction_market_redis_reachable',
    help: '1 while this instance reaches Redis; at 0 it counts rate limits by itself.',
    aggregator: 'min',
    registers,
    collect() {
      this.set(Number(backend.figures().reachable));
    },
  });
  new Counter({
    name: 'prediction_market_redis_errors_total',
    help: 'How often this instance has lost Redis or could not reach it.',
    registers,
    collect() {
      // The backend counts by itself. At each scrape the counter takes over its figure.
      this.reset();
      this.inc(backend.figures().errors);
    },
  });
}
