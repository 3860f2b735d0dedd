import type { Config } from '../../config';
import { isSolvent, type HouseBooks } from '../../domain/house';
import { formatMicros } from '../../domain/money';
import type { Reader, Transaction } from '../../ports/storage';
import { houseBooks } from '../accounts/house-books';
import { playBalancesIn, type MoneyContext } from '../payments/money-of-books';

/** Thrown when the house is not solvent. A withdrawal that is sent then could take the money of other wallets. */
export class InsolventBooks extends Error {
  override readonly name = 'InsolventBooks';
  constructor({ balance, exposure, limit }: HouseBooks) {
    super(
      `withdrawals wait for money in the treasury: it holds ${formatMicros(balance)} USD, ` +
        `${formatMicros(exposure)} USD can still be lost, and the limit is ${formatMicros(limit)} USD beyond what it holds`,
    );
  }
}

export function refuseInsolvent(books: HouseBooks): void {
  if (!isSolvent(books)) throw new InsolventBooks(books);
}

/** Why withdrawals wait. `null` when the house is solvent. */
export const insolvencyOf = (books: HouseBooks): string | null =>
  isSolvent(books) ? null : new InsolventBooks(books).message;

/**
 * Locks the treasury until the transaction ends, so that no loss is booked while a payout is stored. Rejects
 * with `InsolventBooks`.
 */
export async function requireSolvency(transaction: Transaction, config: Config, now: number): Promise<void> {
  await transaction.accounts.lock(['treasury'], now);
  refuseInsolvent(await houseBooks(transaction, config, await transaction.markets.totals()));
}

/** Thrown when the books hold balances of play money, which this payout must not pay out. */
export class PlayBalances extends Error {
  override readonly name = 'PlayBalances';
}

/** @throws PlayBalances */
export async function requireNoPlayBalances(
  reader: Pick<Reader, 'settings'>,
  context: MoneyContext,
): Promise<void> {
  const found = await playBalancesIn(reader, context);
  if (found !== null) throw new PlayBalances(`the books hold balances of play money (${found})`);
}
