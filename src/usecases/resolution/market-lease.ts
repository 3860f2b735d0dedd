/**
 * The lease of a due market. If the instance that has the lease dies, another instance takes over when the
 * lease ends. Transactions check the token of the lease under the market's lock, so an instance that was paused
 * cannot overwrite newer changes.
 */
import type { Market } from '../../domain/types';
import type { Transaction } from '../../ports/storage';

/** The length of the lease for a step that asks no voter. */
export const MARKET_LEASE_MS = 30_000;

/** `null` when another instance has leased the market since the caller read it. */
export async function lockLeased(
  transaction: Transaction,
  { id, leaseToken }: Pick<Market, 'id' | 'leaseToken'>,
): Promise<Market | null> {
  const [market] = await transaction.markets.lock([id]);
  return market?.leaseToken === leaseToken ? market : null;
}
