/** Answers a payer who repeats a payment that an earlier, identical request has claimed. */
import type { PaymentRecord } from '../../domain/payments';
import type { Context } from '../context';
import type { KnownSettlements } from './known-settlements';
import { paidAnswer, type PaidAnswer } from './payment-outcomes';
import { paymentAtWork, paymentRejected, settlementPending, UsedPaymentError } from './payment-errors';
import { FIRST_LEASE_TOKEN, isLeased, takeOverPayment } from './payment-lease';
import { belongsToOthers } from './payments-of-others';
import type { PaymentWatch } from './payment-watch';
import type { PaymentWork } from './payment-work';

interface ResumeTools {
  context: Context;
  work: PaymentWork;
  settlements: KnownSettlements;
  watch: PaymentWatch;
}

/** For this long after a settlement, another instance may still be writing the answer out. */
const DELIVERY_MS = 3_000;

export function createResumePayment({ context, work, settlements, watch }: ResumeTools) {
  const { storage, clock } = context;

  async function resumePayment(existing: PaymentRecord, onCost: () => void): Promise<PaidAnswer> {
    if (settlements.isKept(existing)) return resumePayment(await storeKept(existing), onCost);
    const { status, answer } = existing;
    if (status === 'rejected') throw paymentRejected(existing.reason ?? '');
    if (status === 'delivered') throw new UsedPaymentError(existing);
    if (status === 'settled' && answer !== null) return undelivered({ payment: existing, answer });
    if (isLeased(existing, clock.now())) return whileLeased(existing, onCost);
    if (belongsToOthers(context, existing)) throw settlementPending();
    const taken = await takeOverPayment(context, existing);
    if (taken === null) throw settlementPending();
    onCost();
    return paidAnswer(await work.again(taken));
  }

  async function storeKept(existing: PaymentRecord): Promise<PaymentRecord> {
    await settlements.store().catch((error: unknown) => {
      if (settlements.isKept(existing)) throw error;
    });
    const stored = await storage.read((reader) => reader.payments.find(existing));
    if (stored === null) throw settlementPending();
    return stored;
  }

  /**
   * Answers for a payment that a worker has leased. If this instance works on the payment, `refuseCopy` throws.
   * Otherwise another instance has the lease, and may have died.
   */
  async function whileLeased(existing: PaymentRecord, onCost: () => void): Promise<PaidAnswer> {
    work.refuseCopy(existing, existing.fingerprint);
    if (existing.leaseToken !== FIRST_LEASE_TOKEN) throw settlementPending();
    const { record, hasChanged } = await watch.work(existing);
    if (record === null) throw settlementPending();
    if (!isLeased(record, clock.now())) return resumePayment(record, onCost);
    throw hasChanged && record.leaseToken === FIRST_LEASE_TOKEN ? paymentAtWork() : settlementPending();
  }

  /**
   * Answers for a settled payment whose answer is stored. Another instance may have sent that answer and be
   * about to store the delivery.
   */
  async function undelivered(paid: PaidAnswer): Promise<PaidAnswer> {
    if (clock.now() - paid.payment.updatedAt > DELIVERY_MS) return paid;
    const { record } = await watch.delivery(paid.payment);
    if (record?.status === 'delivered') throw new UsedPaymentError(record);
    return paid;
  }

  return resumePayment;
}
