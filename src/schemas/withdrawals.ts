/** Withdrawals: of the wallet behind the key, to that wallet. */
import Joi from 'joi';
import { microsToUsd } from '../domain/money';
import { SMALLEST_WITHDRAWAL } from '../domain/withdrawals';
import type {
  GetWithdrawalCommand,
  ListWithdrawalsCommand,
  PageCommand,
  RequestWithdrawalCommand,
} from '../usecases/commands';
import { absentAsNull, pageFields } from './common';
import { positiveAmount } from './money';
import { address } from './text';
import { idempotencyKeyHeader } from './trades';

const SMALLEST = microsToUsd(SMALLEST_WITHDRAWAL);
const wallet = { wallet: address().required() };

const TOO_SMALL = { custom: `{{#label}} must be at least ${SMALLEST} USD` };

/** The value is in micro-USD by now. */
const amount = positiveAmount()
  .custom((micros: bigint, helpers) => (micros < SMALLEST_WITHDRAWAL ? helpers.message(TOO_SMALL) : micros))
  .required()
  .description(`USD, at least ${SMALLEST}; sent whole, in USDC`);

export const withdrawalBody: Joi.ObjectSchema<Pick<RequestWithdrawalCommand, 'amount'>> = Joi.object({
  amount,
});
export const requestWithdrawalInput: Joi.ObjectSchema<RequestWithdrawalCommand> = Joi.object({
  ...wallet,
  amount,
  idempotencyKey: idempotencyKeyHeader,
}).custom(absentAsNull('idempotencyKey'));

export const withdrawalsQuery: Joi.ObjectSchema<PageCommand> = Joi.object(pageFields);
export const listWithdrawalsInput: Joi.ObjectSchema<ListWithdrawalsCommand> = Joi.object({
  ...pageFields,
  ...wallet,
});
export const getWithdrawalInput: Joi.ObjectSchema<GetWithdrawalCommand> = Joi.object({
  ...wallet,
  id: Joi.number().integer().min(1).required(),
});
