import { treasuryView, type TreasuryView } from '../../views/treasury';
import type { Context } from '../context';
import { readHouseBooks } from './house-books';

export async function getTreasury({
  storage,
  config,
}: Pick<Context, 'storage' | 'config'>): Promise<TreasuryView> {
  return treasuryView(await storage.read((reader) => readHouseBooks(reader, config)));
}
