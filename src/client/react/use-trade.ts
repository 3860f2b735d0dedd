import { useCallback, useMemo, useState } from 'react';
import type { ExecutedTrade } from '../api.generated';
import type { PredictionMarketApiError } from '../errors';
import type { Order } from '../markets';
import { asApiError } from './entry';
import { createOrders } from './orders';
import { useStore } from './provider';

/** How the last order of `useTrade` stands. */
export interface TradeState {
  /** Whether an order is under way. */
  readonly isPlacing: boolean;
  /** The trade of the last order, once the order is executed; else null. */
  readonly trade: ExecutedTrade | null;
  /** Why the last order failed. `outcome: 'unknown'`: the order may have been executed. */
  readonly error: PredictionMarketApiError | null;
}

/** The state of the last order, and the functions that change it. */
export interface UseTrade extends TradeState {
  /**
   * Places the order. After an error with an unknown outcome, the same order is executed at most once. While an order
   * is under way, the same order is not sent again, and a different order is refused.
   */
  place(order: Order): Promise<ExecutedTrade>;
  /**
   * Forgets the last trade or error, and the order of unknown outcome that caused the error. Has no effect while an
   * order is under way.
   */
  reset(): void;
}

const IDLE: TradeState = { isPlacing: false, trade: null, error: null };

/** Places orders in the market, one at a time, each executed at most once. docs/react.md "Orders". */
export function useTrade(marketId: number): UseTrade {
  const { client } = useStore();
  const [state, setState] = useState(IDLE);
  const orders = useMemo(
    () =>
      createOrders(client.trades, {
        placing: () => setState({ ...IDLE, isPlacing: true }),
        placed: (trade) => setState({ ...IDLE, trade }),
        failed: (error) => setState({ ...IDLE, error: asApiError(error, 'unknown') }),
      }),
    [client],
  );
  const place = useCallback((order: Order) => orders.place(marketId, order), [orders, marketId]);
  const reset = useCallback(() => {
    orders.forget();
    setState((present) => (present.isPlacing ? present : IDLE));
  }, [orders]);
  return { ...state, place, reset };
}
