import type { PaymentKey, PaymentRecord } from '../../domain/payments';
import type { Timers } from '../../ports/timers';
import type { Context } from '../context';
import type { KnownSettlements } from './known-settlements';
import { madeForAnother, paymentAtWork, settlementPending } from './payment-errors';
import { underLease } from './payment-lease';
import { continuePayment } from './continue-payment';
import type { PaymentContext, PaymentOutcome } from './payment-outcomes';
import { recheckRejected } from './recheck-rejected';
import { sweepClaim } from './sweep-claim';

interface Work {
  task: Promise<PaymentOutcome>;
  /**
   * `true`: the request that claimed the payment waits for this task. `false`: this instance has taken up the
   * work of an earlier request or of another instance.
   */
  isFirst: boolean;
  fingerprint: string;
}

export interface PaymentWork {
  /** Works on a payment that the caller's request has just claimed. */
  first(payment: PaymentRecord, options: { isMoneyStored: boolean }): Promise<PaymentOutcome>;
  /** Continues a payment that the caller has taken over. */
  again(payment: PaymentRecord): Promise<PaymentOutcome>;
  /**
   * Looks up the authorization of a claim whose worker has died (sweep-claim.ts). The caller has taken the claim
   * over. Nothing is submitted.
   */
  sweep(payment: PaymentRecord): Promise<PaymentOutcome>;
  /** Looks up a payment that an operator has rejected (recheck-rejected.ts). The caller has taken the payment over. */
  recheck(payment: PaymentRecord): Promise<PaymentOutcome>;
  /** Throws PAYMENT_INVALID or SETTLEMENT_PENDING when this instance works on the payment. */
  refuseCopy(key: PaymentKey, fingerprint: string): void;
  tasks(): Promise<PaymentOutcome>[];
}

type Step = (context: PaymentContext, payment: PaymentRecord) => Promise<PaymentOutcome>;

export function createPaymentWork(
  context: Context,
  settlements: KnownSettlements,
  timers: Timers,
): PaymentWork {
  const running = new Map<string, Work>();

  async function workOn(
    payment: PaymentRecord,
    isFirst: boolean,
    step: Step,
    isMoneyStored = false,
  ): Promise<PaymentOutcome> {
    const name = paymentName(payment);
    const inWork: PaymentContext = { ...context, timers, isMoneyStored };
    const task = underLease(context, payment, () => step(inWork, payment), timers);
    const entry = { task, isFirst, fingerprint: payment.fingerprint };
    running.set(name, entry);
    try {
      const outcome = await task;
      if (outcome.kind === 'unstored') settlements.keep(outcome.settlement);
      return outcome;
    } finally {
      if (running.get(name) === entry) running.delete(name);
    }
  }

  return {
    first: (payment, { isMoneyStored }) => workOn(payment, true, continuePayment, isMoneyStored),
    again: (payment) => workOn(payment, false, continuePayment),
    sweep: (payment) => workOn(payment, false, sweepClaim),
    recheck: (payment) => workOn(payment, false, recheckRejected),
    refuseCopy(key, fingerprint) {
      const work = running.get(paymentName(key));
      if (work === undefined) return;
      if (work.fingerprint !== fingerprint) throw madeForAnother();
      // If this instance took up earlier work, the payer may have been charged without an answer. A 402 would then
      // make the payer pay again.
      throw work.isFirst ? paymentAtWork() : settlementPending();
    },
    tasks: () => [...running.values()].map(({ task }) => task),
  };
}

export function paymentName({ asset, payer, nonce }: PaymentKey): string {
  return `${asset}:${payer}:${nonce}`;
}
