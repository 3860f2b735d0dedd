import type { HouseBooks } from '../domain/house';
import { isSolvent } from '../domain/house';
import type { Funds } from './account';
import { usd } from './format';

export interface TreasuryView {
  /** What operators put in and the house has won, less what it has lost, USD. */
  balance: number;
  /** What the house can still lose: the worst losses of all markets that are not resolved, USD. */
  exposure: number;
  /** How far the exposure may go beyond the balance, USD. */
  limit: number;
  /** Whether balance is at least 0, and exposure at most balance + limit; while false, withdrawals wait. */
  solvent: boolean;
}

export interface TreasuryDepositView {
  /** Balance of the treasury right after the credit, USD. */
  balance: number;
  /** What was credited, USD. */
  amount: number;
  /** The text by which the operator credited the money; each text is credited once. */
  reference: string;
}

export function treasuryView(books: HouseBooks): TreasuryView {
  return {
    balance: usd(books.balance),
    exposure: usd(books.exposure),
    limit: usd(books.limit),
    solvent: isSolvent(books),
  };
}

export function treasuryDepositView(
  { balance }: Pick<Funds, 'balance'>,
  { amount, reference }: { amount: bigint; reference: string },
): TreasuryDepositView {
  return { balance: usd(balance), amount: usd(amount), reference };
}
