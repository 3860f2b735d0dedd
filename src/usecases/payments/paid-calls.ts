/**
 * Calls that carry their own payment (docs/specification.md "Paid calls"). The payment is claimed and settled,
 * and the call runs once. A payer who sends the same payment and request again gets the stored answer, until
 * one answer has been written out whole.
 */
import { isPredictionMarketError, type PredictionMarketError } from '../../domain/errors';
import {
  advancePayment,
  endLease,
  type PaymentKey,
  type PaymentRecord,
  type StoredAnswer,
} from '../../domain/payments';
import { realTimers, type Timers } from '../../ports/timers';
import type { PaidCommand } from '../commands';
import type { Context } from '../context';
import type { PaymentDetails } from './ask-facilitator';
import { createKnownSettlements } from './known-settlements';
import { checkPaidCommand } from './paid-commands';
import type { PaymentOutcome } from './payment-outcomes';
import { invalidPayment, paymentRejected, PAYMENT_TEXTS, settlementPending } from './payment-errors';
import {
  claimPayment,
  dropClaim,
  FIRST_LEASE_TOKEN,
  isLeased,
  PAYMENT_LEASE_MS,
  takeOverPayment,
} from './payment-lease';
import { createPaymentWatch } from './payment-watch';
import { createPaymentWork, paymentName } from './payment-work';

export interface PayCommand {
  call: PaidCommand;
  key: PaymentKey;
  /** In base units. */
  amount: bigint;
  details: PaymentDetails;
  /** SHA-256 of the request. */
  fingerprint: string;
  /**
   * Why a first use of the payment is refused, for example because of its window, amount or nonce. If an equal
   * request has claimed the payment already, this refusal is ignored.
   */
  refusal: PredictionMarketError | null;
  /**
   * Called when the payment begins to cost this service something: a row was written, or the facilitator is
   * about to be asked.
   */
  onCost: () => void;
}

export interface PaidAnswer {
  payment: PaymentRecord;
  answer: StoredAnswer;
}

export interface PaidCalls {
  /**
   * Rejects with SETTLEMENT_PENDING while this instance does not know whether the payer was charged. With every
   * other error (such as PAYMENT_INVALID, INSUFFICIENT_FUNDS or VALIDATION_ERROR) this request has charged
   * nothing.
   */
  pay(command: PayCommand): Promise<PaidAnswer>;
  /** Called when the whole answer was written out. From then on the payment is used. Never rejects. */
  delivered(payment: PaymentRecord): Promise<void>;
  /**
   * Continues payments whose worker has died or did not learn the outcome. Resolves with whether a payment was
   * due.
   */
  reconcile(options: { limit: number }): Promise<boolean>;
  /** Waits until all payments and deliveries in work have ended. */
  drain(): Promise<void>;
}

/** For this long after a settlement, another instance may still be writing the answer out. */
const DELIVERY_MS = 3_000;

export function createPaidCalls(context: Context, timers: Timers = realTimers): PaidCalls {
  const { storage, clock } = context;
  const settlements = createKnownSettlements(context, timers);
  const work = createPaymentWork(context, settlements, timers);
  const deliveries = createDeliveries(context);
  const resume = createResume({ context, work, settlements, watch: createPaymentWatch(context, timers) });

  async function pay(command: PayCommand): Promise<PaidAnswer> {
    await deliveries.of(command.key);
    work.refuseCopy(command.key, command.fingerprint);
    const refusal = command.refusal ?? (await refusalOf(context, command));
    if (refusal === null) {
      const claimed = await claim(context, command);
      if (claimed !== null) {
        command.onCost();
        return pendingWhileAway(work.first(claimed).then(paidAnswer));
      }
    }
    const existing = await storage.read((reader) => reader.payments.find(command.key));
    // The payment is not claimed. If this request tried to claim it, another claim existed then and was dropped
    // since. Nothing was charged, and the payer may try again.
    if (existing === null) throw refusal ?? settlementPending();
    if (existing.fingerprint !== command.fingerprint)
      throw refusal ?? invalidPayment(PAYMENT_TEXTS.otherRequest);
    return pendingWhileAway(resume(existing, command.onCost));
  }

  async function reconcileOne(payment: PaymentRecord): Promise<void> {
    try {
      // The lease of a claimed payment has ended and nothing was submitted, so nothing was charged. A rejected
      // payment falls due only when its authorization has ended.
      if (payment.status === 'claimed' || payment.status === 'rejected') await dropClaim(context, payment);
      else await work.again(payment);
    } catch (err) {
      context.logger.error({ err, paymentId: payment.id }, 'a payment was not reconciled');
    }
  }

  return {
    pay,
    delivered: deliveries.store,
    async reconcile({ limit }) {
      // `settlements` logs a failure itself. Work on the due payments continues.
      await settlements.store().catch(() => undefined);
      const now = clock.now();
      const due = await storage.transaction((transaction) =>
        transaction.payments.leaseDue({ now, leaseUntil: now + PAYMENT_LEASE_MS, limit }),
      );
      await Promise.all(due.map(reconcileOne));
      return due.length > 0;
    },
    async drain() {
      while (work.tasks().length + deliveries.tasks().length > 0)
        await Promise.allSettled([...work.tasks(), ...deliveries.tasks()]);
      await settlements.close();
    },
  };
}

// --- deliveries ---

function createDeliveries(context: Context) {
  /** The deliveries that are not stored yet, by the name of the payment. */
  const running = new Map<string, Promise<void>>();
  return {
    of: (key: PaymentKey): Promise<void> | undefined => running.get(paymentName(key)),
    tasks: (): Promise<void>[] => [...running.values()],
    store(payment: PaymentRecord): Promise<void> {
      const name = paymentName(payment);
      const stored = storeDelivery(context, payment)
        .catch((err: unknown) => {
          // The payment stays settled, so the same request gets the answer once more.
          context.logger.warn({ err, paymentId: payment.id }, 'a delivery was not stored');
        })
        .finally(() => {
          if (running.get(name) === stored) running.delete(name);
        });
      running.set(name, stored);
      return stored;
    },
  };
}

async function storeDelivery({ storage, clock }: Context, payment: PaymentRecord): Promise<void> {
  await storage.transaction(async (transaction) => {
    const stored = await transaction.payments.lock(payment.id);
    if (stored?.status !== 'settled' || stored.answer === null) return;
    const delivered = advancePayment(stored, 'delivered', { answer: null, now: clock.now() });
    await transaction.payments.update(endLease(delivered, null));
  });
}

// --- the same payment again ---

interface ResumeTools {
  context: Context;
  work: ReturnType<typeof createPaymentWork>;
  settlements: ReturnType<typeof createKnownSettlements>;
  watch: ReturnType<typeof createPaymentWatch>;
}

/** Answers a payer who repeats a payment that an earlier, identical request has claimed. */
function createResume({ context, work, settlements, watch }: ResumeTools) {
  const { storage, clock } = context;

  async function resume(existing: PaymentRecord, onCost: () => void): Promise<PaidAnswer> {
    if (settlements.isKept(existing)) return resume(await storeKept(existing), onCost);
    const { status, answer } = existing;
    if (status === 'rejected') throw paymentRejected(existing.reason ?? '');
    if (status === 'delivered') throw invalidPayment(PAYMENT_TEXTS.used);
    if (status === 'settled' && answer !== null) return undelivered({ payment: existing, answer });
    if (isLeased(existing, clock.now())) return whileLeased(existing, onCost);
    const taken = await takeOverPayment(context, existing);
    if (taken === null) throw settlementPending();
    onCost();
    return paidAnswer(await work.again(taken));
  }

  async function storeKept(existing: PaymentRecord): Promise<PaymentRecord> {
    await settlements.store().catch((error: unknown) => {
      if (settlements.isKept(existing)) throw error;
    });
    const stored = await storage.read((reader) => reader.payments.find(existing));
    if (stored === null) throw settlementPending();
    return stored;
  }

  /**
   * Answers for a payment that a worker has leased. The worker is on this instance or on another one, and the
   * other instance may have died.
   */
  async function whileLeased(existing: PaymentRecord, onCost: () => void): Promise<PaidAnswer> {
    work.refuseCopy(existing, existing.fingerprint);
    if (existing.leaseToken !== FIRST_LEASE_TOKEN) throw settlementPending();
    const { record, hasMoved } = await watch.work(existing);
    if (record === null) throw settlementPending();
    if (!isLeased(record, clock.now())) return resume(record, onCost);
    throw hasMoved && record.leaseToken === FIRST_LEASE_TOKEN
      ? invalidPayment(PAYMENT_TEXTS.atWork)
      : settlementPending();
  }

  /**
   * Answers for a settled payment whose answer is stored. Another instance may have sent that answer and be
   * about to store the delivery.
   */
  async function undelivered(paid: PaidAnswer): Promise<PaidAnswer> {
    if (clock.now() - paid.payment.updatedAt > DELIVERY_MS) return paid;
    const { record } = await watch.delivery(paid.payment);
    if (record?.status === 'delivered') throw invalidPayment(PAYMENT_TEXTS.used);
    return paid;
  }

  return resume;
}

// --- helpers ---

async function refusalOf(context: Context, { call, key }: PayCommand): Promise<PredictionMarketError | null> {
  try {
    await checkPaidCommand(context, call, key.payer);
    return null;
  } catch (error) {
    if (isPredictionMarketError(error)) return error;
    throw error;
  }
}

function claim(context: Context, command: PayCommand): Promise<PaymentRecord | null> {
  const { key, amount, fingerprint, call, details } = command;
  return claimPayment(context, {
    ...key,
    amount,
    fingerprint,
    operation: call.operation,
    payment: JSON.stringify(details),
    command: JSON.stringify(call),
  });
}

function paidAnswer(outcome: PaymentOutcome): PaidAnswer {
  switch (outcome.kind) {
    case 'answered':
      return { payment: outcome.payment, answer: outcome.answer };
    case 'rejected':
      throw paymentRejected(outcome.reason);
    case 'given-up':
      throw outcome.error;
    case 'unstored':
    case 'pending':
      throw settlementPending();
  }
}

/**
 * When the storage fails during the work, the money may have moved already. SETTLEMENT_PENDING tells the payer
 * so, because a payer who signs again would pay twice.
 */
async function pendingWhileAway<T>(task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    if (!isPredictionMarketError(error) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
    throw settlementPending(error);
  }
}
