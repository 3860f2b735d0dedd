import Joi from 'joi';

export const health = Joi.object({ status: Joi.string().valid('ok').required() });

export const readiness = Joi.object({
  status: Joi.string().valid('ready', 'unavailable').required(),
  checks: Joi.object({
    started: Joi.boolean().required(),
    storage: Joi.boolean().required(),
    jobs: Joi.boolean().required(),
  }).required(),
});
