import { isSolvent } from '../../domain/house';
import { usd } from '../../views/format';
import type { TreasuryView } from '../../views/types';
import type { Context } from '../context';
import { readHouseBooks } from './house-books';

/** What the house has, what it can still lose, and whether it can pay what it owes. */
export async function getTreasury({
  storage,
  config,
}: Pick<Context, 'storage' | 'config'>): Promise<TreasuryView> {
  const books = await storage.read((reader) => readHouseBooks(reader, config));
  return {
    balance: usd(books.balance),
    exposure: usd(books.exposure),
    limit: usd(books.limit),
    solvent: isSolvent(books),
  };
}
