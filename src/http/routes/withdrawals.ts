import Joi from 'joi';
import type { Config } from '../../config';
import { parseRowId } from '../../schemas/common';
import { idempotencyKeyHeader, parseIdempotencyKey } from '../../schemas/trades';
import { withdrawalBody, withdrawalsQuery } from '../../schemas/withdrawals';
import { getWithdrawal, listWithdrawals } from '../../usecases/withdrawals/list-withdrawals';
import { requestWithdrawal } from '../../usecases/withdrawals/request-withdrawal';
import { defineRoute, type PathParameter, type Route } from '../route';

/** The id of a withdrawal. A text that cannot be an id becomes `null`, for which the look-up answers 404. */
const withdrawalParameter: PathParameter<number | null> = {
  name: 'id',
  schema: Joi.number().integer().min(1),
  description: 'Id of the withdrawal',
  parse: parseRowId,
};

export function withdrawalRoutes(config: Config): Route[] {
  return [request(config), list(), one()];
}

function request({ smallestWithdrawalMicros, withdrawalLimit }: Config): Route {
  return defineRoute({
    method: 'post',
    path: '/public/withdrawals',
    summary: 'Withdraw USDC to the wallet of the key',
    description: `Reserves the amount at once and pays it soon after: follow its status. A wallet has at most ${withdrawalLimit} open ones. With an Idempotency-Key a repetition answers as the first time and reserves once.`,
    group: 'public',
    scope: 'account:withdraw',
    body: withdrawalBody(smallestWithdrawalMicros),
    headers: [
      {
        name: 'Idempotency-Key',
        schema: idempotencyKeyHeader,
        description: 'Per wallet, kept for at least 24 hours',
      },
    ],
    success: {
      status: 202,
      view: 'Withdrawal',
      headers: { 'Idempotency-Replayed': '`true` when this answers a repetition; absent otherwise' },
    },
    errors: ['NOT_FOUND', 'WITHDRAWAL_LIMIT', 'INSUFFICIENT_BALANCE', 'IDEMPOTENCY_CONFLICT'],
    handler: async ({ context, request: { headers }, response, key, body }) => {
      const idempotencyKey = parseIdempotencyKey(headers['idempotency-key']);
      const requested = await requestWithdrawal(context, { ...body, wallet: key.wallet, idempotencyKey });
      if (requested.replayed) response.setHeader('Idempotency-Replayed', 'true');
      return requested.view;
    },
  });
}

function list(): Route {
  return defineRoute({
    method: 'get',
    path: '/public/withdrawals',
    summary: 'Withdrawals of the wallet, newest first',
    group: 'public',
    scope: 'account:read',
    query: withdrawalsQuery,
    success: { status: 200, view: 'WithdrawalList' },
    errors: [],
    handler: ({ context, key, query }) => listWithdrawals(context, { ...query, wallet: key.wallet }),
  });
}

function one(): Route {
  return defineRoute({
    method: 'get',
    path: '/public/withdrawals/:id',
    summary: 'One withdrawal of the wallet',
    group: 'public',
    scope: 'account:read',
    param: withdrawalParameter,
    success: { status: 200, view: 'Withdrawal' },
    errors: ['NOT_FOUND'],
    handler: ({ context, key, param }) => getWithdrawal(context, { wallet: key.wallet, id: param }),
  });
}
