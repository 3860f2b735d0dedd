import { treasuryView, type TreasuryView } from '../../views/treasury';
import type { Context } from '../context';
import { readHouseBooks } from './house-books';

/** The money of the house, what it can still lose, and whether it can pay what it owes. */
export async function getTreasury({
  storage,
  config,
}: Pick<Context, 'storage' | 'config'>): Promise<TreasuryView> {
  return treasuryView(await storage.read((reader) => readHouseBooks(reader, config)));
}
