/**
 * The money and the risk of the house, read from the books at each scrape. Every instance shows the same
 * figures, so take the figures of one instance, not their sum.
 */
import { Gauge, type Registry } from 'prom-client';
import type { PredictionMarket } from 'express-prediction-market';
import { sharedRead } from './shared-read';

type Treasury = Awaited<ReturnType<PredictionMarket['getTreasury']>>;

const FIGURES: Record<string, { help: string; of: (treasury: Treasury) => number }> = {
  prediction_market_treasury_usd: {
    help: 'What the treasury holds: put in by operators or won, less what was lost.',
    of: ({ balance }) => balance,
  },
  prediction_market_exposure_usd: {
    help: 'Worst losses of all markets that are not resolved.',
    of: ({ exposure }) => exposure,
  },
  prediction_market_exposure_limit_usd: {
    help: 'How far the exposure may go beyond the treasury.',
    of: ({ limit }) => limit,
  },
  prediction_market_solvency_usd: {
    help: 'What would be left of the treasury if every open market cost the house the most it can.',
    of: ({ balance, exposure }) => balance - exposure,
  },
  prediction_market_solvent: {
    help: '1 when the books can pay what they owe; 0 is an alarm: withdrawals wait.',
    of: ({ solvent }) => Number(solvent),
  },
};

export function observeHouse(registry: Registry, market: Pick<PredictionMarket, 'getTreasury'>): void {
  const ask = sharedRead(() => market.getTreasury());
  for (const [name, { help, of }] of Object.entries(FIGURES)) {
    new Gauge({
      name,
      help,
      aggregator: 'first',
      registers: [registry],
      async collect() {
        const treasury = await ask();
        // If the storage does not answer, the figure is NaN. The last figure would look as if nothing had
        // changed.
        this.set(treasury === null ? NaN : of(treasury));
      },
    });
  }
}
