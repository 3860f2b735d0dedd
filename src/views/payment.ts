import {
  windowEnd,
  type PaymentDecision,
  type PaymentRecord,
  type PaymentStatus,
  type PaymentVerdict,
  type PaymentWindow,
} from '../domain/payments';
import { checksumAddress, isoTime, usd } from './format';

export interface PaymentView {
  /** The number of the payment. */
  id: number;
  /** How far the payment has come, from its claim to its delivery. */
  status: PaymentStatus;
  /** The call that was paid for. */
  operation: string;
  /** EVM address in EIP-55 form. */
  payer: string;
  /** EVM address in EIP-55 form. */
  asset: string;
  /** The nonce of the authorization. */
  nonce: string;
  /** When the authorization ends, ISO 8601; null: the stored row cannot be read. */
  validBefore: string | null;
  /** What was paid, USD. */
  amount: number;
  /** Hash of the settling transaction. */
  transaction: string | null;
  /** Why it was rejected, or what it waits for. */
  reason: string | null;
  /** The decision of an operator on a settlement that the service cannot look up; null: there is none. */
  decision: PaymentDecisionView | null;
  /** When it was claimed, ISO 8601. */
  createdAt: string;
  /** When its status last changed, ISO 8601. */
  updatedAt: string;
}

export interface PaymentDecisionView {
  /** Whether the payer was charged (confirmed) or not (rejected). */
  verdict: PaymentVerdict;
  /** How the operator knows the outcome. */
  reason: string;
  /** When the operator decided, ISO 8601. */
  decidedAt: string;
}

export interface PaymentListView {
  payments: PaymentView[];
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
  offset: number;
  /** Whether more rows follow this page. */
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
    validBefore: endOf(payment),
    amount: usd(amount),
    transaction,
    reason,
    decision: decision === null ? null : decisionView(decision),
    createdAt: isoTime(payment.createdAt),
    updatedAt: isoTime(payment.updatedAt),
  };
}

function decisionView({ verdict, reason, decidedAt }: PaymentDecision): PaymentDecisionView {
  return { verdict, reason, decidedAt: isoTime(decidedAt) };
}

function endOf({ payment }: PaymentRecord): string | null {
  try {
    const stored = JSON.parse(payment) as { payment: { authorization: PaymentWindow } };
    return isoTime(windowEnd(stored.payment.authorization));
  } catch {
    return null;
  }
}
