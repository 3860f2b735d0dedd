/** Whether this instance is ready, asked at each scrape. */
import { Gauge, type Registry } from 'prom-client';
import type { PredictionMarket } from 'express-prediction-market';

export function observeReady(registry: Registry, market: Pick<PredictionMarket, 'isReady'>): void {
  new Gauge({
    name: 'prediction_market_ready',
    help: '1 when the instance is ready, as /ready answers; 0: it has not started, or its storage or its jobs do not work.',
    // A server with several workers is ready if each of them is.
    aggregator: 'min',
    registers: [registry],
    async collect() {
      this.set(Number(await market.isReady()));
    },
  });
}
