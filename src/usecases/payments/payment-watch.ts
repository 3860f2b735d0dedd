/**
 * What another instance does with a payment is seen in what it writes.
 *
 * - It holds the lease: is it at work, or has it died? What it writes after the question was asked is the proof of its
 *   life: the next step, or the renewal of its lease, which comes every two seconds.
 * - It has the answer: was that written out? It stores so a moment after the payer has had the last byte.
 */
import type { PaymentRecord } from '../../domain/payments';
import type { Storage } from '../../ports/storage';
import { realTimers, type Timers } from '../../ports/timers';
import { LEASE_RENEWAL_MS } from './payment-lease';

/** The newest record, `null` when the claim was given back, and whether it is another one than at first. */
export interface WatchedPayment {
  record: PaymentRecord | null;
  hasMoved: boolean;
}

export interface PaymentWatch {
  /** Until whoever holds the lease is seen to live, or to have let it go; else a little longer than a renewal. */
  work(seen: PaymentRecord): Promise<WatchedPayment>;
  /** Until the answer is known to be delivered; else for half a second. */
  delivery(seen: PaymentRecord): Promise<WatchedPayment>;
}

const WORK = { everyMs: 100, looks: Math.ceil((LEASE_RENEWAL_MS * 1.25) / 100) };
const DELIVERY = { everyMs: 50, looks: 10 };

/** Copies of one payment share a watch. */
export function createPaymentWatch(
  { storage }: { storage: Pick<Storage, 'read'> },
  timers: Pick<Timers, 'after'> = realTimers,
): PaymentWatch {
  const watches = new Map<string, Promise<WatchedPayment>>();

  async function watch(seen: PaymentRecord, { everyMs, looks }: typeof WORK): Promise<WatchedPayment> {
    for (let look = 0; look < looks; look += 1) {
      await new Promise<void>((resolve) => void timers.after(everyMs, resolve));
      const record = await storage.read((reader) => reader.payments.find(seen));
      if (record === null || isAnother(seen, record)) return { record, hasMoved: true };
    }
    return { record: seen, hasMoved: false };
  }

  function shared(seen: PaymentRecord, pace: typeof WORK): Promise<WatchedPayment> {
    const name = `${seen.id} ${seen.status} ${seen.leaseUntil}`;
    const running = watches.get(name);
    if (running !== undefined) return running;
    const watching = watch(seen, pace).finally(() => watches.delete(name));
    watches.set(name, watching);
    return watching;
  }

  return {
    work: (seen) => shared(seen, WORK),
    delivery: (seen) => shared(seen, DELIVERY),
  };
}

function isAnother(before: PaymentRecord, after: PaymentRecord): boolean {
  return before.status !== after.status || before.leaseUntil !== after.leaseUntil;
}
