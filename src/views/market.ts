import { displayLiquidity, displayPrices, effectiveStatus, tickerId } from '../domain/market';
import type { PricingRule } from '../domain/pricing';
import type { Market, MarketStatus, Outcome, Resolution } from '../domain/types';
import type { MarketRecord } from '../ports/storage';
import { checksumAddress, isoTime, price, usd } from './format';

export interface MarketView {
  id: number;
  tickerId: string;
  slug: string;
  question: string;
  category: string;
  status: MarketStatus;
  yesPrice: number;
  noPrice: number;
  volume: number;
  liquidity: number;
  resolveDate: string;
  createdAt: string;
}

export interface ResolutionView {
  outcome: Outcome;
  resolvedAt: string;
  oracleConsensus: number;
  method: Resolution['method'];
}

export interface MarketDetailView extends MarketView {
  description: string | null;
  resolutionCriteria: string;
  creator: { address: string; displayName: string | null };
  resolution: ResolutionView | null;
}

/** A market that is not opened yet. `slug` is `null` if it would be made from the id alone. */
export interface MarketPreviewView extends Omit<MarketDetailView, 'id' | 'tickerId' | 'slug' | 'creator'> {
  slug: string | null;
}

export interface MarketListView {
  markets: MarketView[];
  total: number;
  limit: number;
  offset: number;
}

/** The fields that decide how lists show a market. */
export const LISTED_FIELDS = [
  'id',
  'slug',
  'question',
  'category',
  'status',
  'createdAt',
  'resolveDate',
  'liquidityParameter',
  'sharesYes',
  'sharesNo',
  'pool',
  'volume',
  'resolution',
] as const satisfies readonly (keyof Market)[];

export type ListedMarket = Pick<Market, (typeof LISTED_FIELDS)[number]>;

/** A market as lists show it. `now` decides whether the market is still open. */
export function marketView(market: ListedMarket, pricing: PricingRule, now: number): MarketView {
  const prices = displayPrices(market, pricing);
  return {
    id: market.id,
    tickerId: tickerId(market.id),
    slug: market.slug,
    question: market.question,
    category: market.category,
    status: effectiveStatus(market, now),
    yesPrice: price(prices.yes),
    noPrice: price(prices.no),
    volume: usd(market.volume),
    liquidity: usd(displayLiquidity(market)),
    resolveDate: isoTime(market.resolveDate),
    createdAt: isoTime(market.createdAt),
  };
}

export function marketDetailView(market: MarketRecord, pricing: PricingRule, now: number): MarketDetailView {
  return Object.assign(marketView(market, pricing, now), {
    description: market.description,
    resolutionCriteria: market.resolutionCriteria,
    creator: { address: checksumAddress(market.creator), displayName: market.creatorDisplayName },
    resolution: resolutionView(market),
  });
}

export function marketPreviewView(
  market: Market,
  slug: string | null,
  pricing: PricingRule,
  now: number,
): MarketPreviewView {
  const { id: _id, tickerId: _tickerId, ...shown } = marketView(market, pricing, now);
  const { description, resolutionCriteria } = market;
  return { ...shown, slug, description, resolutionCriteria, resolution: resolutionView(market) };
}

function resolutionView({ resolution }: Market): ResolutionView | null {
  if (resolution === null) return null;
  const { outcome, resolvedAt, oracleConsensus, method } = resolution;
  return { outcome, resolvedAt: isoTime(resolvedAt), oracleConsensus, method };
}
