/** A deposit as its wallet sees it. */
import { createHash } from 'node:crypto';
import { sourceOfDeposit, type DepositSource } from '../domain/payments';
import type { Deposit } from '../domain/types';
import { isoTime, usd } from './format';

export interface CreditView {
  /** The id of the deposit, the same in every answer. */
  id: string;
  /** What was credited, USD. */
  amount: number;
  /** An operator credited it, or a payment over x402. */
  source: DepositSource;
  /** When it was credited, ISO 8601. */
  createdAt: string;
}

export interface CreditListView {
  deposits: CreditView[];
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
  offset: number;
  /** Whether more rows follow this page. */
  hasMore: boolean;
}

const ID_LENGTH = 32;

/**
 * The reference is not shown, because operators write references for their own books. The id is a hash of the
 * reference, so a deposit has the same id in every answer.
 */
export function creditView({ reference, amount, createdAt }: Deposit): CreditView {
  const id = createHash('sha256').update(`deposit:${reference}`).digest('hex').slice(0, ID_LENGTH);
  return { id, amount: usd(amount), source: sourceOfDeposit(reference), createdAt: isoTime(createdAt) };
}
