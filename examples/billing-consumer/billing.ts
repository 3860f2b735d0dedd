/**
 * Books the fee of each trade exactly once. The market delivers each fact at least once, and the table of
 * fees stores each fee only once.
 */
import type { ConsumerHandle, PredictionMarket } from 'express-prediction-market';
import type { FeeBook } from './fee-book.js';

/** Call this after `pm.start()`, on every instance. Only one instance at a time handles facts. */
export function startBilling(pm: PredictionMarket, fees: FeeBook): Promise<ConsumerHandle> {
  return pm.consume(
    'billing',
    async (events, { epoch, seq }) => {
      for (const { event, data } of events) {
        // One call gets all events of a fact. A fact has at most one trade, so epoch and seq identify its
        // fee.
        if (event !== 'trade' || data.fee === 0) continue;
        await fees.book({ epoch, seq, marketId: data.marketId, micros: Math.round(data.fee * 1_000_000) });
      }
      // The fact counts as handled when this function returns. If `book` throws, the market delivers the fact
      // again after a pause.
    },
    { from: 'oldest' }, // trades from before the first start count too; later starts go on from the stored position
  );
}
