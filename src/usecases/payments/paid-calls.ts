/**
 * Calls that carry their own payment (docs/specification.md "Paid calls"). The payment is claimed and settled,
 * and the call runs once. A payer who sends the same payment and request again gets the stored answer, until
 * one answer has been written out whole.
 */
import { isPredictionMarketError, serviceUnavailable, type PredictionMarketError } from '../../domain/errors';
import { isInDoubt, type PaymentKey, type PaymentRecord } from '../../domain/payments';
import { withinTime } from '../../ports/time-limit';
import { realTimers, type Timers } from '../../ports/timers';
import type { PaidCommand } from '../commands';
import type { Context } from '../context';
import { logFailure } from '../log-failure';
import type { PaymentDetails } from './ask-facilitator';
import { claimPayment, type NewClaim } from './claim-payment';
import { createKnownSettlements } from './known-settlements';
import { checkPaidCommand } from './paid-commands';
import { createPaymentDeliveries } from './payment-deliveries';
import { moneyOf, OtherMoneyError, requireSameMoney } from './money-of-books';
import { isRefused } from './recheck-rejected';
import { isReadable, paidAnswer, type PaidAnswer } from './payment-outcomes';
import { madeForAnother, settlementPending } from './payment-errors';
import { dropClaim, PAYMENT_LEASE_MS, takeLastStep } from './payment-lease';
import { belongsToOthers, leaveToOthers } from './payments-of-others';
import { createPaymentWatch } from './payment-watch';
import { createPaymentWork, type PaymentWork } from './payment-work';
import { createResumePayment } from './resume-payment';

/**
 * A repeated paid call waits at most this long until the delivery of the earlier answer is stored.
 */
const DELIVERY_LIMIT_MS = 2_000;

const MOST_LEFT_TO_OTHERS = 1_000;

/** The pause after a failed reconciliation of a payment. It does not apply when the storage cannot be reached. */
const REST_MS = 5 * 60_000;

export interface PayCommand {
  call: PaidCommand;
  key: PaymentKey;
  /** In base units. */
  amount: bigint;
  details: Omit<PaymentDetails, 'money'>;
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
   * Continues payments whose worker has died or did not learn the outcome, and removes old claims. Resolves
   * with `false` if no payment was due, or if all due payments were left to instances with another kind of
   * money.
   */
  reconcile(options: { limit: number }): Promise<boolean>;
  /** Waits until the work on all payments and deliveries has ended, and then closes `KnownSettlements`. */
  drain(): Promise<void>;
}

export function createPaidCalls(context: Context, timers: Timers = realTimers): PaidCalls {
  const { storage, clock } = context;
  const settlements = createKnownSettlements(context, timers);
  const work = createPaymentWork(context, settlements, timers);
  const deliveries = createPaymentDeliveries(context);
  const resumePayment = createResumePayment({
    context,
    work,
    settlements,
    watch: createPaymentWatch(context, timers),
  });

  /**
   * Waits until the delivery of an earlier answer to this payment is stored, or could not be stored.
   * @throws SERVICE_UNAVAILABLE after a time limit.
   */
  async function untilDelivered(key: PaymentKey): Promise<void> {
    const delivery = deliveries.of(key);
    if (delivery === undefined) return;
    await withinTime(timers, DELIVERY_LIMIT_MS, delivery).catch(() => {
      throw serviceUnavailable('The storage has not yet stored the delivery of an earlier answer.');
    });
  }

  const money = moneyOf(context);
  /**
   * Whether a claim has found a kind of money in the books and accepted it. Later claims then skip this
   * check.
   */
  let isMoneyStored = false;

  /**
   * How many payments the last reconciliation has left to instances with another kind of money. These payments may be
   * due again, so the next reconciliation takes that many more. Otherwise they could keep other payments waiting.
   */
  let leftToOthers = 0;

  async function claim(command: PayCommand): Promise<PaymentRecord | null> {
    let isStored = isMoneyStored;
    const claimed = await claimPayment(context, newClaim(command, money), async (transaction) => {
      if (!isMoneyStored) isStored = await requireSameMoney(transaction, context);
    });
    isMoneyStored = isStored;
    return claimed;
  }

  async function pay(command: PayCommand): Promise<PaidAnswer> {
    await untilDelivered(command.key);
    work.refuseCopy(command.key, command.fingerprint);
    let refusal = command.refusal ?? (await refusalOf(context, command));
    // Not thrown at once: an instance with the money of the books may have answered this payment already.
    const noteOtherMoney = (error: unknown): null => {
      if (!(error instanceof OtherMoneyError)) throw error;
      refusal = error;
      return null;
    };
    if (refusal === null) {
      const claimed = await claim(command).catch(noteOtherMoney);
      if (claimed !== null) {
        command.onCost();
        return pendingWhileAway(work.first(claimed, { isMoneyStored }).then(paidAnswer));
      }
    }
    const existing = await storage.read((reader) => reader.payments.find(command.key));
    // There is no claim now. If this request tried to claim the payment, another request had claimed it at
    // that moment, and its claim was deleted since. Nothing was charged, and the payer may try again.
    if (existing === null) throw refusal ?? settlementPending();
    if (existing.fingerprint !== command.fingerprint) throw refusal ?? madeForAnother();
    return pendingWhileAway(resumePayment(existing, command.onCost));
  }

  return {
    pay,
    delivered: deliveries.store,
    async reconcile({ limit }) {
      // A settlement that cannot be stored must not keep the due payments waiting.
      await settlements.store().catch(() => undefined);
      const now = clock.now();
      const most = limit + leftToOthers;
      const due = await storage.transaction((transaction) =>
        transaction.payments.leaseDue({ now, leaseUntil: now + PAYMENT_LEASE_MS, limit: most }),
      );
      const isOwn = await Promise.all(due.map((payment) => reconcileOne(context, work, payment)));
      leftToOthers = Math.min(isOwn.filter((own) => !own).length, MOST_LEFT_TO_OTHERS);
      return isOwn.includes(true);
    },
    async drain() {
      while (work.tasks().length + deliveries.tasks().length > 0)
        await Promise.allSettled([...work.tasks(), ...deliveries.tasks()]);
      await settlements.close();
    },
  };
}

/**
 * Continues the work on a due payment, or deletes its rejected claim. A failure is logged. Resolves with `false` if the
 * payment is left to an instance with another kind of money.
 */
async function reconcileOne(context: Context, work: PaymentWork, payment: PaymentRecord): Promise<boolean> {
  let isOwn = true;
  try {
    // A rejected claim falls due only when its authorization has ended.
    const isForgotten = payment.status === 'rejected' && payment.decision === null && !isRefused(payment);
    isOwn = isForgotten || !belongsToOthers(context, payment);
    if (isForgotten) await dropClaim(context, payment);
    else if (!isOwn) await leaveToOthers(context, payment);
    else if (payment.status === 'rejected') await work.recheck(payment);
    else if (payment.status === 'claimed' && !isInDoubt(payment)) await work.sweep(payment);
    else await work.again(payment);
  } catch (err) {
    logFailure(context.logger, err, { paymentId: payment.id }, 'a payment was not reconciled');
    if (!isUnavailable(err)) await rest(context, payment);
  }
  return isOwn;
}

/**
 * Postpones a payment whose reconciliation has failed, for example because its row cannot be read. Otherwise each
 * reconciliation would log the same failure. A payer who repeats the request does not wait for the end of the pause. A
 * claim that cannot be read counts as one in doubt, on which an operator can decide.
 */
async function rest(context: Context, payment: PaymentRecord): Promise<void> {
  const dueAt = context.clock.now() + REST_MS;
  await takeLastStep(context, payment, dueAt, (stored) =>
    stored.status !== 'claimed' || isReadable(stored)
      ? stored
      : { ...stored, attempts: stored.attempts + 1, reason: 'its row cannot be read' },
  ).catch(() => undefined);
}

const isUnavailable = (error: unknown): error is PredictionMarketError =>
  isPredictionMarketError(error) && error.code === 'SERVICE_UNAVAILABLE';

async function refusalOf(context: Context, { call, key }: PayCommand): Promise<PredictionMarketError | null> {
  try {
    await checkPaidCommand(context, call, key.payer);
    return null;
  } catch (error) {
    if (isPredictionMarketError(error)) return error;
    throw error;
  }
}

function newClaim({ key, amount, fingerprint, call, details }: PayCommand, money: string | null): NewClaim {
  return {
    ...key,
    amount,
    fingerprint,
    operation: call.operation,
    payment: JSON.stringify(money === null ? details : { ...details, money }),
    command: JSON.stringify(call),
  };
}

/**
 * Turns a failure of the storage into SETTLEMENT_PENDING, because the money may have moved already. If the payer
 * signed another authorization, the payer could pay twice.
 */
async function pendingWhileAway<T>(task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    if (!isUnavailable(error) || error instanceof OtherMoneyError) throw error;
    throw settlementPending(error);
  }
}
