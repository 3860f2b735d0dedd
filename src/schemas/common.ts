import Joi from 'joi';
import type { FieldError } from '../domain/errors';
import { CATEGORIES, SIDES, TRADE_ACTIONS, type Side, type TradeAction } from '../domain/types';
import type { PageInput } from '../inputs';
import type { Rules } from './rules';
import { refuseNegativeZero } from './money';
import { line } from './text';

/** The most rows of a page. A greater `limit` is served as this number (docs/specification.md "Lists"). */
const LARGEST_PAGE = 100;
const DEFAULT_PAGE = 20;

/** A whole number of at least 1. A number above `max` counts as `max`. */
export function cappedLimit(max: number, fallback: number): Joi.NumberSchema {
  return (
    Joi.number()
      // Unsafe integers are allowed, because they count as `max`.
      .unsafe()
      .integer()
      .min(1)
      .custom((value: number) => Math.min(value, max))
      .default(fallback)
      .description(`At least 1; served as at most ${max}`)
  );
}

export const pageFields: Rules<PageInput> = {
  limit: cappedLimit(LARGEST_PAGE, DEFAULT_PAGE),
  offset: Joi.number().integer().min(0).custom(refuseNegativeZero).default(0).description('How many to skip'),
};

/** The most characters of the reason that an operator gives for a decision. */
export const LONGEST_REASON = 500;

/** The most characters of a category in a query. Node refuses longer URLs by default (`maxHeaderSize`). */
const LONGEST_CATEGORY = 16_384;

/** An unknown category is accepted and matches no market. */
export const categoryFilter = (): Joi.StringSchema =>
  line(LONGEST_CATEGORY)
    .custom((text: string) => text.toLowerCase())
    .description(`Category slug in any case: ${CATEGORIES.join(', ')}`);

export const oneOf = <Value extends string>(values: readonly Value[]): Joi.StringSchema<Value> =>
  Joi.string<Value>()
    .valid(...values)
    .messages({ 'any.required': `{{#label}} is required: ${values.join(', ')}` });

export const side = (): Joi.StringSchema<Side> =>
  oneOf(SIDES).description('The side of the shares; a share pays 1 USD if its side wins');
export const action = (): Joi.StringSchema<TradeAction> =>
  oneOf(TRADE_ACTIONS).default('buy').description('`buy` when left out');

/** An id, a ticker or a slug. The use case looks the market up. */
export const marketReference = (): Joi.AlternativesSchema =>
  Joi.alternatives(Joi.number().integer().min(1).custom(String), Joi.string())
    .required()
    .description('Numeric id, ticker (PM-0001) or slug')
    .messages({ 'alternatives.types': '{{#label}} must be an id, a ticker or a slug' });

/** Reads the id of a row from a path: a positive safe integer in decimal digits. `null` for other texts. */
export function parseRowId(text: string): number | null {
  return /^[1-9]\d{0,15}$/.test(text) ? possibleRowId(Number(text)) : null;
}

export function possibleRowId(id: number): number | null {
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** The error type of fields that are right one by one but not together. */
export const MISMATCH = 'object.mismatch';

/**
 * A rule of an object schema that makes the command from fields that have passed their own rules, or reports which
 * fields do not fit together. The result of `convert` replaces all fields.
 */
export function toCommand<Fields extends object>(
  convert: (fields: Fields) => object,
  mismatches: (fields: Fields) => FieldError[] = () => [],
): Joi.CustomValidator<Fields, object> {
  return (fields, helpers) => {
    const errors = mismatches(fields);
    return errors.length === 0 ? convert(fields) : helpers.error(MISMATCH, { errors });
  };
}

export function absentAsNull(...names: string[]): Joi.CustomValidator<Record<string, unknown>, object> {
  return toCommand((fields) => ({
    ...fields,
    ...Object.fromEntries(names.map((name) => [name, fields[name] ?? null])),
  }));
}
