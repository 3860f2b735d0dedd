import Joi from 'joi';
import type { FieldError } from '../domain/errors';
import { id, text } from './fields.schema';
import type { RefusalView } from './refusal';

const fieldError = Joi.object<FieldError, true>({
  field: Joi.string().allow('').required().description('The name of the field; empty: the whole input'),
  message: text().description('What is wrong, for people'),
});

export const refusal = Joi.object<RefusalView, true>({
  error: text().description('Equals `message`'),
  code: text().description('Stable; program against this'),
  message: text().description('For people'),
  errors: Joi.array().items(fieldError).description('Which fields are wrong'),
});

export const authRefusal = Joi.object({
  success: Joi.boolean().valid(false).required(),
  error: text().description('The text for people'),
  code: text(),
});

export const rateLimitRefusal = Joi.object({
  error: text().description('`RATE_LIMIT_EXCEEDED`, or the text of the failed-authentication throttle'),
  code: Joi.string().valid('RATE_LIMIT_EXCEEDED').required(),
  message: text(),
  retryAfter: id('Seconds to wait'),
});
