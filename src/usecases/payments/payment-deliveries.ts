/**
 * Stores that the answers of paid calls were written out whole. From then on the payments are used.
 * Deliveries that come while a transaction stores earlier ones wait, and are then stored together.
 */
import { serviceUnavailable } from '../../domain/errors';
import { advancePayment, endLease, type PaymentKey, type PaymentRecord } from '../../domain/payments';
import type { Storage } from '../../ports/storage';
import type { Context } from '../context';
import { lockPayment } from './lock-payment';
import { paymentName } from './payment-work';

/** The most deliveries in one transaction. With SQLite, trades wait until the transaction ends. */
const LARGEST_BATCH = 32;
/**
 * After this many failed transactions in a row, the deliveries that wait are only logged. Otherwise they could delay
 * the closing of the service, which waits for deliveries.
 */
const MOST_FAILURES_IN_A_ROW = 4;

interface Delivery {
  payment: PaymentRecord;
  /** Called when the delivery is stored, or could not be stored. */
  end: () => void;
}

export function createPaymentDeliveries(context: Context) {
  /** The deliveries that are not stored yet, by the name of the payment. */
  const running = new Map<string, Promise<void>>();
  let waiting: Delivery[] = [];
  let isWorking = false;
  const failures: FailureCount = { inARow: 0 };

  async function work(): Promise<void> {
    isWorking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, LARGEST_BATCH);
      waiting = waiting.slice(LARGEST_BATCH);
      const isAnswering = await storeOrLog(context, batch, failures);
      for (const { end } of batch) end();
      if (isAnswering) continue;
      failures.inARow = 0;
      // Each further batch would also wait for the storage's time limit.
      const unstored = waiting;
      waiting = [];
      logUnstored(context, unstored, serviceUnavailable('The storage is away'));
      for (const { end } of unstored) end();
    }
    isWorking = false;
  }

  return {
    of: (key: PaymentKey): Promise<void> | undefined => running.get(paymentName(key)),
    tasks: (): Promise<void>[] => [...running.values()],
    /** Resolves when the delivery is stored, or could not be stored. Never rejects. */
    store(payment: PaymentRecord): Promise<void> {
      const name = paymentName(payment);
      const stored = new Promise<void>((resolve) => {
        const end = (): void => {
          if (running.get(name) === stored) running.delete(name);
          resolve();
        };
        waiting.push({ payment, end });
      });
      running.set(name, stored);
      if (!isWorking) void work();
      return stored;
    },
  };
}

interface FailureCount {
  inARow: number;
}

/**
 * Stores the deliveries. If a transaction fails although the storage answers, one payment may be the cause. The
 * deliveries are then tried one by one, and in growing parts after each success. A delivery that fails alone is only
 * logged: its payment stays settled, and the same request gets the answer again. Resolves with `false` if the caller
 * should store no further deliveries now.
 */
async function storeOrLog(
  context: Context,
  batch: readonly Delivery[],
  failures: FailureCount,
): Promise<boolean> {
  let rest = batch;
  let size = rest.length;
  while (rest.length > 0) {
    const part = rest.slice(0, size);
    try {
      await storeDeliveries(context, part);
      failures.inARow = 0;
      rest = rest.slice(size);
      size *= 2;
    } catch (err) {
      failures.inARow += 1;
      if (failures.inARow >= MOST_FAILURES_IN_A_ROW || !(await answers(context.storage))) {
        logUnstored(context, rest, err);
        return false;
      }
      if (part.length === 1) {
        logUnstored(context, part, err);
        rest = rest.slice(1);
      }
      size = 1;
    }
  }
  return true;
}

/**
 * Whether the storage answers. The error of a failed transaction does not show this, because a statement that
 * waited too long for a lock fails with the same error.
 */
async function answers(storage: Storage): Promise<boolean> {
  try {
    await storage.ping();
    return true;
  } catch {
    return false;
  }
}

function logUnstored({ logger }: Context, deliveries: readonly Delivery[], err: unknown): void {
  for (const { payment } of deliveries)
    logger.warn({ err, paymentId: payment.id }, 'a delivery was not stored');
}

async function storeDeliveries({ storage, clock }: Context, deliveries: readonly Delivery[]): Promise<void> {
  // The rows are locked in the order of their ids, so that two instances cannot deadlock.
  const payments = deliveries.map(({ payment }) => payment).sort((a, b) => a.id - b.id);
  await storage.transaction(async (transaction) => {
    for (const payment of payments) {
      const stored = await lockPayment(transaction, payment);
      if (stored?.status !== 'settled' || stored.answer === null) continue;
      const delivered = advancePayment(stored, 'delivered', { answer: null, now: clock.now() });
      await transaction.payments.update(endLease(delivered, null));
    }
  });
}
