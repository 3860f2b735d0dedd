import type { PricingRule } from '../domain/pricing';
import type { Market } from '../domain/types';
import { isoTime, usd } from './format';
import { marketView, type MarketView } from './market';

export interface MarketFeedItemView extends MarketView {
  /** Trade volume of the running hour and the 23 before, USD. */
  volume24h: number;
}

export interface MarketFeedView {
  /** The moment of the snapshot, ISO 8601. */
  asOf: string;
  /** The number of the newest fact. */
  seq: number;
  markets: MarketFeedItemView[];
  totals: {
    /** How many markets match, listed or not. */
    openMarkets: number;
    /** Trade volume of the markets listed, before fees, USD. */
    volume: number;
    /** Trade volume of the markets listed, in the running hour and the 23 before, USD. */
    volume24h: number;
  };
}

export interface MarketFeedSources {
  markets: readonly Market[];
  /** How many open markets the category has, including those that the feed does not list. */
  openMarkets: number;
  /** The volumes by market id. Markets without recent trades may be left out. */
  volumes24h: ReadonlyMap<number, bigint>;
  seq: number;
}

export function marketFeedView(facts: MarketFeedSources, pricing: PricingRule, now: number): MarketFeedView {
  const { markets, openMarkets, volumes24h, seq } = facts;
  const volume24hOf = (market: Market): bigint => volumes24h.get(market.id) ?? 0n;
  const sum = (valueOf: (market: Market) => bigint): number =>
    usd(markets.reduce((total, market) => total + valueOf(market), 0n));
  return {
    asOf: isoTime(now),
    seq,
    markets: markets.map((market) => ({
      ...marketView(market, pricing, now),
      volume24h: usd(volume24hOf(market)),
    })),
    totals: { openMarkets, volume: sum((market) => market.volume), volume24h: sum(volume24hOf) },
  };
}
