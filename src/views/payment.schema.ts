import Joi from 'joi';
import { PAYMENT_STATUSES, PAYMENT_VERDICTS } from '../domain/payments';
import { address, amount, id, instant, nullableText, oneOf, openPage, text } from './fields.schema';
import type { PaymentDecisionView, PaymentListView, PaymentView } from './payment';

const decision = Joi.object<PaymentDecisionView, true>({
  verdict: oneOf(PAYMENT_VERDICTS).description('Whether the payer was charged (confirmed) or not (rejected)'),
  reason: text().description('How the operator knows the outcome'),
  decidedAt: instant('When the operator decided'),
});

export const payment = Joi.object<PaymentView, true>({
  id: id('The number of the payment'),
  status: oneOf(PAYMENT_STATUSES).description('How far the payment has come, from its claim to its delivery'),
  operation: text().description('The call that was paid for'),
  payer: address(),
  asset: address(),
  nonce: text().description('The nonce of the authorization'),
  validBefore: instant('When the authorization ends; null: the stored row cannot be read').allow(null),
  amount: amount('What was paid'),
  transaction: nullableText().description('Hash of the settling transaction'),
  reason: nullableText().description('Why it was rejected, or what it waits for'),
  decision: decision
    .allow(null)
    .required()
    .description(
      'The decision of an operator on a settlement that the service cannot look up; null: there is none',
    ),
  createdAt: instant('When it was claimed'),
  updatedAt: instant('When its status last changed'),
});

export const paymentList = Joi.object<PaymentListView, true>({
  payments: Joi.array().items(payment).required(),
  ...openPage,
});
