/**
 * Numbers, instants and addresses in the form that JSON shows. Every order uses these functions, so they have
 * to be fast.
 */
import { pricePerShare } from '../domain/execution';

export { microsToUsd as usd } from '../domain/money';
export { abbreviateAddress, checksumAddress } from '../crypto/address';

/** Millionths as a float. A price in JSON therefore has at most 6 decimals. */
export function price(millionths: number): number {
  return millionths / 1_000_000;
}

/** The price of the other side. The two shown prices sum to 1. */
export function oppositePrice(millionths: number): number {
  return (1_000_000 - millionths) / 1_000_000;
}

let lastInstant = { milliseconds: 0, text: new Date(0).toISOString() };

/** The instant in ISO 8601, in UTC. */
export function isoTime(milliseconds: number): string {
  // The last text is kept: all trades of a batch have the same instant, and formatting an instant is the
  // slowest part of their answers.
  if (milliseconds !== lastInstant.milliseconds) {
    lastInstant = { milliseconds, text: new Date(milliseconds).toISOString() };
  }
  return lastInstant.text;
}

export function isoTimeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoTime(milliseconds);
}

/** USD for each share with 6 decimals, from micro-USD and micro-shares. 0 without shares. */
export function usdPerShare(micros: bigint, shares: bigint): number {
  return price(pricePerShare({ notional: micros, shares }));
}
