/**
 * Money and shares as integers of one millionth (docs/specification.md "Money"). JSON has them as floats. Floats are
 * converted by their decimal digits, so that 0.1 is exactly 100,000 micro-USD.
 */

export const MICROS_PER_USD = 1_000_000n;
/** The largest amount of money or shares: 10^9 USD or shares. */
export const LARGEST_AMOUNT = 1_000_000_000n * MICROS_PER_USD;
/** Fees are quoted in basis points, hundredths of a percent. */
export const BASIS_POINTS = 10_000n;

export const DECIMALS = 6;
const LARGEST_MICROS = Number(LARGEST_AMOUNT);

/** The digits of a finite number in its shortest decimal form: value = `digits` * 10^-`places`. */
function decimalDigits(value: number): { digits: bigint; places: number } {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (match === null) throw new RangeError(`Expected a finite number, got ${String(value)}`);
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] = match;
  return { digits: BigInt(`${sign}${whole}${fraction}`), places: fraction.length - Number(exponent) };
}

/**
 * The number of decimals of a number in its shortest form: 0 for 12, 7 for 1e-7. Throws a RangeError when the
 * number is not finite.
 */
export function decimalPlaces(value: number): number {
  return Math.max(0, decimalDigits(value).places);
}

/**
 * Converts USD to micro-USD, exactly. Throws a RangeError for a number that is not finite or has more than 6
 * decimals.
 */
export function usdToMicros(usd: number): bigint {
  const { digits, places } = decimalDigits(usd);
  if (places > DECIMALS) throw new RangeError(`Expected at most ${DECIMALS} decimals, got ${String(usd)}`);
  return digits * 10n ** BigInt(DECIMALS - places);
}

/**
 * Like `usdToMicros`, but fast. `null` for a number with more than 6 decimals, for NaN, and for a number whose
 * absolute value is above `LARGEST_AMOUNT`. Up to that amount, rounding finds the whole number of micros if
 * there is one, and the division shows whether the number had more digits.
 */
export function wholeMicros(usd: number): bigint | null {
  const micros = Math.round(usd * 1_000_000);
  return Math.abs(micros) <= LARGEST_MICROS && micros / 1_000_000 === usd ? BigInt(micros) : null;
}

/** Converts micro-USD to the nearest float of USD. */
export function microsToUsd(micros: bigint): number {
  const plain = Number(micros);
  // Beyond 2^53 the conversion and the division would each round, and the two errors could add up.
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

/** The quotient, rounded towards minus infinity. The divisor is positive. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

/** The quotient, rounded towards plus infinity. The divisor is positive. */
export function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return -floorDivide(-dividend, divisor);
}

/** The fee on a notional, rounded up to a base unit. A fee below 100% never exceeds the notional. */
export function feeOn(notional: bigint, basisPoints: bigint): bigint {
  return ceilDivide(notional * basisPoints, BASIS_POINTS);
}

/**
 * The largest notional for which notional + fee is at most `amount`. `feeOn` rounds the fee up, and this
 * function does not. That makes no difference: `amount` is an integer, so notional + rounded fee is at most
 * `amount` exactly when notional + exact fee is.
 */
export function notionalWithinBudget(amount: bigint, basisPoints: bigint): bigint {
  return floorDivide(amount * BASIS_POINTS, BASIS_POINTS + basisPoints);
}
