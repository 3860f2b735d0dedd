/** A deposit as its wallet sees it. */
import { createHash } from 'node:crypto';
import { sourceOfDeposit, type DepositSource } from '../domain/paid-deposits';
import type { Deposit } from '../domain/types';
import { isoTime, usd } from './format';

export interface CreditView {
  /** The id of the deposit, the same in every answer. */
  id: string;
  /** What was credited, USD. */
  amount: number;
  /** An operator credited it, or a payment over x402. */
  source: DepositSource;
  /** Hash of the transaction that paid for it, if it is known; null for a deposit by an operator. */
  transaction: string | null;
  /** When it was credited, ISO 8601. */
  createdAt: string;
}

export interface OperatorCreditView extends CreditView {
  /** The text by which it was credited; a payment over x402 has a reference of its own. */
  reference: string;
}

export interface OperatorCreditListView {
  deposits: OperatorCreditView[];
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
  offset: number;
  /** Whether more rows follow this page. */
  hasMore: boolean;
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

/** A deposit with the transaction that paid for it. */
export type PaidDeposit = Deposit & { transaction: string | null };

/**
 * The reference is not shown, because operators write references for their own books. The id is a hash of the
 * reference, so a deposit has the same id in every answer.
 */
export function creditView({ reference, amount, transaction, createdAt }: PaidDeposit): CreditView {
  const id = createHash('sha256').update(`deposit:${reference}`).digest('hex').slice(0, ID_LENGTH);
  const source = sourceOfDeposit(reference);
  return { id, amount: usd(amount), source, transaction, createdAt: isoTime(createdAt) };
}

export function operatorCreditView(deposit: PaidDeposit): OperatorCreditView {
  return { ...creditView(deposit), reference: deposit.reference };
}
