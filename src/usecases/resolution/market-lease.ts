/**
 * The lease of a due market. Who works on a market holds its lease; one that dies is taken over when the lease ends. Every
 * transaction checks the lease's token under the market's lock, so an instance that was paused cannot act on old knowledge.
 */
import type { Market } from '../../domain/types';
import type { Transaction } from '../../ports/storage';

/** Of a step that asks no voter. A step under way renews it with each of its transactions. */
export const LEASE_MS = 30_000;

/** The market under lock; `null` when another instance has leased it since. */
export async function lockLeased(
  transaction: Transaction,
  { id, leaseToken }: Pick<Market, 'id' | 'leaseToken'>,
): Promise<Market | null> {
  const [market] = await transaction.markets.lock([id]);
  return market?.leaseToken === leaseToken ? market : null;
}
