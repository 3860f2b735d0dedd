import type { PaymentRecord } from '../domain/payments';
import { checksumAddress, isoTime, usd } from './format';
import type { PaymentView } from './types';

export function paymentView(payment: PaymentRecord): PaymentView {
  const { id, status, operation, payer, asset, nonce, amount, transaction, reason, decision } = payment;
  return {
    id,
    status,
    operation,
    payer: checksumAddress(payer),
    asset: checksumAddress(asset),
    nonce,
    amount: usd(amount),
    transaction,
    reason,
    decision: decision === null ? null : { ...decision, decidedAt: isoTime(decision.decidedAt) },
    createdAt: isoTime(payment.createdAt),
    updatedAt: isoTime(payment.updatedAt),
  };
}
