import Joi from 'joi';
import { parseAddress } from '../../crypto/address';
import { PredictionMarketError, validationError } from '../../domain/errors';
import type { Address } from '../../domain/types';
import { parseRowId } from '../../schemas/common';
import type { PathParameter } from '../route';

/**
 * The reference of a market. Every text is valid here: the look-up answers 404 for a market that it does not
 * know.
 */
export const marketParameter: PathParameter<string> = {
  name: 'id',
  schema: Joi.string(),
  description: 'Numeric id, ticker (PM-0001) or slug',
  parse: (text) => text,
};

/**
 * The id of a key. A text that cannot be an id becomes `null`. Then the use case checks the signature and
 * answers 404.
 */
export const keyIdParameter: PathParameter<number | null> = {
  name: 'id',
  schema: Joi.number().integer().min(1),
  description: 'Id of the key',
  parse: parseRowId,
};

export const requiredKeyIdParameter: PathParameter<number> = {
  ...keyIdParameter,
  parse(text) {
    const id = parseRowId(text);
    if (id === null) throw new PredictionMarketError('KEY_NOT_FOUND', 'No such key');
    return id;
  },
};

export const paymentIdParameter: PathParameter<number> = {
  name: 'id',
  schema: Joi.number().integer().min(1),
  description: 'Id of the payment',
  parse(text) {
    const id = parseRowId(text);
    if (id === null) throw new PredictionMarketError('NOT_FOUND', 'There is no such payment');
    return id;
  },
};

export const withdrawalIdParameter: PathParameter<number> = {
  name: 'id',
  schema: Joi.number().integer().min(1),
  description: 'Id of the withdrawal',
  parse(text) {
    const id = parseRowId(text);
    if (id === null) throw new PredictionMarketError('NOT_FOUND', 'There is no such withdrawal');
    return id;
  },
};

/** Every text is valid here. The use case answers 404 for a name that no consumer has. */
export const consumerNameParameter: PathParameter<string> = {
  name: 'name',
  schema: Joi.string(),
  description: 'Name of the consumer',
  parse: (text) => text,
};

export const webhookIdParameter: PathParameter<number> = {
  name: 'id',
  schema: Joi.number().integer().min(1),
  description: 'Id of the webhook',
  parse(text) {
    const id = parseRowId(text);
    if (id === null) throw new PredictionMarketError('NOT_FOUND', 'There is no such webhook');
    return id;
  },
};

export const addressParameter: PathParameter<Address> = {
  name: 'address',
  schema: Joi.string().pattern(/^0x[0-9a-fA-F]{40}$/),
  description: 'EVM address; mixed case must be right by EIP-55',
  parse(text) {
    const address = parseAddress(text);
    if (address !== null) return address;
    throw validationError([{ field: 'address', message: 'address must be an EVM address' }]);
  },
};
