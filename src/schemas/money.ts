/** Converts JSON numbers to integers: USD, shares and prices become millionths. */
import Joi from 'joi';
import { decimalPlaces, DECIMALS, LARGEST_AMOUNT, MICROS_PER_USD, usdToMicros } from '../domain/money';

/** The largest amount of money or shares, in whole units (10^9 USD or shares). */
const LARGEST = Number(LARGEST_AMOUNT / MICROS_PER_USD);
const TOO_FINE = { custom: `{{#label}} must have at most ${DECIMALS} decimals` };
const NEGATIVE_ZERO = { custom: '{{#label}} must not be negative zero' };

/** Refuses -0, which is a mistake of the caller. Joi has turned -0 into 0, so this checks the original value. */
export function refuseNegativeZero(value: number, helpers: Joi.CustomHelpers): number | Joi.ErrorReport {
  return Object.is(helpers.original, -0) ? helpers.message(NEGATIVE_ZERO) : value;
}

function toMillionths(value: number, helpers: Joi.CustomHelpers): bigint | Joi.ErrorReport {
  if (Object.is(helpers.original, -0)) return helpers.message(NEGATIVE_ZERO);
  return decimalPlaces(value) > DECIMALS ? helpers.message(TOO_FINE) : usdToMicros(value);
}

const decimal = (): Joi.NumberSchema => Joi.number().max(LARGEST).custom(toMillionths);

/** More than 0 and at most 10^9, with at most 6 decimals. The result is in micro-USD or micro-shares. */
export const positiveAmount = (): Joi.NumberSchema => decimal().greater(0);
/** Like `positiveAmount`, but 0 is allowed. */
export const amountOrZero = (): Joi.NumberSchema => decimal().min(0);
/** A price from 0 to 1 with at most 6 decimals. The result is in millionths, as a `bigint`. */
export const priceBound = (): Joi.NumberSchema => Joi.number().min(0).max(1).custom(toMillionths);
