/** Numbers, instants and addresses in the form that JSON shows. Every order uses this code, so it has to be fast. */
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

/**
 * The number of places in a cache of formatted instants, whose index is `milliseconds % PLACES`. It is a prime, so
 * that full hours and days have different indexes.
 */
const PLACES = 1_021;
const instants = new Float64Array(PLACES).fill(Number.NaN);
const texts = new Array<string>(PLACES).fill('');

/** The instant in ISO 8601, in UTC. */
export function isoTime(milliseconds: number): string {
  // Formatting is slow and instants recur. A clock may return fractions of a millisecond, so the index is made of the
  // whole milliseconds.
  const place = Math.trunc(Math.abs(milliseconds)) % PLACES;
  if (instants[place] !== milliseconds) {
    texts[place] = new Date(milliseconds).toISOString();
    instants[place] = milliseconds;
  }
  return texts[place] ?? '';
}

export function isoTimeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoTime(milliseconds);
}

/** USD for each share with 6 decimals, from micro-USD and micro-shares. 0 without shares. */
export function usdPerShare(micros: bigint, shares: bigint): number {
  return price(pricePerShare({ notional: micros, shares }));
}
