/** The forms of refusals (docs/errors.md). */
import Joi from 'joi';
import { id, text } from './view-fields';

export const errorBodies = {
  Error: Joi.object({
    error: text().description('Equals `message`'),
    code: text().description('Stable; program against this'),
    message: text().description('For people'),
    errors: Joi.array()
      .items(Joi.object({ field: Joi.string().allow('').required(), message: text() }))
      .description('Which fields are wrong'),
  }),
  AuthError: Joi.object({
    success: Joi.boolean().valid(false).required(),
    error: text().description('The text for people'),
    code: text(),
  }),
  RateLimitError: Joi.object({
    error: text().description('`RATE_LIMIT_EXCEEDED`, or the text of the failed-authentication throttle'),
    code: Joi.string().valid('RATE_LIMIT_EXCEEDED').required(),
    message: text(),
    retryAfter: id().description('Seconds to wait'),
  }),
};
