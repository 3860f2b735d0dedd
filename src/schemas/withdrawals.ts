import Joi from 'joi';
import { microsToUsd } from '../domain/money';
import { OPEN_STATUSES } from '../domain/withdrawals';
import type {
  GetWithdrawalInput,
  ListWithdrawalsInput,
  PageInput,
  RequestWithdrawalInput,
  WalletInput,
} from '../inputs';
import type {
  ConfirmWithdrawalInput,
  FailWithdrawalInput,
  ListOpenWithdrawalsInput,
} from '../operator-inputs';
import type {
  GetWithdrawalCommand,
  ListOpenWithdrawalsCommand,
  ListWithdrawalsCommand,
  PageCommand,
  RequestWithdrawalCommand,
} from '../usecases/commands';
import { LONGEST_REASON, oneOf, pageFields } from './common';
import { inputSchema, type InputSchema } from './input';
import type { Rules } from './rules';
import { positiveAmount, refuseNegativeZero } from './money';
import { address, line, transactionHash } from './text';
import { idempotencyKeyHeader } from './trades';

const wallet: Rules<WalletInput> = { wallet: address().required() };

function amountFrom(smallest: bigint): Joi.NumberSchema {
  const least = microsToUsd(smallest);
  const tooSmall = { custom: `{{#label}} must be at least ${least} USD` };
  return (
    positiveAmount()
      // The value is in micro-USD here.
      .custom((micros: bigint, helpers) => (micros < smallest ? helpers.message(tooSmall) : micros))
      .required()
      .description(`USD, at least ${least}; sent whole, in USDC`)
  );
}

/** The body of a withdrawal. `smallest` is the smallest amount that the host allows, in micro-USD. */
export function withdrawalBody(
  smallest: bigint,
): InputSchema<Pick<RequestWithdrawalInput, 'amount'>, Pick<RequestWithdrawalCommand, 'amount'>> {
  return inputSchema<Pick<RequestWithdrawalInput, 'amount'>, Pick<RequestWithdrawalCommand, 'amount'>>(
    { amount: amountFrom(smallest) },
    {},
  );
}

export function requestWithdrawalInput(
  smallest: bigint,
): InputSchema<RequestWithdrawalInput, RequestWithdrawalCommand> {
  return inputSchema<RequestWithdrawalInput, RequestWithdrawalCommand>(
    { ...wallet, amount: amountFrom(smallest), idempotencyKey: idempotencyKeyHeader },
    { idempotencyKey: null },
  );
}

export const withdrawalsQuery = inputSchema<PageInput, PageCommand>(pageFields, {});
export const listWithdrawalsInput = inputSchema<ListWithdrawalsInput, ListWithdrawalsCommand>(
  { ...pageFields, ...wallet },
  {},
);
export const getWithdrawalInput = inputSchema<GetWithdrawalInput, GetWithdrawalCommand>(
  { ...wallet, id: Joi.number().integer().min(1).required() },
  {},
);

export const openWithdrawalsQuery = inputSchema<ListOpenWithdrawalsInput, ListOpenWithdrawalsCommand>(
  {
    status: oneOf(OPEN_STATUSES).description('Both when left out'),
    after: Joi.number()
      .integer()
      .min(0)
      .custom(refuseNegativeZero)
      .default(0)
      .description('Only withdrawals with a greater id'),
    limit: pageFields.limit,
  },
  { status: null },
);

type WithoutId<Input> = Omit<Input, 'id'>;
const withdrawalId = Joi.number().integer().min(1).required();

const confirmFields: Rules<WithoutId<ConfirmWithdrawalInput>> = {
  transaction: transactionHash().required().description('Hash of the transaction that paid the wallet'),
};
const failFields: Rules<WithoutId<FailWithdrawalInput>> = {
  reason: line(LONGEST_REASON)
    .required()
    .description('How the operator knows that the wallet was not paid and never will be; kept'),
};

export const confirmWithdrawalBody = inputSchema<
  WithoutId<ConfirmWithdrawalInput>,
  WithoutId<ConfirmWithdrawalInput>
>(confirmFields, {});
export const confirmWithdrawalInput = inputSchema<ConfirmWithdrawalInput, ConfirmWithdrawalInput>(
  { ...confirmFields, id: withdrawalId },
  {},
);
export const failWithdrawalBody = inputSchema<WithoutId<FailWithdrawalInput>, WithoutId<FailWithdrawalInput>>(
  failFields,
  {},
);
export const failWithdrawalInput = inputSchema<FailWithdrawalInput, FailWithdrawalInput>(
  { ...failFields, id: withdrawalId },
  {},
);
