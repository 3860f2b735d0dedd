import Joi from 'joi';
import { WITHDRAWAL_STATUSES } from '../domain/withdrawals';
import { amount, id, instant, nullableText, oneOf, page } from './fields.schema';
import type { WithdrawalListView, WithdrawalView } from './withdrawal';

export const withdrawal = Joi.object<WithdrawalView, true>({
  id: id(),
  amount: amount('What was asked for'),
  status: oneOf(WITHDRAWAL_STATUSES).description('Reserved, sent, paid, or failed and given back'),
  transaction: nullableText().description('Hash of the transaction that pays, once there is one'),
  createdAt: instant('When it was asked for'),
  updatedAt: instant('When its status last changed'),
});

export const withdrawalList = Joi.object<WithdrawalListView, true>({
  withdrawals: Joi.array().items(withdrawal).required(),
  ...page,
});
