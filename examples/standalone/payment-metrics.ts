/** The payments on which work is left, read from the storage at each scrape. Every instance shows the same figures. */
import { Gauge, type Registry } from 'prom-client';
import type { PredictionMarket } from 'express-prediction-market';
import { sharedRead } from './shared-read';

const STATUSES = ['claimed', 'submitted', 'settled', 'rejected'] as const;

export function observePayments(registry: Registry, market: Pick<PredictionMarket, 'paymentBacklog'>): void {
  const ask = sharedRead(async () => {
    const backlog = await market.paymentBacklog();
    return new Map<string, { count: number; oldestSeconds: number }>(
      backlog.map(({ status, ...figures }) => [status, figures]),
    );
  });
  const figure = (
    name: string,
    help: string,
    of: (figures: { count: number; oldestSeconds: number }) => number,
  ): void => {
    new Gauge({
      name,
      help,
      labelNames: ['status'],
      aggregator: 'first',
      registers: [registry],
      async collect() {
        const figures = await ask();
        const none = { count: 0, oldestSeconds: 0 };
        // If the storage does not answer, the figure is NaN. The last figure would look as if nothing had changed.
        for (const status of STATUSES)
          this.set({ status }, figures === null ? NaN : of(figures.get(status) ?? none));
      },
    });
  };
  figure(
    'prediction_market_payments_open',
    'Payments on which work is left, by status; of the first 1,000 that are due. A rejected one is looked up again.',
    ({ count }) => count,
  );
  figure(
    'prediction_market_payments_oldest_seconds',
    'Seconds since the oldest of these payments was claimed, by status; 0 without one.',
    ({ oldestSeconds }) => oldestSeconds,
  );
}
