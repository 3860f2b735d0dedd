/**
 * Who works on a payment holds its lease and renews it; one that dies is taken over when the lease ends. Every change
 * carries the lease's token, so that an instance that was paused cannot act on old knowledge.
 */
import { releasePayment, type PaymentRecord } from '../../domain/payments';
import type { NewPayment } from '../../ports/storage';
import type { Context } from '../context';

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
    | 'decision'
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
      decision: null,
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
    if (payment === null || !isWhereItWas(payment, seen) || payment.leaseUntil > now) return null;
    const taken = held({ ...payment, leaseToken: payment.leaseToken + 1 }, now);
    await tx.payments.update(taken);
    return taken;
  });
}

/** What a step has found: it was taken, or the payment is not (or no longer) the caller's to move, and this is what is stored. */
export type Step = { taken: true; stored: PaymentRecord } | { taken: false; stored: PaymentRecord | null };

/**
 * Takes a step of the work and keeps the lease. The step starts from what is stored, never from what was remembered: an
 * answer to an earlier COMMIT may have been lost. Nothing is written unless the payment is where `seen` was.
 */
export function takeStep(
  context: LeaseContext,
  seen: PaymentRecord,
  next: (stored: PaymentRecord) => PaymentRecord,
): Promise<Step> {
  return step(context, seen, (stored) => held(next(stored), context.clock.now()));
}

/** As `takeStep`, for the last step: lets go, and the reconciliation looks again at `dueAt`. */
export function takeLastStep(
  context: LeaseContext,
  seen: PaymentRecord,
  dueAt: number | null,
  next: (stored: PaymentRecord) => PaymentRecord,
): Promise<Step> {
  return step(context, seen, (stored) => releasePayment(next(stored), dueAt));
}

function step(
  { storage }: LeaseContext,
  seen: PaymentRecord,
  next: (stored: PaymentRecord) => PaymentRecord,
): Promise<Step> {
  return storage.transaction(async (tx) => {
    const before = await tx.payments.lock(seen.id);
    if (before === null || !isWhereItWas(before, seen)) return { taken: false, stored: before };
    const stored = next(before);
    await tx.payments.update(stored);
    return { taken: true, stored };
  });
}

/** Gives the claim back: nothing was charged, and the payer may try again. */
export function dropClaim({ storage }: LeaseContext, seen: PaymentRecord): Promise<Step> {
  return storage.transaction(async (tx) => {
    const stored = await tx.payments.lock(seen.id);
    if (stored === null || !isWhereItWas(stored, seen)) return { taken: false, stored };
    await tx.payments.delete(seen.id);
    return { taken: true, stored };
  });
}

/** The lease is still the caller's, and no step was taken since. */
function isWhereItWas(stored: PaymentRecord, seen: PaymentRecord): boolean {
  return stored.leaseToken === seen.leaseToken && stored.status === seen.status;
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

function renew({ storage, clock }: LeaseContext, { id, leaseToken }: PaymentRecord): Promise<void> {
  return storage.transaction(async (tx) => {
    const stored = await tx.payments.lock(id);
    // Taken over or released meanwhile: there is nothing to renew.
    if (stored?.leaseToken !== leaseToken || stored.leaseUntil === 0) return;
    await tx.payments.update(held(stored, clock.now()));
  });
}

/** A dead worker's payment falls due for the reconciliation when its lease ends. */
function held(payment: PaymentRecord, now: number): PaymentRecord {
  const until = now + PAYMENT_LEASE_MS;
  return { ...payment, leaseUntil: until, dueAt: until };
}
