/**
 * The market that was sent and has no known outcome. Opening a market has no idempotency key, so it is stored
 * before it is sent, and not sent a second time before its creator has said so.
 */
import type { NewMarket } from '../../src/client';

const placeOf = (address: string): string => `prediction-market.pending-market.${address.toLowerCase()}`;

export const pendingMarkets = {
  get: (address: string): NewMarket | null =>
    JSON.parse(localStorage.getItem(placeOf(address)) ?? 'null') as NewMarket | null,
  set: (address: string, market: NewMarket): void =>
    localStorage.setItem(placeOf(address), JSON.stringify(market)),
  clear: (address: string): void => localStorage.removeItem(placeOf(address)),
};
