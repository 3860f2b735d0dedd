import Joi from 'joi';
import { CATEGORIES, MARKET_STATUSES, OUTCOMES, SCOPES, SIDES, TRADE_ACTIONS } from '../domain/types';

/** Names the unit at the end of the first clause. */
const inUnit = (what: string, unit: string): string => what.replace(/(?=;|$)/, `, ${unit}`);

export const id = (what: string): Joi.NumberSchema =>
  Joi.number().integer().min(1).required().description(what);
export const count = (what: string): Joi.NumberSchema =>
  Joi.number().integer().min(0).required().description(what);
export const shares = (what: string): Joi.NumberSchema =>
  Joi.number().min(0).required().description(inUnit(what, 'with at most 6 decimals'));
export const flag = (what: string): Joi.BooleanSchema => Joi.boolean().required().description(what);
export const text = (): Joi.StringSchema => Joi.string().required();
export const nullableText = (): Joi.StringSchema => Joi.string().allow(null).required();
export const usd = (what: string): Joi.NumberSchema =>
  Joi.number().required().description(inUnit(what, 'USD'));
export const amount = (what: string): Joi.NumberSchema => usd(what).min(0);
export const probability = (what: string): Joi.NumberSchema =>
  Joi.number().min(0).max(1).required().description(what);
export const instant = (what: string): Joi.StringSchema =>
  Joi.string().isoDate().required().description(inUnit(what, 'ISO 8601'));
export const nullableInstant = (what: string): Joi.StringSchema => instant(what).allow(null);
export const address = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^0x[0-9a-fA-F]{40}$/)
    .required()
    .description('EVM address in EIP-55 form');
export const oneOf = (values: readonly string[]): Joi.StringSchema =>
  Joi.string()
    .valid(...values)
    .required();
export const side = (): Joi.StringSchema =>
  oneOf(SIDES).description('The side of the shares; a share pays 1 USD if its side wins');
export const action = (): Joi.StringSchema =>
  oneOf(TRADE_ACTIONS).description('Whether the shares are bought or sold');
/** The operator's reference of a deposit. */
export const reference = (): Joi.StringSchema =>
  text().description('The text by which the operator credited the money; each text is credited once');
/** An event position. */
export const positionFields = {
  epoch: text().description('The name of the sequence of facts'),
  seq: count('The number of a fact in this sequence'),
};
export const marketId = (): Joi.NumberSchema => id('The number of the market');
export const outcome = (): Joi.StringSchema =>
  oneOf(OUTCOMES).description('What the market is resolved to; VOID pays 0.50 USD for each share');
export const ticker = (): Joi.StringSchema =>
  text().description('The readable number of the market').example('PM-0001');
export const slug = (): Joi.StringSchema =>
  text()
    .description('The name of the market in addresses, made from its question')
    .example('will-it-rain-tomorrow');
export const question = (): Joi.StringSchema => text().description('The question of the market');
export const marketStatus = (): Joi.StringSchema =>
  oneOf(MARKET_STATUSES).description(
    'open: it is traded; resolving: trading has ended, and there is no outcome yet; resolved: it has an outcome',
  );
export const category = (): Joi.StringSchema => text().description(`One of ${CATEGORIES.join(', ')}`);
export const scopes = (): Joi.ArraySchema =>
  Joi.array()
    .items(Joi.string().valid(...SCOPES))
    .required()
    .description('What the key may do');

const limit = (): Joi.NumberSchema => id('How many rows a page has at most');
const offset = (): Joi.NumberSchema => count('How many rows before this page were skipped');
const hasMore = (): Joi.BooleanSchema => flag('Whether more rows follow this page');

export const page = {
  total: count('How many rows there are on all pages together'),
  limit: limit(),
  offset: offset(),
};
/** For lists that are not counted. */
export const openPage = { limit: limit(), offset: offset(), hasMore: hasMore() };
/** For lists that begin after an id. */
export const pageAfter = { limit: limit(), hasMore: hasMore() };
