/**
 * A call that is paid for with itself (SPEC "Payment flow"). The desk claims the payment, lets it be settled and the call be
 * run once, and gives the stored answer to whoever comes with the same payment and the same request until that answer was
 * written out whole.
 */
import { PredictionMarketError, isPredictionMarketError } from '../../domain/errors';
import {
  advancePayment,
  releasePayment,
  type PaymentKey,
  type PaymentRecord,
  type StoredAnswer,
} from '../../domain/payments';
import type { PaidCommand } from '../commands';
import type { Context } from '../context';
import { createKnownSettlements } from './known-settlements';
import { checkPaidCommand } from './paid-commands';
import {
  claimPayment,
  dropClaim,
  FIRST_LEASE_TOKEN,
  PAYMENT_LEASE_MS,
  takeOverPayment,
  underLease,
} from './payment-lease';
import { createPaymentWatch } from './payment-watch';
import {
  continuePayment,
  INSUFFICIENT_FUNDS,
  type PaymentDetails,
  type PaymentOutcome,
} from './settle-payment';

export interface PayCommand {
  call: PaidCommand;
  key: PaymentKey;
  /** Base units. */
  amount: bigint;
  details: PaymentDetails;
  /** SHA-256 of the request. */
  fingerprint: string;
  /** What speaks against a first use of the payment (window, amount, nonce…); one that is at work already is not held to it. */
  refusal: PredictionMarketError | null;
}

export interface PaidAnswer {
  payment: PaymentRecord;
  answer: StoredAnswer;
}

export interface PaymentDesk {
  /** Rejects with PAYMENT_INVALID, INSUFFICIENT_FUNDS, VALIDATION_ERROR and others that nobody is charged for, or SETTLEMENT_PENDING. */
  pay(command: PayCommand): Promise<PaidAnswer>;
  /** The answer was written out whole: from now on the payment is used. Never rejects. */
  delivered(payment: PaymentRecord): Promise<void>;
  /** Continues payments whose worker has died or could not know; resolves with whether there were any. */
  reconcile(options: { limit: number }): Promise<boolean>;
  /** Waits for what is under way. */
  drain(): Promise<void>;
}

interface Work {
  task: Promise<unknown>;
  /** Done for the request that claimed the payment, not taken up again later. */
  isFirst: boolean;
  fingerprint: string;
}

const RETRY_AFTER_SECONDS = 2;
/** After a settlement: beyond it nobody is still writing the answer out. */
const DELIVERY_MS = 3_000;
const USED = 'This payment was used already. Sign a fresh authorization with a new nonce.';
const AT_WORK = 'This payment is at work already';
const OTHER_REQUEST =
  'This payment was made for another request. Sign a fresh authorization with a new nonce.';

export function createPaymentDesk(context: Context): PaymentDesk {
  const { storage, clock, logger } = context;
  /** By payment: what this instance is at work on, and deliveries not stored yet. */
  const work = new Map<string, Work>();
  const deliveries = new Map<string, Promise<void>>();
  const watch = createPaymentWatch(context);
  const settlements = createKnownSettlements(context);

  async function workOn(payment: PaymentRecord, { isFirst }: { isFirst: boolean }): Promise<PaymentOutcome> {
    const name = nameOf(payment);
    const task = underLease(context, payment, () => continuePayment(context, payment));
    const entry = { task, isFirst, fingerprint: payment.fingerprint };
    work.set(name, entry);
    try {
      const outcome = await task;
      if (outcome.kind === 'unstored') settlements.keep(outcome.settlement);
      return outcome;
    } finally {
      if (work.get(name) === entry) work.delete(name);
    }
  }

  async function workForPayer(payment: PaymentRecord, which: { isFirst: boolean }): Promise<PaidAnswer> {
    return paidAnswer(await pendingWhileAway(workOn(payment, which)));
  }

  async function pay(command: PayCommand): Promise<PaidAnswer> {
    const name = nameOf(command.key);
    await deliveries.get(name);
    const mine = work.get(name);
    if (mine !== undefined) throw atWork(mine, command.fingerprint);
    const refusal = command.refusal ?? (await refusalOf(context, command));
    if (refusal === null) {
      const claimed = await claim(context, command);
      if (claimed !== null) return workForPayer(claimed, { isFirst: true });
    }
    const existing = await storage.read((reader) => reader.payments.find(command.key));
    // Given back between the claim that failed and now: nothing was charged, and it may be tried again.
    if (existing === null) throw refusal ?? pending();
    if (existing.fingerprint !== command.fingerprint) throw refusal ?? invalid(OTHER_REQUEST);
    return pendingWhileAway(resume(existing));
  }

  async function resume(existing: PaymentRecord): Promise<PaidAnswer> {
    if (settlements.isKept(existing)) {
      await settlements.store().catch((error: unknown) => {
        if (settlements.isKept(existing)) throw error;
      });
      const stored = await storage.read((reader) => reader.payments.find(existing));
      if (stored === null) throw pending();
      return resume(stored);
    }
    const { status, answer } = existing;
    if (status === 'rejected') throw rejection(existing.reason ?? '');
    if (status === 'delivered') throw invalid(USED);
    if (status === 'settled' && answer !== null) return undelivered({ payment: existing, answer });
    if (isHeld(existing)) return whileHeld(existing);
    const taken = await takeOverPayment(context, existing);
    if (taken === null) throw pending();
    return workForPayer(taken, { isFirst: false });
  }

  const isHeld = ({ leaseUntil }: PaymentRecord): boolean => leaseUntil > clock.now();

  /** Here or by another instance, which may have died. */
  async function whileHeld(existing: PaymentRecord): Promise<PaidAnswer> {
    const mine = work.get(nameOf(existing));
    if (mine !== undefined) throw atWork(mine, existing.fingerprint);
    if (existing.leaseToken !== FIRST_LEASE_TOKEN) throw pending();
    const { record, hasMoved } = await watch.work(existing);
    if (record === null) throw pending();
    if (!isHeld(record)) return resume(record);
    throw hasMoved && record.leaseToken === FIRST_LEASE_TOKEN ? invalid(AT_WORK) : pending();
  }

  /** The payer may have had the answer from another instance, which is about to store that. */
  async function undelivered(paid: PaidAnswer): Promise<PaidAnswer> {
    if (clock.now() - paid.payment.updatedAt > DELIVERY_MS) return paid;
    const { record } = await watch.delivery(paid.payment);
    if (record?.status === 'delivered') throw invalid(USED);
    return paid;
  }

  async function deliver(payment: PaymentRecord): Promise<void> {
    await storage.transaction(async (tx) => {
      const stored = await tx.payments.lock(payment.id);
      if (stored?.status !== 'settled' || stored.answer === null) return;
      const delivered = advancePayment(stored, 'delivered', { answer: null, now: clock.now() });
      await tx.payments.update(releasePayment(delivered, null));
    });
  }

  async function reconcileOne(payment: PaymentRecord): Promise<void> {
    try {
      // Nothing was submitted: the payer may come again, or has given up and is not charged. A refusal is due when its
      // authorization has ended.
      if (payment.status === 'claimed' || payment.status === 'rejected') await dropClaim(context, payment);
      else await workOn(payment, { isFirst: false });
    } catch (err) {
      logger.error({ err, paymentId: payment.id }, 'a payment was not reconciled');
    }
  }

  return {
    pay,
    delivered(payment) {
      const name = nameOf(payment);
      const stored = deliver(payment)
        .catch((err: unknown) => {
          // It stays settled: a repetition gets the answer once more.
          logger.warn({ err, paymentId: payment.id }, 'a delivery was not stored');
        })
        .finally(() => {
          if (deliveries.get(name) === stored) deliveries.delete(name);
        });
      deliveries.set(name, stored);
      return stored;
    },
    async reconcile({ limit }) {
      // A failure is logged; it does not keep the others from their turn.
      await settlements.store().catch(() => undefined);
      const now = clock.now();
      const due = await storage.transaction((tx) =>
        tx.payments.leaseDue({ now, leaseUntil: now + PAYMENT_LEASE_MS, limit }),
      );
      await Promise.all(due.map(reconcileOne));
      return due.length > 0;
    },
    async drain() {
      while (work.size + deliveries.size > 0)
        await Promise.allSettled([...[...work.values()].map(({ task }) => task), ...deliveries.values()]);
      await settlements.close();
    },
  };
}

/**
 * A copy that comes while the first is in work is a 402 (DESIGN §5). Where the work was taken up again somebody may have
 * been charged and have had no answer, and a 402 would make the payer pay again.
 */
function atWork({ isFirst, ...payment }: Work, fingerprint: string): PredictionMarketError {
  if (isFirst) return invalid(AT_WORK);
  return payment.fingerprint === fingerprint ? pending() : invalid(OTHER_REQUEST);
}

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
      throw rejection(outcome.reason);
    case 'released':
      throw outcome.error;
    case 'unstored':
    case 'pending':
      throw pending();
  }
}

/** The storage went away on the way: the money may have moved, and a payer who signs anew would pay twice. */
async function pendingWhileAway<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isPredictionMarketError(error) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
    throw pending(error);
  }
}

function rejection(reason: string): PredictionMarketError {
  if (reason === INSUFFICIENT_FUNDS) {
    return new PredictionMarketError('INSUFFICIENT_FUNDS', 'The paying wallet holds too little USDC');
  }
  return invalid(`The payment is invalid: ${reason}`);
}

function invalid(message: string): PredictionMarketError {
  return new PredictionMarketError('PAYMENT_INVALID', message);
}

function pending(cause?: unknown): PredictionMarketError {
  const message =
    'Whether the payment went through is not known yet. Repeat the same request with the same payment; it is charged once.';
  const details = { retryAfterSeconds: RETRY_AFTER_SECONDS, cause };
  return new PredictionMarketError('SETTLEMENT_PENDING', message, details);
}

function nameOf({ asset, payer, nonce }: PaymentKey): string {
  return `${asset}:${payer}:${nonce}`;
}
