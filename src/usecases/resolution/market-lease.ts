/**
 * The lease of a due market. The instance that works on a market holds its lease. If the instance dies,
 * another one takes over when the lease ends. Every transaction checks the lease's token under the market's
 * lock, so an instance that was paused cannot act on old knowledge.
 */
import type { Market } from '../../domain/types';
import type { Transaction } from '../../ports/storage';

/** The length of the lease for a step that asks no voter. Each transaction of the step renews it. */
export const MARKET_LEASE_MS = 30_000;

/** Locks the market and returns it; `null` when another instance has leased it since. */
export async function lockLeased(
  transaction: Transaction,
  { id, leaseToken }: Pick<Market, 'id' | 'leaseToken'>,
): Promise<Market | null> {
  const [market] = await transaction.markets.lock([id]);
  return market?.leaseToken === leaseToken ? market : null;
}
