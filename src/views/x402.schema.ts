/** The schemas of the 402 answer and of the list of paid calls (docs/paying.md). */
import Joi from 'joi';
import { codesOfStatus } from '../domain/errors';
import { address, count, oneOf, text } from './fields.schema';

const baseUnits = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^[1-9]\d*$/)
    .required()
    .description('USDC base units: 1000000 is 1 USD');

const nonce = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^0x[0-9a-f]{64}$/)
    .required()
    .description('For the flat form of X-PAYMENT: the nonce of the authorization');

const requirements = {
  amount: baseUnits(),
  currency: Joi.string().valid('USDC').required(),
  network: text().description('CAIP-2').example('eip155:8453'),
  payTo: address(),
};

const accepted = Joi.object({
  scheme: Joi.string().valid('exact').required(),
  network: text().example('base'),
  maxAmountRequired: baseUnits(),
  resource: Joi.string().uri().required(),
  description: text(),
  mimeType: text(),
  payTo: address(),
  maxTimeoutSeconds: count('For how long the payment may be valid'),
  asset: address(),
  extra: Joi.object({ name: text(), version: text() }).required(),
});

export const paymentRequired = Joi.object({
  error: text(),
  code: oneOf(codesOfStatus(402)),
  message: text(),
  ...requirements,
  nonce: nonce(),
  x402Version: Joi.number().valid(1).required(),
  accepts: Joi.array().items(accepted).required(),
});

const endpoint = Joi.object({
  method: oneOf(['GET', 'POST']).description('The method of the call'),
  path: text().description('The path of the call'),
  price: Joi.number().min(0).allow(null).required().description('USD; null where the request names it'),
  amount: baseUnits().allow(null),
  description: text().description('What the call does'),
  input: Joi.object().unknown(true).required().description('JSON Schema of the query or body'),
  requirements: Joi.object({ ...requirements, nonce: nonce() })
    .allow(null)
    .required()
    .description('null where the request names the price'),
});

export const paymentInfo = Joi.object({
  x402Versions: Joi.array()
    .items(Joi.number().valid(1, 2))
    .required()
    .description('The versions of x402 that are understood'),
  currency: Joi.string().valid('USDC').required(),
  network: text().description('CAIP-2').example('eip155:8453'),
  asset: address(),
  assetName: text().description('The name in the EIP-712 domain of the token'),
  assetVersion: text().description('The version in the EIP-712 domain of the token'),
  payTo: address(),
  endpoints: Joi.array().items(endpoint).required(),
});
