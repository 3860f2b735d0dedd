import { displayLiquidity, displayPrices, effectiveStatus, tickerId } from '../domain/market';
import type { PricingRule } from '../domain/pricing';
import type { Market, MarketStatus, Outcome, Resolution } from '../domain/types';
import type { MarketRecord } from '../ports/storage';
import { checksumAddress, isoTime, price, usd } from './format';

export interface MarketView {
  /** The number of the market. */
  id: number;
  /** The readable number of the market. */
  tickerId: string;
  /** The name of the market in addresses, made from its question. */
  slug: string;
  /** The question of the market. */
  question: string;
  /** One of crypto, sports, politics, science, entertainment, other. */
  category: string;
  /**
   * open: it is traded; resolving: trading has ended, and there is no outcome yet; resolved: it has an
   * outcome.
   */
  status: MarketStatus;
  /** Price of YES as a probability. */
  yesPrice: number;
  /** Price of NO as a probability. */
  noPrice: number;
  /** Total trade volume before fees, USD. */
  volume: number;
  /** What the pool would pay if every holder sold now, USD. */
  liquidity: number;
  /** When trading ends, ISO 8601. */
  resolveDate: string;
  /** When the market was created, ISO 8601. */
  createdAt: string;
}

export interface ResolutionView {
  /** What the market is resolved to; VOID pays 0.50 USD for each share. */
  outcome: Outcome;
  /** When the outcome was decided, ISO 8601. */
  resolvedAt: string;
  /** Confidence of the oracle; 1 when an operator decided. */
  oracleConsensus: number;
  /** Who decided: the oracle, or an operator. */
  method: Resolution['method'];
}

export interface MarketDetailView extends MarketView {
  /** More about the question, in Markdown. */
  description: string | null;
  /** What decides the outcome. */
  resolutionCriteria: string;
  creator: {
    /** EVM address in EIP-55 form. */
    address: string;
    /** The name that the creator has chosen. */
    displayName: string | null;
  };
  /** null until the market is resolved. */
  resolution: ResolutionView | null;
}

/** A market that is not opened yet. `slug` is `null` if it would be made from the id alone. */
export interface MarketPreviewView extends Omit<MarketDetailView, 'id' | 'tickerId' | 'slug' | 'creator'> {
  /** The name of the market in addresses; null if it would be made from the id alone. */
  slug: string | null;
}

export interface MarketListView {
  markets: MarketView[];
  /** How many rows there are on all pages together. */
  total: number;
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
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
