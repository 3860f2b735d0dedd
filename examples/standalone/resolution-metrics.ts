/** The markets that are closed and not resolved, counted in the storage at each scrape. */
import { Gauge, type Registry } from 'prom-client';
import type { PredictionMarket } from 'express-prediction-market';
import { sharedRead } from './shared-read';

const STATUSES = ['waiting', 'stalled', 'proposed', 'escalated'] as const;

export function observeResolutions(
  registry: Registry,
  market: Pick<PredictionMarket, 'listResolutions'>,
): void {
  // The storage counts the total by an index. The list itself is not used, so it has one market.
  const ask = sharedRead(async () => {
    const counts = new Map<string, number>();
    for (const status of STATUSES)
      counts.set(status, (await market.listResolutions({ status, limit: 1 })).total);
    return counts;
  });
  new Gauge({
    name: 'prediction_market_resolutions',
    help: 'Markets that are closed and not resolved, by status; escalated and stalled ones are alarms.',
    labelNames: ['status'],
    // Every instance counts the same markets.
    aggregator: 'first',
    registers: [registry],
    async collect() {
      const counts = await ask();
      for (const status of STATUSES) this.set({ status }, counts?.get(status) ?? NaN);
    },
  });
}
