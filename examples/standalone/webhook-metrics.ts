/** The webhooks, read from the storage at each scrape. Every instance shows the same figures. */
import { Gauge, type Registry } from 'prom-client';
import type { PredictionMarket } from 'express-prediction-market';
import { sharedRead } from './shared-read';

export function observeWebhooks(registry: Registry, market: Pick<PredictionMarket, 'listWebhooks'>): void {
  const registers = [registry];
  // There are at most 100 webhooks.
  const ask = sharedRead(async () => (await market.listWebhooks({ limit: 100 })).webhooks);
  new Gauge({
    name: 'prediction_market_webhooks',
    help: 'Webhooks by status; a disabled one is an alarm.',
    labelNames: ['status'],
    aggregator: 'first',
    registers,
    async collect() {
      const webhooks = await ask();
      for (const status of ['enabled', 'disabled'] as const)
        this.set({ status }, webhooks?.filter((webhook) => webhook.status === status).length ?? NaN);
    },
  });
  new Gauge({
    name: 'prediction_market_webhook_behind',
    help: 'Facts after the position of each webhook.',
    labelNames: ['webhook'],
    aggregator: 'first',
    registers,
    async collect() {
      const webhooks = await ask();
      // If the storage does not answer, the series disappear. The last figures would look as if nothing had
      // changed.
      this.reset();
      for (const { id, behind } of webhooks ?? []) this.set({ webhook: String(id) }, behind);
    },
  });
}
