/** SQL conditions and expressions about the ids of accounts. */
import { POOL_PREFIX, WALLET_PREFIX } from '../../../src/domain/types';

export const isWallet = (id: string): string => `${id} LIKE '${WALLET_PREFIX}%'`;
export const isPool = (id: string): string => `${id} LIKE '${POOL_PREFIX}%'`;
export const walletAccountOf = (wallet: string): string => `'${WALLET_PREFIX}' || ${wallet}`;
export const poolAccountOf = (marketId: string): string => `'${POOL_PREFIX}' || CAST(${marketId} AS TEXT)`;
/** The id of the market whose pool the account is. `pool` must be the id of a pool. */
export const marketIdOf = (pool: string): string =>
  `CAST(substr(${pool}, ${POOL_PREFIX.length + 1}) AS BIGINT)`;
