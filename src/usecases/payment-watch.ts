/**
 * Another instance holds a payment's lease: is it at work, or has it died? What it writes after the question was asked is
 * the proof of its life: the next step, or the renewal of its lease, which comes every two seconds.
 */
import type { PaymentRecord } from '../domain/payments';
import { realTimers, type Timers } from '../ports/timers';
import type { Context } from './context';
import { LEASE_RENEWAL_MS } from './payment-lease';

/** `record` is the newest one; `null` when the claim was given back. */
export interface WatchedPayment {
  record: PaymentRecord | null;
  /** Whether whoever held it has been seen to live. */
  alive: boolean;
}

export type PaymentWatch = (seen: PaymentRecord) => Promise<WatchedPayment>;

const LOOK_EVERY_MS = 100;
/** One renewal, and a while for a slow storage. */
const LOOKS = Math.ceil((LEASE_RENEWAL_MS * 1.25) / LOOK_EVERY_MS);

/** Copies of one payment share a watch. */
export function createPaymentWatch(
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  timers: Pick<Timers, 'after'> = realTimers,
): PaymentWatch {
  const watches = new Map<number, Promise<WatchedPayment>>();

  async function watch(seen: PaymentRecord): Promise<WatchedPayment> {
    for (let look = 0; look < LOOKS; look += 1) {
      await new Promise<void>((resolve) => void timers.after(LOOK_EVERY_MS, resolve));
      const record = await storage.read((reader) => reader.payments.find(seen));
      if (record === null || hasMoved(seen, record)) return { record, alive: true };
      if (record.leaseUntil <= clock.now()) break;
    }
    return { record: seen, alive: false };
  }

  return (seen) => {
    const running = watches.get(seen.id);
    if (running !== undefined) return running;
    const watching = watch(seen).finally(() => watches.delete(seen.id));
    watches.set(seen.id, watching);
    return watching;
  };
}

function hasMoved(before: PaymentRecord, after: PaymentRecord): boolean {
  return before.status !== after.status || before.leaseUntil !== after.leaseUntil;
}
