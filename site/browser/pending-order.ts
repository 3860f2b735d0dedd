/**
 * An order whose outcome is not known yet. It is stored before it is sent and forgotten when an answer tells what became of
 * it, so that neither a lost answer nor a reload makes a second order of it: sent again under its key it trades once at most.
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
  /** What was sent, to the letter: the bounds of the price that the trader saw. */
  body: object;
  idempotencyKey: string;
  sentAt: number;
}

/** The service promises to know a key for so long. */
const KEY_KNOWN_MS = 24 * 3_600_000;

/** Keys belong to a wallet: another wallet that connects on this page has orders of its own. */
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

/** Refusals that come before the service looks at the order's key. */
const BEFORE_THE_KEY = new Set([401, 403, 413, 415, 429]);

/** Whether a failure tells that the order was not executed. `again`: it had been sent before, and that may have worked. */
export function tellsOutcome(error: unknown, again: boolean): boolean {
  if (!(error instanceof Refusal)) return false;
  // Without a code it is not the service that answers, but what stands before it.
  const refused = error.status >= 400 && error.status < 500 && error.code !== '';
  return refused && !(again && BEFORE_THE_KEY.has(error.status));
}
