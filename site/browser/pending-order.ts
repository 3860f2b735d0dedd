/**
 * An order with an unknown outcome. It is stored before it is sent, and forgotten when an answer tells the
 * outcome. So a lost answer or a reload does not lead to a second order. It is sent again with the same key,
 * and trades at most once.
 */
import { Refusal } from './api';

export interface Order {
  side: 'YES' | 'NO';
  action: 'buy' | 'sell';
  /** USD for a buy, shares for a sell. */
  size: number;
}

export interface PendingOrder {
  order: Order;
  /** The exact body that was sent, with the bounds of the price that the trader saw. */
  body: object;
  idempotencyKey: string;
  sentAt: number;
}

/** For this long the service promises to remember a key. */
const KEY_KNOWN_MS = 24 * 3_600_000;

/** Keys belong to a wallet. Another wallet on this page has its own orders. */
const placeOf = (market: string, address: string): string =>
  `prediction-market.pending-order.${market}.${address.toLowerCase()}`;

export const pendingOrders = {
  /** `expired`: the service may have forgotten the key, so the order must not be sent again. */
  get(market: string, address: string): PendingOrder | 'expired' | null {
    const stored = localStorage.getItem(placeOf(market, address));
    if (stored === null) return null;
    const pending = JSON.parse(stored) as PendingOrder;
    return Date.now() - pending.sentAt < KEY_KNOWN_MS ? pending : 'expired';
  },
  set: (market: string, address: string, pending: PendingOrder): void =>
    localStorage.setItem(placeOf(market, address), JSON.stringify(pending)),
  clear: (market: string, address: string): void => localStorage.removeItem(placeOf(market, address)),
};

/** Refusals that are decided before the service looks at the order's key. */
const BEFORE_THE_KEY = new Set([401, 403, 413, 415, 429]);

/**
 * Whether a failure proves that the order was not executed. `again`: the order was sent before, and that
 * attempt may have succeeded.
 */
export function tellsOutcome(error: unknown, again: boolean): boolean {
  if (!(error instanceof Refusal)) return false;
  // An answer without a code comes from a proxy in front of the service.
  const refused = error.status >= 400 && error.status < 500 && error.code !== '';
  return refused && !(again && BEFORE_THE_KEY.has(error.status));
}
