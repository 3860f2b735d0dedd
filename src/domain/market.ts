/** A market's states, what it shows, and the names it answers to. Time is always an argument. */
import { MICROS_PER_USD } from './money';
import type { MarketMakerState, PricingRule } from './pricing';
import type { Address, Market, MarketStatus, Outcome } from './types';

/** Prices in millionths; they sum to 1,000,000. */
export interface DisplayPrices {
  yes: number;
  no: number;
}

const WHOLE = Number(MICROS_PER_USD);

/**
 * The time of the next fact of a market. Instances have clocks that differ: the later of the clock and the newest fact,
 * read under the market's lock, so that the order of times is the order in which things happened.
 */
export function factTime(market: Pick<Market, 'lastFactAt'>, now: number): number {
  return Math.max(now, market.lastFactAt);
}

/** Trading closes by the clock at the resolve date, not by a job. */
export function isTrading(market: Market, now: number): boolean {
  return market.status === 'open' && now < market.resolveDate;
}

/** What the outside is told: an open market past its resolve date awaits the oracle. */
export function effectiveStatus(market: Market, now: number): MarketStatus {
  return market.status === 'open' && !isTrading(market, now) ? 'resolving' : market.status;
}

/** The YES price that an outcome settles at, in millionths. */
export function finalYesPrice(outcome: Outcome): number {
  return { YES: WHOLE, NO: 0, VOID: WHOLE / 2 }[outcome];
}

/** Prices as shown: the rule's, or what the outcome was worth once the market is resolved. */
export function displayPrices(market: Market, pricing: PricingRule): DisplayPrices {
  const { resolution } = market;
  return resolution === null ? tradingPrices(market, pricing) : pricesOf(finalYesPrice(resolution.outcome));
}

/** Prices as shown while a market is not resolved. */
export function tradingPrices(state: MarketMakerState, pricing: PricingRule): DisplayPrices {
  return pricesOf(Math.round(pricing.yesPrice(state) * WHOLE));
}

function pricesOf(yes: number): DisplayPrices {
  return { yes, no: WHOLE - yes };
}

/** Micro-USD that the pool would pay if every holder sold now; 0 once resolved, although payouts may remain. */
export function displayLiquidity(market: Market): bigint {
  return market.status === 'resolved' ? 0n : market.pool;
}

export interface NewMarket {
  id: number;
  slug: string;
  question: string;
  description: string | null;
  resolutionCriteria: string;
  category: string;
  creator: Address;
  createdAt: number;
  resolveDate: number;
  /** b, in micro-USD. */
  liquidityParameter: bigint;
}

/** A fresh market at 0.5, without shares, money or events; due when its resolve date comes. */
export function openMarket(market: NewMarket): Market {
  return {
    ...market,
    status: 'open',
    sharesYes: 0n,
    sharesNo: 0n,
    pool: 0n,
    volume: 0n,
    tradeCount: 0,
    marketSeq: 0,
    lastFactAt: market.createdAt,
    resolution: null,
    dueAt: market.resolveDate,
    leaseToken: 0,
    oracleAttempts: 0,
  };
}

/** open -> resolving, due for the oracle at once. A market that is not open is returned as it is. */
export function closeMarket(market: Market, now: number): Market {
  if (market.status !== 'open') return market;
  return { ...market, status: 'resolving', dueAt: now, lastFactAt: factTime(market, now) };
}

/** `PM-0001`: four digits at least. */
export function tickerId(id: number): string {
  return `PM-${String(id).padStart(4, '0')}`;
}

export type ParsedMarketReference = { kind: 'id'; id: number } | { kind: 'slug'; slug: string };

/**
 * Reads an id, a ticker or a slug. Digits in canonical form are an id; the ticker as `tickerId` writes it, in
 * any case, stands for its id; other texts of slug characters are slugs. `null`: nothing can have that name.
 * Slugs are never made of digits only nor like a ticker (slugs.ts), so the three do not overlap.
 */
export function parseMarketReference(text: string): ParsedMarketReference | null {
  if (/^[1-9]\d*$/.test(text)) return idReference(Number(text));
  const ticker = /^pm-(0\d{3}|[1-9]\d{3,})$/i.exec(text);
  if (ticker !== null) return idReference(Number(ticker[1]));
  return /^[a-z0-9-]+$/.test(text) && !/^\d+$/.test(text) ? { kind: 'slug', slug: text } : null;
}

function idReference(id: number): ParsedMarketReference | null {
  return id > 0 && Number.isSafeInteger(id) ? { kind: 'id', id } : null;
}
