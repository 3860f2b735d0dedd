/**
 * Stores that the answers of paid calls were written out whole. From then on the payments are used. Deliveries that
 * come while others are being stored wait, and are then stored together in one transaction.
 */
import { isPredictionMarketError } from '../../domain/errors';
import { advancePayment, endLease, type PaymentKey, type PaymentRecord } from '../../domain/payments';
import type { Context } from '../context';
import { paymentName } from './payment-work';

/** The most deliveries in one transaction. A transaction of SQLite keeps trades waiting. */
const LARGEST_BATCH = 32;

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

  async function work(): Promise<void> {
    isWorking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, LARGEST_BATCH);
      waiting = waiting.slice(LARGEST_BATCH);
      await storeOrLog(
        context,
        batch.map(({ payment }) => payment),
      );
      for (const { end } of batch) end();
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

/**
 * Stores the deliveries. If that fails although the storage answers, one payment may be the cause, so each delivery is
 * tried on its own. A payment whose delivery is not stored stays settled, and the same request gets the answer again.
 */
async function storeOrLog(context: Context, payments: readonly PaymentRecord[]): Promise<void> {
  try {
    await storeDeliveries(context, payments);
  } catch (err) {
    const isUnavailable = isPredictionMarketError(err) && err.code === 'SERVICE_UNAVAILABLE';
    if (isUnavailable || payments.length === 1)
      for (const { id } of payments) context.logger.warn({ err, paymentId: id }, 'a delivery was not stored');
    else for (const payment of payments) await storeOrLog(context, [payment]);
  }
}

async function storeDeliveries(
  { storage, clock }: Context,
  payments: readonly PaymentRecord[],
): Promise<void> {
  // In the order of their ids, so that two instances never wait for each other.
  const ids = payments.map(({ id }) => id).sort((a, b) => a - b);
  await storage.transaction(async (transaction) => {
    for (const id of ids) {
      const stored = await transaction.payments.lock(id);
      if (stored?.status !== 'settled' || stored.answer === null) continue;
      const delivered = advancePayment(stored, 'delivered', { answer: null, now: clock.now() });
      await transaction.payments.update(endLease(delivered, null));
    }
  });
}
