/** Orders of one component: one at a time, each executed at most once. */
import type { ExecutedTrade } from '../api.generated';
import { isPredictionMarketApiError } from '../errors';
import { newIdempotencyKey } from '../idempotency';
import type { Order, Trades } from '../markets';

export interface Orders {
  place(marketId: number, order: Order): Promise<ExecutedTrade>;
  /** Forgets that the outcome of the last order is not known. Has no effect while an order is under way. */
  forget(): void;
}

export interface OrderListener {
  placing(): void;
  placed(trade: ExecutedTrade): void;
  failed(error: unknown): void;
}

export function createOrders(trades: Pick<Trades, 'place'>, listener: OrderListener): Orders {
  let underWay: { text: string; result: Promise<ExecutedTrade> } | null = null;
  /** An order whose outcome is not known, with its key. */
  let open: { text: string; key: string } | null = null;

  async function send(marketId: number, order: Order, key: string): Promise<ExecutedTrade> {
    listener.placing();
    try {
      const trade = await trades.place(marketId, order, { idempotencyKey: key });
      open = null;
      listener.placed(trade);
      return trade;
    } catch (error) {
      if (isPredictionMarketApiError(error) && error.outcome === 'refused') open = null;
      listener.failed(error);
      throw error;
    } finally {
      underWay = null;
    }
  }

  return {
    place(marketId, order) {
      const text = JSON.stringify([marketId, order]);
      if (underWay !== null && underWay.text !== text)
        return Promise.reject(new Error('Another order is under way.'));
      if (underWay !== null) return underWay.result;
      const key = open?.text === text ? open.key : newIdempotencyKey();
      open = { text, key };
      underWay = { text, result: send(marketId, order, key) };
      return underWay.result;
    },
    forget() {
      if (underWay === null) open = null;
    },
  };
}
