/** Stores that the answer of a paid call was written out whole. From then on the payment is used. */
import { advancePayment, endLease, type PaymentKey, type PaymentRecord } from '../../domain/payments';
import type { Context } from '../context';
import { paymentName } from './payment-work';

export function createPaymentDeliveries(context: Context) {
  /** The deliveries that are not stored yet, by the name of the payment. */
  const running = new Map<string, Promise<void>>();
  return {
    of: (key: PaymentKey): Promise<void> | undefined => running.get(paymentName(key)),
    tasks: (): Promise<void>[] => [...running.values()],
    store(payment: PaymentRecord): Promise<void> {
      const name = paymentName(payment);
      const stored = storeDelivery(context, payment)
        .catch((err: unknown) => {
          // The payment stays settled, so the same request gets the answer once more.
          context.logger.warn({ err, paymentId: payment.id }, 'a delivery was not stored');
        })
        .finally(() => {
          if (running.get(name) === stored) running.delete(name);
        });
      running.set(name, stored);
      return stored;
    },
  };
}

async function storeDelivery({ storage, clock }: Context, payment: PaymentRecord): Promise<void> {
  await storage.transaction(async (transaction) => {
    const stored = await transaction.payments.lock(payment.id);
    if (stored?.status !== 'settled' || stored.answer === null) return;
    const delivered = advancePayment(stored, 'delivered', { answer: null, now: clock.now() });
    await transaction.payments.update(endLease(delivered, null));
  });
}
