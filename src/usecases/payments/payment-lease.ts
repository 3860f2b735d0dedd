/**
 * The lease of a payment: the right of one worker to work on the payment until an instant. The worker renews
 * the lease. When the worker dies, another instance takes the payment over once the lease has ended. Every
 * step of the work names the token of the lease, so an instance that was paused cannot overwrite newer
 * changes. A proven settlement is stored even without the lease (store-settlement.ts).
 */
import { isAhead } from '../../domain/instants';
import { endLease, type PaymentRecord } from '../../domain/payments';
import { LONGEST_LEASE_MS, type Transaction } from '../../ports/storage';
import { realTimers, type Timers } from '../../ports/timers';
import type { Context } from '../context';
import { lockPayment } from './lock-payment';

/** The lease is short, because after a crash the payer may have to wait until the lease ends. */
export const PAYMENT_LEASE_MS = 6_000;
export const LEASE_RENEWAL_MS = PAYMENT_LEASE_MS / 3;
/** The lease token of the instance that claimed the payment. Each takeover raises the token by one. */
export const FIRST_LEASE_TOKEN = 1;

type LeaseContext = Pick<Context, 'storage' | 'clock' | 'logger'>;

export function isLeased({ leaseUntil }: PaymentRecord, now: number): boolean {
  return isAhead(leaseUntil, now, LONGEST_LEASE_MS);
}

/**
 * Takes over a payment whose lease has ended. `null` when a worker has the lease, or when the payment's status or
 * lease token has changed.
 */
export function takeOverPayment(
  { storage, clock }: LeaseContext,
  seen: PaymentRecord,
): Promise<PaymentRecord | null> {
  return storage.transaction(async (transaction) => {
    const payment = await lockPayment(transaction, seen);
    const now = clock.now();
    if (payment === null || !isUnchanged(payment, seen) || isLeased(payment, now)) return null;
    const taken = leased({ ...payment, leaseToken: payment.leaseToken + 1 }, now);
    await transaction.payments.update(taken);
    return taken;
  });
}

/**
 * The result of writing the next state of a payment. `taken: false` means that the caller has lost the lease,
 * or that the status of the payment has changed. `stored` is the row in the storage, `null` if the row is gone.
 */
export type StepResult =
  { taken: true; stored: PaymentRecord } | { taken: false; stored: PaymentRecord | null };

/**
 * Writes the next state of a payment and renews the lease. `next` gets the stored payment, not the remembered
 * one, because the answer to an earlier COMMIT may have been lost. Nothing is written if the status or the
 * lease token in the storage differs from that of `seen`. `check` runs first in the transaction. If `check`
 * rejects, nothing is written.
 */
export function takeStep(
  context: LeaseContext,
  seen: PaymentRecord,
  next: (stored: PaymentRecord) => PaymentRecord,
  check?: (transaction: Transaction) => Promise<void>,
): Promise<StepResult> {
  return step(context, seen, (stored) => leased(next(stored), context.clock.now()), check);
}

/**
 * Like `takeStep`, but ends the lease. The reconciliation works on the payment again at `dueAt`, or never if
 * `dueAt` is `null`.
 */
export function takeLastStep(
  context: LeaseContext,
  seen: PaymentRecord,
  dueAt: number | null,
  next: (stored: PaymentRecord) => PaymentRecord,
): Promise<StepResult> {
  return step(context, seen, (stored) => endLease(next(stored), dueAt));
}

function step(
  { storage }: LeaseContext,
  seen: PaymentRecord,
  next: (stored: PaymentRecord) => PaymentRecord,
  check?: (transaction: Transaction) => Promise<void>,
): Promise<StepResult> {
  return storage.transaction(async (transaction) => {
    await check?.(transaction);
    const before = await lockPayment(transaction, seen);
    if (before === null || !isUnchanged(before, seen)) return { taken: false, stored: before };
    const stored = next(before);
    await transaction.payments.update(stored);
    return { taken: true, stored };
  });
}

/** Deletes the row of a payment, if its status and its lease token are still those of `seen`. */
export function dropClaim({ storage }: LeaseContext, seen: PaymentRecord): Promise<StepResult> {
  return storage.transaction(async (transaction) => {
    const stored = await lockPayment(transaction, seen);
    if (stored === null || !isUnchanged(stored, seen)) return { taken: false, stored };
    await transaction.payments.delete(seen.id);
    return { taken: true, stored };
  });
}

function isUnchanged(stored: PaymentRecord, seen: PaymentRecord): boolean {
  return stored.leaseToken === seen.leaseToken && stored.status === seen.status;
}

/** Renews the lease while `work` runs, because a settlement can take longer than a lease. */
export async function underLease<T>(
  context: LeaseContext,
  payment: PaymentRecord,
  work: () => Promise<T>,
  timers: Pick<Timers, 'after'> = realTimers,
): Promise<T> {
  let renewal: Promise<unknown> = Promise.resolve();
  let cancel = (): void => undefined;
  function renewLater(): void {
    cancel = timers.after(LEASE_RENEWAL_MS, () => {
      renewal = renew(context, payment).catch((err: unknown) => {
        context.logger.warn({ err, paymentId: payment.id }, 'the lease of a payment was not renewed');
      });
      renewLater();
    });
  }
  renewLater();
  try {
    return await work();
  } finally {
    cancel();
    await renewal;
  }
}

function renew({ storage, clock }: LeaseContext, payment: PaymentRecord): Promise<void> {
  return storage.transaction(async (transaction) => {
    const stored = await lockPayment(transaction, payment);
    // Another instance has taken the payment over, or the work on it has ended.
    if (stored?.leaseToken !== payment.leaseToken || stored.leaseUntil === 0) return;
    await transaction.payments.update(leased(stored, clock.now()));
  });
}

/** Renews the lease and sets `dueAt` to its end, so the reconciliation finds the payment if the worker dies. */
function leased(payment: PaymentRecord, now: number): PaymentRecord {
  const until = now + PAYMENT_LEASE_MS;
  return { ...payment, leaseUntil: until, dueAt: until };
}
