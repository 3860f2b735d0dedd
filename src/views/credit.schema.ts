import Joi from 'joi';
import { DEPOSIT_SOURCES } from '../domain/payments';
import type { CreditListView, CreditView } from './credit';
import { amount, instant, oneOf, openPage, text } from './fields.schema';

export const credit = Joi.object<CreditView, true>({
  id: text().description('The id of the deposit, the same in every answer'),
  amount: amount('What was credited'),
  source: oneOf(DEPOSIT_SOURCES).description('An operator credited it, or a payment over x402'),
  createdAt: instant('When it was credited'),
});

export const creditList = Joi.object<CreditListView, true>({
  deposits: Joi.array().items(credit).required(),
  ...openPage,
});
