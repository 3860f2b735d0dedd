/** Amounts of money and shares have at most 6 decimals. */

const MICROS = 1_000_000;
/** The largest error of floating point that is ignored, in millionths. For example, 0.7 * 3 is 2.0999999999999996. */
const NOISE = 1e-4;

/**
 * Rounds down to 6 decimals, as amounts and shares must be: `roundDown(balance * 0.1)`. An error of floating
 * point does not count, so `roundDown(0.7 * 3)` is 2.1.
 */
export function roundDown(value: number): number {
  const micros = value * MICROS;
  const nearest = Math.round(micros);
  // For a large amount the error of `micros` can exceed `NOISE`. A value with at most 6 decimals is kept as
  // it is.
  if (nearest / MICROS === value) return value;
  return (Math.abs(micros - nearest) <= NOISE ? nearest : Math.floor(micros)) / MICROS;
}
