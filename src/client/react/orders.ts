/** Orders of one component: one at a time, each executed at most once. */
import type { ExecutedTrade } from '../api.generated';
import { isPredictionMarketApiError } from '../errors';
import type { Order, Trades } from '../markets';

export interface Orders {
  place(marketId: number, order: Order): Promise<ExecutedTrade>;
  /** Forgets the last order if its outcome is not known. Has no effect while an order is under way. */
  forget(): void;
}

export interface OrderListener {
  placing(): void;
  placed(trade: ExecutedTrade): void;
  failed(error: unknown): void;
}

/** The most orders of unknown outcome. At this number no other order is placed. */
const MOST_UNKNOWN = 100;

export function createOrders(trades: Pick<Trades, 'place'>, listener: OrderListener): Orders {
  let underWay: { text: string; result: Promise<ExecutedTrade> } | null = null;
  /**
   * The idempotency keys of orders whose outcome is not known, by `textOf` the order. A refusal does not remove a
   * key, because the first request may still be executed.
   */
  const unknownOutcomes = new Map<string, string>();
  let last: string | null = null;

  async function send(marketId: number, order: Order, text: string): Promise<ExecutedTrade> {
    listener.placing();
    try {
      const key = unknownOutcomes.get(text);
      // The client makes the key of a new order, so it knows that a refusal is final.
      const trade = await trades.place(marketId, order, key === undefined ? {} : { idempotencyKey: key });
      unknownOutcomes.delete(text);
      listener.placed(trade);
      return trade;
    } catch (error) {
      if (isPredictionMarketApiError(error) && error.outcome === 'unknown' && error.idempotencyKey !== null)
        unknownOutcomes.set(text, error.idempotencyKey);
      listener.failed(error);
      throw error;
    } finally {
      underWay = null;
    }
  }

  return {
    place(marketId, order) {
      const text = textOf(marketId, order);
      if (underWay !== null && underWay.text !== text)
        return Promise.reject(new Error('Another order is under way.'));
      if (underWay !== null) return underWay.result;
      if (unknownOutcomes.size >= MOST_UNKNOWN && !unknownOutcomes.has(text))
        return Promise.reject(new Error(`The outcome of ${MOST_UNKNOWN} orders is not known.`));
      last = text;
      underWay = { text, result: send(marketId, order, text) };
      return underWay.result;
    },
    forget() {
      if (underWay === null && last !== null) unknownOutcomes.delete(last);
    },
  };
}

/** The text that identifies an order. The sequence of the fields does not matter. */
function textOf(marketId: number, order: Order): string {
  return `${marketId} ${JSON.stringify(order, Object.keys(order).sort())}`;
}
