/**
 * Money and shares as integers of one millionth (docs/specification.md "Money"). Floats of USD exist at the JSON edge only;
 * they are converted by their decimal representation, so that 0.1 is exactly 100,000 micro-USD.
 */

export const MICROS_PER_USD = 1_000_000n;
/** The largest amount of anything: 10^9 USD, or as many shares. */
export const LARGEST_AMOUNT = 1_000_000_000n * MICROS_PER_USD;
/** One hundredth of a percent: fees are quoted in these. */
export const BASIS_POINTS = 10_000n;

const DECIMALS = 6;
const LARGEST_MICROS = Number(LARGEST_AMOUNT);

/** The digits of a finite number's shortest decimal representation: value = `digits` * 10^-`places`. */
function decimalDigits(value: number): { digits: bigint; places: number } {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (match === null) throw new RangeError(`Expected a finite number, got ${String(value)}`);
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] = match;
  return { digits: BigInt(`${sign}${whole}${fraction}`), places: fraction.length - Number(exponent) };
}

/** How many decimals the shortest representation of a number has: 0 for 12, 7 for 1e-7. RangeError when not finite. */
export function decimalPlaces(value: number): number {
  return Math.max(0, decimalDigits(value).places);
}

/** USD to micro-USD, exactly. RangeError when not finite or with more than 6 decimals. */
export function usdToMicros(usd: number): bigint {
  const { digits, places } = decimalDigits(usd);
  if (places > DECIMALS) throw new RangeError(`Expected at most ${DECIMALS} decimals, got ${String(usd)}`);
  return digits * 10n ** BigInt(DECIMALS - places);
}

/**
 * As `usdToMicros`, by arithmetic: `null` for what has more than 6 decimals, is no number or exceeds `LARGEST_AMOUNT`.
 * Up to 10^15 micros an error of rounding is below a quarter of a micro, so the nearest whole number is the one that
 * was meant, if any was; and a decimal of 15 digits is the only one of that length which its float stands for, so that
 * the way back tells whether there are further digits.
 */
export function wholeMicros(usd: number): bigint | null {
  const micros = Math.round(usd * 1_000_000);
  return Math.abs(micros) <= LARGEST_MICROS && micros / 1_000_000 === usd ? BigInt(micros) : null;
}

/** Micro-USD to the nearest float of USD. */
export function microsToUsd(micros: bigint): number {
  const plain = Number(micros);
  // Beyond 2^53 the conversion and the division would round one after the other.
  return Number.isSafeInteger(plain) ? plain / 1_000_000 : Number(formatMicros(micros));
}

/** Micro-units as a decimal text without trailing zeros: 1500000n is `1.5`. */
export function formatMicros(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  const fraction = String(size % MICROS_PER_USD)
    .padStart(DECIMALS, '0')
    .replace(/0+$/, '');
  return `${micros < 0n ? '-' : ''}${size / MICROS_PER_USD}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Quotient rounded towards minus infinity; the divisor is positive. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

/** Quotient rounded towards plus infinity; the divisor is positive. */
export function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return -floorDivide(-dividend, divisor);
}

/** The fee on a notional, rounded up to a base unit; never more than the notional while the rate is below 100%. */
export function feeOn(notional: bigint, basisPoints: bigint): bigint {
  return ceilDivide(notional * basisPoints, BASIS_POINTS);
}

/**
 * The most notional whose notional + fee is at most `amount`. The fee is the least integer that is not
 * below the rate, so the rounded-up condition holds exactly when the unrounded one does.
 */
export function notionalWithinBudget(amount: bigint, basisPoints: bigint): bigint {
  return floorDivide(amount * BASIS_POINTS, BASIS_POINTS + basisPoints);
}
