import Joi from 'joi';
import { DEPOSIT_SOURCES } from '../domain/paid-deposits';
import type { CreditListView, CreditView, OperatorCreditListView, OperatorCreditView } from './credit';
import { amount, instant, nullableText, oneOf, openPage, text } from './fields.schema';

const fields = {
  id: text().description('The id of the deposit, the same in every answer'),
  amount: amount('What was credited'),
  source: oneOf(DEPOSIT_SOURCES).description('An operator credited it, or a payment over x402'),
  transaction: nullableText().description(
    'Hash of the transaction that paid for it, if it is known; null for a deposit by an operator',
  ),
  createdAt: instant('When it was credited'),
};

export const credit = Joi.object<CreditView, true>(fields);
export const operatorCredit = Joi.object<OperatorCreditView, true>({
  ...fields,
  reference: text().description(
    'The text by which it was credited; a payment over x402 has a reference of its own',
  ),
});

export const operatorCreditList = Joi.object<OperatorCreditListView, true>({
  deposits: Joi.array().items(operatorCredit).required(),
  ...openPage,
});

export const creditList = Joi.object<CreditListView, true>({
  deposits: Joi.array().items(credit).required(),
  ...openPage,
});
