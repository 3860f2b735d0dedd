/**
 * Waits for what another instance writes about a payment. There are two cases:
 *
 * - The other instance has the lease, and either works or has died. An instance that works writes the next
 *   state, or renews the lease every two seconds.
 * - The other instance has the answer and may have sent it. It stores the delivery a moment after the last
 *   byte.
 */
import type { PaymentRecord } from '../../domain/payments';
import type { Storage } from '../../ports/storage';
import { realTimers, type Timers } from '../../ports/timers';
import { LEASE_RENEWAL_MS } from './payment-lease';

/**
 * The newest record, and whether it differs from the record with which the watch began. The record is `null`
 * when the claim was deleted.
 */
export interface WatchedPayment {
  record: PaymentRecord | null;
  hasChanged: boolean;
}

export interface PaymentWatch {
  /**
   * Watches the work of another instance. Ends when that instance writes, or a little after its next renewal of
   * the lease would have been due.
   */
  work(seen: PaymentRecord): Promise<WatchedPayment>;
  /** Watches for the delivery. Ends when another instance has stored the delivery, or after half a second. */
  delivery(seen: PaymentRecord): Promise<WatchedPayment>;
}

const WORK = { everyMs: 100, looks: Math.ceil((LEASE_RENEWAL_MS * 1.25) / 100) };
const DELIVERY = { everyMs: 50, looks: 10 };

/** Requests that wait for the same payment share one watch, and its reads of the storage. */
export function createPaymentWatch(
  { storage }: { storage: Pick<Storage, 'read'> },
  timers: Pick<Timers, 'after'> = realTimers,
): PaymentWatch {
  const watches = new Map<string, Promise<WatchedPayment>>();

  async function watch(seen: PaymentRecord, { everyMs, looks }: typeof WORK): Promise<WatchedPayment> {
    for (let look = 0; look < looks; look += 1) {
      await new Promise<void>((resolve) => void timers.after(everyMs, resolve));
      const record = await storage.read((reader) => reader.payments.find(seen));
      if (record === null || isAnother(seen, record)) return { record, hasChanged: true };
    }
    return { record: seen, hasChanged: false };
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
