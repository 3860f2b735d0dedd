/** The commands `withdrawals` and `payments`. Decisions need a server, which asks the payout or facilitator first. */
import type {
  ConfirmWithdrawalInput,
  FailWithdrawalInput,
  ListOpenWithdrawalsInput,
  ListPaymentsInput,
  PaymentDecisionInput,
  PaymentView,
  WithdrawalView,
} from 'express-prediction-market';
import { operatorCommand, type OperatorGroup } from '../operator-command';
import { choice, idOf, integer, option, PAGE, required } from '../operator-fields';

type PaymentStatus = NonNullable<ListPaymentsInput['status']>;
type OpenStatus = NonNullable<ListOpenWithdrawalsInput['status']>;

const WITHDRAWAL = idOf('withdrawal');

export const WITHDRAWALS: OperatorGroup = {
  name: 'withdrawals',
  description: 'list the withdrawals that are not done, and end one that does not end by itself',
  commands: [
    operatorCommand({
      name: 'list',
      description: 'list the pending and sent withdrawals of all wallets, the oldest first',
      route: 'GET /withdrawals',
      field: 'withdrawals',
      onDatabase: (market, input: ListOpenWithdrawalsInput) => market.listOpenWithdrawals(input),
      fields: {
        status: choice<OpenStatus>('only those in this state', { pending: 0, sent: 0 }),
        after: integer('only those with a greater id', 0),
        limit: PAGE.limit,
      },
      lines: ({ withdrawals, hasMore }) => [
        ...withdrawals.map((withdrawal) => `${describeWithdrawal(withdrawal)}  to ${withdrawal.address}`),
        ...whyPending(withdrawals),
        more(withdrawals.length, hasMore, `--after ${withdrawals.at(-1)?.id ?? 0}`),
      ],
    }),
    operatorCommand<ConfirmWithdrawalInput, WithdrawalView>({
      name: 'confirm',
      description: 'say that a sent withdrawal was paid, by the transaction that paid it',
      route: 'POST /withdrawals/{id}/confirm',
      field: 'amount',
      onDatabase: null,
      fields: {
        id: WITHDRAWAL,
        transaction: required('the hash of the transaction that paid the wallet', 'hash'),
      },
      lines: (withdrawal) => [describeWithdrawal(withdrawal)],
    }),
    operatorCommand<FailWithdrawalInput, WithdrawalView>({
      name: 'fail',
      description: 'say that a withdrawal was not paid and never will be; the amount is given back',
      route: 'POST /withdrawals/{id}/fail',
      field: 'amount',
      onDatabase: null,
      fields: { id: WITHDRAWAL, reason: required('how you know that it was not paid and never will be') },
      lines: (withdrawal) => [describeWithdrawal(withdrawal)],
    }),
  ],
};

const DECISION = {
  id: idOf('payment'),
  transaction: option('the hash of the transaction that was to move the money', 'hash'),
  reason: required('how you know; it is kept with the payment'),
};

export const PAYMENTS: OperatorGroup = {
  name: 'payments',
  description: 'list the payments for paid calls, and decide about one whose outcome is not known',
  commands: [
    operatorCommand({
      name: 'list',
      description: 'list payments, the newest first',
      route: 'GET /payments',
      field: 'payments',
      onDatabase: (market, input: ListPaymentsInput) => market.listPayments(input),
      fields: {
        status: choice<PaymentStatus>('only those in this state', {
          ...{ claimed: 0, submitted: 0, settled: 0, delivered: 0, rejected: 0 },
        }),
        ...PAGE,
      },
      lines: ({ payments, hasMore, offset }) => [
        ...payments.map(describePayment),
        more(payments.length, hasMore, `--offset ${offset + payments.length}`),
      ],
    }),
    operatorCommand<PaymentDecisionInput, PaymentView>({
      name: 'confirm',
      description: 'say that the money of a payment has arrived; its call is run',
      route: 'POST /payments/{id}/confirm',
      field: 'nonce',
      onDatabase: null,
      fields: DECISION,
      lines: (payment) => [describePayment(payment)],
    }),
    operatorCommand<PaymentDecisionInput, PaymentView>({
      name: 'reject',
      description: 'say that the money of a payment has not arrived and never will',
      route: 'POST /payments/{id}/reject',
      field: 'nonce',
      onDatabase: null,
      fields: DECISION,
      lines: (payment) => [describePayment(payment), ...stillValid(payment)],
    }),
  ],
};

export function more(count: number, hasMore: boolean, next: string): string {
  return hasMore ? `${count} shown; ${next} shows more` : `${count} shown`;
}

export function describeWithdrawal({ id, status, amount, transaction, createdAt }: WithdrawalView): string {
  return `${id}  ${status}  ${amount} USD  asked ${createdAt}  transaction ${transaction ?? '-'}`;
}

/** The books do not keep why a withdrawal waits: the job that tries it again logs the reason. */
export function whyPending(withdrawals: readonly Pick<WithdrawalView, 'status'>[]): string[] {
  const isPending = withdrawals.some(({ status }) => status === 'pending');
  return isPending ? ['pending: the log of the server that pays withdrawals says why one waits'] : [];
}

function describePayment(payment: PaymentView): string {
  const { id, status, operation, amount, payer, createdAt, validBefore, transaction, reason, decision } =
    payment;
  const why = reason === null || reason === decision?.reason ? '' : `  ${reason}`;
  const decided = decision === null ? '' : `  ${decision.verdict} by an operator: ${decision.reason}`;
  const of = `${amount} USD  by ${payer}  claimed ${createdAt}  ends ${validBefore ?? '-'}  transaction ${transaction ?? '-'}`;
  return `${id}  ${status}  ${operation}  ${of}${why}${decided}`;
}

/** A warning, if an operator has rejected the payment while its authorization could still be used. */
function stillValid({ status, validBefore, decision }: PaymentView): string[] {
  if (status !== 'rejected' || validBefore === null || decision === null) return [];
  if (Date.parse(validBefore) <= Date.parse(decision.decidedAt)) return [];
  return [
    `rejected while its authorization is valid: if it was not used yet, it may be used until ${validBefore}`,
  ];
}
