import type { PaymentVerdict } from '../../domain/payments';
import { confirmWithdrawalBody, failWithdrawalBody, openWithdrawalsQuery } from '../../schemas/withdrawals';
import { decidePaymentBody, listPaymentsQuery } from '../../schemas/x402';
import { decidePayment } from '../../usecases/payments/decide-payment';
import { listPayments } from '../../usecases/payments/list-payments';
import { decideWithdrawal } from '../../usecases/withdrawals/decide-withdrawal';
import { listOpenWithdrawals } from '../../usecases/withdrawals/list-open-withdrawals';
import { defineRoute, type Route } from '../route';
import { paymentIdParameter, withdrawalIdParameter } from './parameters';

export function adminPaymentRoutes(): Route[] {
  return [...paymentRoutes(), ...withdrawalRoutes()];
}

function paymentRoutes(): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/payments',
      summary: 'Payments of the pay-per-request API, newest first',
      group: 'admin',
      query: listPaymentsQuery,
      success: { status: 200, view: 'PaymentList' },
      errors: [],
      handler: ({ context, query }) => listPayments(context, query),
    }),
    decide('confirm', 'confirmed', 'Say that a submitted payment has arrived; its call is run'),
    decide('reject', 'rejected', 'Say that a submitted payment has not arrived and never will'),
  ];
}

function decide(verb: string, verdict: PaymentVerdict, summary: string): Route {
  return defineRoute({
    method: 'post',
    path: `/payments/:id/${verb}`,
    summary,
    description:
      'For a settlement that the facilitator cannot look up. The same verdict again changes nothing.',
    group: 'admin',
    param: paymentIdParameter,
    body: decidePaymentBody,
    success: { status: 200, view: 'Payment' },
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED'],
    handler: ({ context, param, body }) => decidePayment(context, { ...body, id: param, verdict }),
  });
}

const END_WITHDRAWAL = {
  method: 'post',
  group: 'admin',
  param: withdrawalIdParameter,
  success: { status: 200, view: 'Withdrawal' },
  errors: ['NOT_FOUND', 'ALREADY_RESOLVED', 'WITHDRAWAL_UNDER_WAY'],
} as const;

function withdrawalRoutes(): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/withdrawals',
      summary: 'Pending and sent withdrawals of all wallets, oldest first',
      group: 'admin',
      query: openWithdrawalsQuery,
      success: { status: 200, view: 'OpenWithdrawalList' },
      errors: [],
      handler: ({ context, query }) => listOpenWithdrawals(context, query),
    }),
    defineRoute({
      ...END_WITHDRAWAL,
      path: '/withdrawals/:id/confirm',
      summary: 'Say that a sent withdrawal was paid, by the transaction that paid it',
      description: 'For one that does not end by itself. The same transaction again changes nothing.',
      body: confirmWithdrawalBody,
      handler: ({ context, param, body }) =>
        decideWithdrawal(context, { ...body, id: param, verdict: 'confirmed' }),
    }),
    defineRoute({
      ...END_WITHDRAWAL,
      path: '/withdrawals/:id/fail',
      summary: 'Say that a withdrawal was not paid and never will be; the amount is given back',
      description:
        'A sent one only once nothing can pay it any more: else the wallet is paid and keeps the amount too. Again it changes nothing.',
      body: failWithdrawalBody,
      handler: ({ context, param, body }) =>
        decideWithdrawal(context, { ...body, id: param, verdict: 'failed' }),
    }),
  ];
}
