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

/**
 * Formatted instants, each in the place that its remainder gives: a later instant with the same place replaces it.
 * The number is a prime, so that full hours and days have different places.
 */
const PLACES = 1_021;
const instants = new Float64Array(PLACES).fill(Number.NaN);
const texts = new Array<string>(PLACES).fill('');

/** The instant in ISO 8601, in UTC. */
export function isoTime(milliseconds: number): string {
  // Formatting an instant is the slowest part of an answer, and instants come again: those of a batch in all its
  // answers, and those of markets in every list.
  // A clock may count fractions of a millisecond. They have no places of their own, which would be without number.
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
