import type { Address, Candle, NewTrade, Side, Trade } from '../../domain/types';
import type { MarketRecord } from './markets';
import type { Page } from './page';

export interface TradeReader {
  /** The market's trades, newest id first; settlements are left out. */
  listByMarket(query: Page & { marketId: number; side?: Side }): Promise<Trade[]>;
  /** The wallet's trades and settlements, newest id first. `total` comes from the account's counter. */
  listByWallet(
    query: Page & { wallet: Address },
  ): Promise<{ trades: (Trade & { market: MarketRecord })[]; total: number }>;
}
export interface TradeRepository extends TradeReader {
  /**
   * Returns the new ids in the order of the given trades, ascending. A second settlement of one (market,
   * wallet, side) is rejected.
   */
  insert(trades: readonly NewTrade[]): Promise<number[]>;
}

export interface CandleReader {
  /** The stored candles with from <= time < to, ascending; only the newest `limit` of them. */
  list(query: {
    marketId: number;
    lengthMs: number;
    from: number;
    to: number;
    limit: number;
  }): Promise<Candle[]>;
  /** The newest candle that starts before the instant. */
  lastBefore(query: { marketId: number; lengthMs: number; time: number }): Promise<Candle | null>;
  /**
   * The volume of each market in the stored candles with time >= from, by market id; markets without such
   * candles are left out.
   */
  volumes(query: {
    marketIds: readonly number[];
    lengthMs: number;
    from: number;
  }): Promise<Map<number, bigint>>;
}
export interface CandleRepository extends CandleReader {
  /**
   * Merges each candle into the stored one: keeps its open, widens high and low, replaces close, adds volume
   * and trades. One call has at most one candle for each market, length and start.
   */
  merge(candles: readonly Candle[]): Promise<void>;
}
