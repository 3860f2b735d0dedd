import Joi from 'joi';
import { OPERATOR_ACTIONS } from '../domain/operator-acts';
import { id, instant, oneOf, openPage, text } from './fields.schema';
import type { OperatorActView, OperatorLogView } from './operator-log';

const detail = Joi.alternatives(Joi.string().allow('', null), Joi.number(), Joi.array().items(Joi.string()));

export const operatorAct = Joi.object<OperatorActView, true>({
  id: id('The number of the act'),
  at: instant('When the operator acted'),
  operator: text().description('The name that the host gave the operator'),
  action: oneOf(OPERATOR_ACTIONS).description('What the operator did'),
  target: text().description('The wallet, the id or the name of what was changed'),
  question: Joi.string()
    .allow(null)
    .required()
    .description('The question of the market that was changed; null if something else was changed'),
  details: Joi.object()
    .pattern(Joi.string(), detail)
    .required()
    .description('Details of the act, such as its reason or its amount'),
});

export const operatorLog = Joi.object<OperatorLogView, true>({
  acts: Joi.array().items(operatorAct).required(),
  ...openPage,
});
