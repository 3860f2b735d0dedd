/** An index for the list of a wallet's deposits, in the order of the list. */
import type { Dialect } from '../dialect';

export function depositsByWallet({ table }: Dialect): string[] {
  return [`CREATE INDEX deposits_by_wallet ON ${table('deposits')} (wallet, created_at, reference)`];
}
