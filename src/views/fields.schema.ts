import Joi from 'joi';
import { SCOPES, SIDES, TRADE_ACTIONS } from '../domain/types';

export const id = (): Joi.NumberSchema => Joi.number().integer().min(1).required();
export const count = (): Joi.NumberSchema => Joi.number().integer().min(0).required();
export const text = (): Joi.StringSchema => Joi.string().required();
export const nullableText = (): Joi.StringSchema => Joi.string().allow(null).required();
export const usd = (what: string): Joi.NumberSchema => Joi.number().required().description(`${what}, USD`);
export const amount = (what: string): Joi.NumberSchema => usd(what).min(0);
export const probability = (what: string): Joi.NumberSchema =>
  Joi.number().min(0).max(1).required().description(what);
export const instant = (what: string): Joi.StringSchema =>
  Joi.string().isoDate().required().description(`${what}, ISO 8601`);
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
export const side = (): Joi.StringSchema => oneOf(SIDES);
export const action = (): Joi.StringSchema => oneOf(TRADE_ACTIONS);
export const scopes = (): Joi.ArraySchema =>
  Joi.array()
    .items(Joi.string().valid(...SCOPES))
    .required();

export const page = { total: count(), limit: id(), offset: count() };
