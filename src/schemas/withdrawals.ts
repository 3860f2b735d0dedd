/** Withdrawals: of the wallet behind the key, to that wallet. */
import Joi from 'joi';
import { microsToUsd } from '../domain/money';
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

const wallet = { wallet: address().required() };

function amountFrom(smallest: bigint): Joi.Schema {
  const least = microsToUsd(smallest);
  const tooSmall = { custom: `{{#label}} must be at least ${least} USD` };
  return (
    positiveAmount()
      // The value is in micro-USD by now.
      .custom((micros: bigint, helpers) => (micros < smallest ? helpers.message(tooSmall) : micros))
      .required()
      .description(`USD, at least ${least}; sent whole, in USDC`)
  );
}

/** `smallest` in micro-USD: an option. */
export function withdrawalBody(smallest: bigint): Joi.ObjectSchema<Pick<RequestWithdrawalCommand, 'amount'>> {
  return Joi.object({ amount: amountFrom(smallest) });
}

export function requestWithdrawalInput(smallest: bigint): Joi.ObjectSchema<RequestWithdrawalCommand> {
  return Joi.object({
    ...wallet,
    amount: amountFrom(smallest),
    idempotencyKey: idempotencyKeyHeader,
  }).custom(absentAsNull('idempotencyKey'));
}

export const withdrawalsQuery: Joi.ObjectSchema<PageCommand> = Joi.object(pageFields);
export const listWithdrawalsInput: Joi.ObjectSchema<ListWithdrawalsCommand> = Joi.object({
  ...pageFields,
  ...wallet,
});
export const getWithdrawalInput: Joi.ObjectSchema<GetWithdrawalCommand> = Joi.object({
  ...wallet,
  id: Joi.number().integer().min(1).required(),
});
