import { walletAccount } from '../../domain/ledger';
import type { ApiKey } from '../../domain/types';
import type { MarketRecord, Reader } from '../../ports/storage';
import type { Timers } from '../../ports/timers';
import type { Context } from '../../usecases/context';
import { marketNotFound } from '../../usecases/markets/market-lookup';
import { accountView, NO_FUNDS } from '../../views/account';
import { marketDetailView } from '../../views/market';
import type { Snapshot } from './types';

/** How many markets are read in one turn of the event loop. */
const MARKETS_PER_TURN = 50;

export interface SnapshotContents {
  marketIds: readonly number[];
  /** The key of the reader that wants its account. `null` if no account is wanted. */
  accountOf: ApiKey | null;
}

export type SnapshotContext = Pick<Context, 'storage' | 'pricing' | 'clock'> & {
  timers: Pick<Timers, 'yieldTurn'>;
};

export interface SnapshotAnswer {
  snapshot: Snapshot;
  /**
   * The key as it was at the moment of the snapshot. `null` when the key was not active, or when no account
   * was wanted.
   */
  key: ApiKey | null;
}

/**
 * Reads markets, account, key and the `seq` of the newest numbered fact at one moment. The state may already
 * contain facts that get a `seq` later. A client recognises such facts of markets by `marketSeq`. Rejects with
 * MARKET_NOT_FOUND.
 */
export async function takeSnapshot(
  { storage, pricing, clock, timers }: SnapshotContext,
  { marketIds, accountOf }: SnapshotContents,
): Promise<SnapshotAnswer> {
  return storage.snapshot(async (reader) => {
    const seq = await reader.events.head();
    const now = clock.now();
    const markets: Snapshot['markets'] = [];
    await readMarkets(reader, marketIds, timers, (market) => {
      const view = marketDetailView(market, pricing, now);
      markets.push(Object.assign(view, { marketSeq: market.marketSeq }));
    });
    if (accountOf === null) return { snapshot: { seq, markets }, key: null };
    const [key] = await reader.apiKeys.findActiveByHashes([accountOf.hash]);
    const funds = (await reader.accounts.find(walletAccount(accountOf.wallet))) ?? NO_FUNDS;
    const { balance, reserved, available } = accountView(accountOf.wallet, funds);
    return { snapshot: { seq, markets, account: { balance, reserved, available } }, key: key ?? null };
  });
}

/**
 * Calls `take` with each market, in the order of `ids`. The event loop can do other work between the pages of a long
 * list. Rejects with MARKET_NOT_FOUND.
 */
export async function readMarkets(
  reader: Pick<Reader, 'markets'>,
  ids: readonly number[],
  timers: Pick<Timers, 'yieldTurn'>,
  take: (market: MarketRecord) => void,
): Promise<void> {
  for (let from = 0; from < ids.length; from += MARKETS_PER_TURN) {
    if (from > 0) await timers.yieldTurn();
    const page = ids.slice(from, from + MARKETS_PER_TURN);
    const found = new Map((await reader.markets.findByIds(page)).map((market) => [market.id, market]));
    for (const id of page) {
      const market = found.get(id);
      if (market === undefined) throw marketNotFound(String(id));
      take(market);
    }
  }
}
