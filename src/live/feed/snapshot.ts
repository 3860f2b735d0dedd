/** The state that a new reader begins with. */
import { walletAccount } from '../../domain/ledger';
import type { ApiKey } from '../../domain/types';
import type { MarketRecord, Reader } from '../../ports/storage';
import type { Context } from '../../usecases/context';
import { marketNotFound } from '../../usecases/markets/market-lookup';
import { accountView, NO_FUNDS } from '../../views/account';
import { marketDetailView } from '../../views/market';
import type { Snapshot } from './types';

export interface SnapshotContents {
  marketIds: readonly number[];
  /** The key of the reader that wants its account. `null` if no account is wanted. */
  accountOf: ApiKey | null;
}

export interface SnapshotAnswer {
  snapshot: Snapshot;
  /**
   * The key as it was at the moment of the snapshot. `null` when the key was not active, or when no account
   * was wanted.
   */
  key: ApiKey | null;
}

/**
 * Reads markets, account, key and the number of the newest fact at one moment. On a storage where the relay
 * numbers facts, the state may already contain facts that get their number later, above `seq`. A client
 * recognises such facts of markets by `marketSeq`, and messages about money name the balance after the fact.
 * So a client that applies all messages ends with the right state. Rejects with MARKET_NOT_FOUND.
 */
export async function takeSnapshot(
  { storage, pricing, clock }: Pick<Context, 'storage' | 'pricing' | 'clock'>,
  { marketIds, accountOf }: SnapshotContents,
): Promise<SnapshotAnswer> {
  return storage.snapshot(async (reader) => {
    const seq = await reader.events.head();
    const found = await marketsOf(reader, marketIds);
    const now = clock.now();
    const markets = found.map((market) =>
      Object.assign(marketDetailView(market, pricing, now), { marketSeq: market.marketSeq }),
    );
    if (accountOf === null) return { snapshot: { seq, markets }, key: null };
    const [key] = await reader.apiKeys.findActiveByHashes([accountOf.hash]);
    const funds = (await reader.accounts.find(walletAccount(accountOf.wallet))) ?? NO_FUNDS;
    const { balance, reserved, available } = accountView(accountOf.wallet, funds);
    return { snapshot: { seq, markets, account: { balance, reserved, available } }, key: key ?? null };
  });
}

/** The markets in the order of the ids. Rejects with MARKET_NOT_FOUND. */
export async function marketsOf(
  reader: Pick<Reader, 'markets'>,
  ids: readonly number[],
): Promise<MarketRecord[]> {
  if (ids.length === 0) return [];
  const found = new Map((await reader.markets.findByIds(ids)).map((market) => [market.id, market]));
  return ids.map((id) => {
    const market = found.get(id);
    if (market === undefined) throw marketNotFound(String(id));
    return market;
  });
}
