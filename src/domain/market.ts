/**
 * The states of a market, the prices it shows, and the names that refer to it. The code reads no clock:
 * callers pass the time.
 */
import { MICROS_PER_USD } from './money';
import type { MarketMakerState, PricingRule } from './pricing';
import type { Address, Market, MarketStatus, Outcome } from './types';

/** Prices in millionths. The two prices sum to 1,000,000. */
export interface DisplayPrices {
  yes: number;
  no: number;
}

const WHOLE = Number(MICROS_PER_USD);

/**
 * The time of the next fact of a market: the later of the clock and the time of the newest fact. The clocks of
 * instances differ, so the clock alone could reverse the order of facts.
 */
export function factTime(market: Pick<Market, 'lastFactAt'>, now: number): number {
  return Math.max(now, market.lastFactAt);
}

/**
 * Whether the market trades. Trading ends when the clock reaches the resolve date, without waiting for a job.
 */
export function isTrading(market: Pick<Market, 'status' | 'resolveDate'>, now: number): boolean {
  return market.status === 'open' && now < market.resolveDate;
}

/** The status that callers see. An open market past its resolve date counts as resolving. */
export function effectiveStatus(market: Pick<Market, 'status' | 'resolveDate'>, now: number): MarketStatus {
  return market.status === 'open' && !isTrading(market, now) ? 'resolving' : market.status;
}

/** The YES price that an outcome sets, in millionths. */
export function finalYesPrice(outcome: Outcome): number {
  return { YES: WHOLE, NO: 0, VOID: WHOLE / 2 }[outcome];
}

/** The prices that callers see: by the pricing rule, or by the outcome once the market is resolved. */
export function displayPrices(
  market: MarketMakerState & Pick<Market, 'resolution'>,
  pricing: PricingRule,
): DisplayPrices {
  const { resolution } = market;
  return resolution === null ? tradingPrices(market, pricing) : pricesOf(finalYesPrice(resolution.outcome));
}

export function tradingPrices(state: MarketMakerState, pricing: PricingRule): DisplayPrices {
  return pricesOf(Math.round(pricing.yesPrice(state) * WHOLE));
}

function pricesOf(yes: number): DisplayPrices {
  return { yes, no: WHOLE - yes };
}

/**
 * The micro-USD in the pool: what all holders together would get (before fees and apart from rounding) if
 * they sold now. 0 once the market is resolved, although payouts may remain.
 */
export function displayLiquidity(market: Pick<Market, 'status' | 'pool'>): bigint {
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
  /** The liquidity parameter b, in micro-USD. */
  liquidityParameter: bigint;
}

/** A new market at price 0.5, without shares, money or facts. The market is due at its resolve date. */
export function openMarket(market: NewMarket): Market {
  return {
    ...market,
    status: 'open',
    sharesYes: 0n,
    sharesNo: 0n,
    pool: 0n,
    volume: 0n,
    creatorFees: 0n,
    tradeCount: 0,
    marketSeq: 0,
    lastFactAt: market.createdAt,
    resolution: null,
    dueAt: market.resolveDate,
    awaitsOracle: false,
    leaseToken: 0,
    oracleAttempts: 0,
  };
}

/**
 * Moves an open market to resolving. The market is due at once, for a round of the oracle. A market in another
 * status is returned unchanged.
 */
export function closedMarket(market: Market, now: number): Market {
  if (market.status !== 'open') return market;
  return {
    ...market,
    status: 'resolving',
    dueAt: now,
    awaitsOracle: true,
    lastFactAt: factTime(market, now),
  };
}

/** The readable number of a market, such as `PM-0001`, with at least four digits. */
export function tickerId(id: number): string {
  return `PM-${String(id).padStart(4, '0')}`;
}

export type ParsedMarketReference = { kind: 'id'; id: number } | { kind: 'slug'; slug: string };

/**
 * Reads an id, a ticker or a slug. `null` means that no market can have this name. A slug is never only digits
 * and never looks like a ticker (slugs.ts), so each text has at most one meaning.
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
