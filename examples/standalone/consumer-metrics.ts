/** The consumers of facts, read from the storage at each scrape. Every instance shows the same figures. */
import { Gauge, type Registry } from 'prom-client';
import type { ConsumerView, PredictionMarket } from 'express-prediction-market';
import { sharedRead } from './shared-read';

const FIGURES: Record<string, { help: string; of: (consumer: ConsumerView) => number }> = {
  prediction_market_consumer_behind: {
    help: 'Facts after the position of each consumer.',
    of: ({ behind }) => behind,
  },
  prediction_market_consumer_parked: {
    help: 'Facts that each consumer has put aside because its handler failed too often.',
    of: ({ parked }) => parked,
  },
  prediction_market_consumer_stopped: {
    help: '1 while a consumer handles no facts until an operator acts.',
    of: ({ status }) => Number(status === 'stopped'),
  },
};

export function observeConsumers(registry: Registry, market: Pick<PredictionMarket, 'consumers'>): void {
  const ask = sharedRead(() => market.consumers());
  for (const [name, { help, of }] of Object.entries(FIGURES)) {
    new Gauge({
      name,
      help,
      labelNames: ['consumer'],
      aggregator: 'first',
      registers: [registry],
      async collect() {
        const { consumers } = (await ask()) ?? { consumers: [] };
        // If the storage does not answer, the series disappear. The last figures would look as if nothing had
        // changed.
        this.reset();
        for (const consumer of consumers) this.set({ consumer: consumer.name }, of(consumer));
      },
    });
  }
}
