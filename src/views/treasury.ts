import type { HouseBooks } from '../domain/house';
import { isSolvent } from '../domain/house';
import type { Funds } from './account';
import { usd } from './format';

export interface TreasuryView {
  balance: number;
  exposure: number;
  limit: number;
  solvent: boolean;
}

export interface TreasuryDepositView {
  balance: number;
  amount: number;
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
