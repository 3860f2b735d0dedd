import Joi from 'joi';
import { WITHDRAWAL_STATUSES } from '../domain/withdrawals';
import { address, amount, id, instant, nullableText, oneOf, page, pageAfter } from './fields.schema';
import type {
  OpenWithdrawalListView,
  OpenWithdrawalView,
  OperatorWithdrawalListView,
  OperatorWithdrawalView,
  WithdrawalListView,
  WithdrawalView,
} from './withdrawal';

const fields = {
  id: id('The number of the withdrawal'),
  amount: amount('What was asked for'),
  status: oneOf(WITHDRAWAL_STATUSES).description('Reserved, sent, paid, or failed and given back'),
  transaction: nullableText().description('Hash of the transaction that pays, once there is one'),
  createdAt: instant('When it was asked for'),
  updatedAt: instant('When its status last changed'),
};

export const withdrawal = Joi.object<WithdrawalView, true>(fields);

export const withdrawalList = Joi.object<WithdrawalListView, true>({
  withdrawals: Joi.array().items(withdrawal).required(),
  ...page,
});

export const operatorWithdrawal = Joi.object<OperatorWithdrawalView, true>({
  ...fields,
  reason: nullableText().description('Why it has failed; null while it has not'),
});

export const operatorWithdrawalList = Joi.object<OperatorWithdrawalListView, true>({
  withdrawals: Joi.array().items(operatorWithdrawal).required(),
  ...page,
});

export const openWithdrawal = Joi.object<OpenWithdrawalView, true>({ ...fields, address: address() });

export const openWithdrawalList = Joi.object<OpenWithdrawalListView, true>({
  withdrawals: Joi.array().items(openWithdrawal).required(),
  ...pageAfter,
});
