import type { PaymentRecord, PaymentStatus, PaymentVerdict } from '../domain/payments';
import { checksumAddress, isoTime, usd } from './format';

export interface PaymentView {
  id: number;
  status: PaymentStatus;
  operation: string;
  payer: string;
  asset: string;
  nonce: string;
  amount: number;
  transaction: string | null;
  reason: string | null;
  /** The decision of an operator. `null`: there is none. */
  decision: PaymentDecisionView | null;
  createdAt: string;
  updatedAt: string;
}

export interface PaymentDecisionView {
  verdict: PaymentVerdict;
  reason: string;
  decidedAt: string;
}

export interface PaymentListView {
  payments: PaymentView[];
  limit: number;
  offset: number;
  hasMore: boolean;
}

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
