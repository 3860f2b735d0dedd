/**
 * Who works on a payment holds its lease and renews it; one that dies is taken over when the lease ends. Every change
 * carries the lease's token, so that an instance that was paused cannot act on old knowledge.
 */
import { releasePayment, type PaymentRecord } from '../domain/payments';
import type { NewPayment, Transaction } from '../ports/storage';
import type { Context } from './context';

/** Short: it is how long a payer may have to wait after a crash. */
export const PAYMENT_LEASE_MS = 6_000;
export const LEASE_RENEWAL_MS = PAYMENT_LEASE_MS / 3;
/** Of whoever claimed the payment; takeovers count on from it. */
export const FIRST_LEASE_TOKEN = 1;

type LeaseContext = Pick<Context, 'storage' | 'clock' | 'logger'>;

/** Claims (asset, payer, nonce) for this instance; `null` when it is taken. */
export function claimPayment(
  { storage, clock }: LeaseContext,
  payment: Omit<
    NewPayment,
    | 'status'
    | 'transaction'
    | 'answer'
    | 'reason'
    | 'createdAt'
    | 'updatedAt'
    | 'leaseUntil'
    | 'leaseToken'
    | 'dueAt'
    | 'attempts'
  >,
): Promise<PaymentRecord | null> {
  const now = clock.now();
  const until = now + PAYMENT_LEASE_MS;
  return storage.transaction((tx) =>
    tx.payments.insert({
      ...payment,
      status: 'claimed',
      transaction: null,
      answer: null,
      reason: null,
      createdAt: now,
      updatedAt: now,
      leaseUntil: until,
      leaseToken: FIRST_LEASE_TOKEN,
      dueAt: until,
      attempts: 0,
    }),
  );
}

/** Takes a payment that nobody works on any more; `null` when somebody does, or when it has moved on. */
export function takeOverPayment(
  { storage, clock }: LeaseContext,
  seen: PaymentRecord,
): Promise<PaymentRecord | null> {
  return storage.transaction(async (tx) => {
    const payment = await tx.payments.lock(seen.id);
    const now = clock.now();
    if (payment?.leaseToken !== seen.leaseToken || payment.leaseUntil > now) return null;
    const taken = held({ ...payment, leaseToken: payment.leaseToken + 1 }, now);
    await tx.payments.update(taken);
    return taken;
  });
}

/** Stores a step of the work and keeps the lease. `null`, and nothing written, when somebody has taken it over. */
export function storeStep(context: LeaseContext, next: PaymentRecord): Promise<PaymentRecord | null> {
  return withOwnPayment(context, next, async (tx) => {
    const stored = held(next, context.clock.now());
    await tx.payments.update(stored);
    return stored;
  });
}

/** Stores the last step and lets go; the reconciliation looks again at `dueAt`. */
export function storeAndRelease(
  context: LeaseContext,
  next: PaymentRecord,
  dueAt: number | null,
): Promise<PaymentRecord | null> {
  return withOwnPayment(context, next, async (tx) => {
    const stored = releasePayment(next, dueAt);
    await tx.payments.update(stored);
    return stored;
  });
}

/** Gives the claim back: nothing was charged, and the payer may try again. `false` when somebody has taken it over. */
export async function dropClaim(context: LeaseContext, payment: PaymentRecord): Promise<boolean> {
  const dropped = await withOwnPayment(context, payment, async (tx) => {
    await tx.payments.delete(payment.id);
    return true;
  });
  return dropped === true;
}

/** Runs `work` with the row locked if the lease is still ours, else gives `null`. */
export function withOwnPayment<T>(
  { storage }: Pick<Context, 'storage'>,
  { id, leaseToken }: PaymentRecord,
  work: (tx: Transaction, stored: PaymentRecord) => Promise<T>,
): Promise<T | null> {
  return storage.transaction(async (tx) => {
    const stored = await tx.payments.lock(id);
    return stored?.leaseToken === leaseToken ? work(tx, stored) : null;
  });
}

/** Renews the lease while `work` runs: a settlement may take longer than a lease. */
export async function underLease<T>(
  context: LeaseContext,
  payment: PaymentRecord,
  work: () => Promise<T>,
): Promise<T> {
  let renewal: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    renewal = renew(context, payment).catch((err: unknown) => {
      context.logger.warn({ err, paymentId: payment.id }, 'the lease of a payment was not renewed');
    });
  }, LEASE_RENEWAL_MS);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewal;
  }
}

function renew(context: LeaseContext, payment: PaymentRecord): Promise<unknown> {
  return withOwnPayment(context, payment, async (tx, stored) => {
    // Released meanwhile: there is nothing to renew.
    if (stored.leaseUntil !== 0) await tx.payments.update(held(stored, context.clock.now()));
  });
}

/** A dead worker's payment falls due for the reconciliation when its lease ends. */
function held(payment: PaymentRecord, now: number): PaymentRecord {
  const until = now + PAYMENT_LEASE_MS;
  return { ...payment, leaseUntil: until, dueAt: until };
}
