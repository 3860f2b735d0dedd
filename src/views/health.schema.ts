import Joi from 'joi';
import { flag, oneOf } from './fields.schema';

export const health = Joi.object({ status: Joi.string().valid('ok').required() });

export const readiness = Joi.object({
  status: oneOf(['ready', 'unavailable']).description('ready: all checks are true'),
  checks: Joi.object({
    started: flag('Whether `start` has finished'),
    storage: flag('Whether the storage answers'),
    jobs: flag('Whether the jobs run'),
  }).required(),
});
