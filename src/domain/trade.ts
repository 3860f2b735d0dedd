/**
 * The decision about a trade (DESIGN §3): pure, with time as data. The state comes in, a new state and
 * everything that has to be written goes out, or a refusal. Nothing is changed in place.
 */
import { PredictionMarketError, validationError, type ErrorCode } from './errors';
import { tradeEntries, type TradePosting } from './ledger';
import { displayPrices, effectiveStatus, isTrading, tickerId, type DisplayPrices } from './market';
import { feeOn, formatMicros, LARGEST_AMOUNT, MICROS_PER_USD, notionalWithinBudget } from './money';
import { afterDisposal, afterPurchase, emptyPosition } from './position';
import type { PricingRule } from './pricing';
import type { Address, Market, NewTrade, Position, Side, TradeAction } from './types';

/** What to trade: money in (fee included, buys only), a number of shares, or the whole position (sales only). */
export type TradeSize = { amount: bigint } | { shares: bigint } | 'all';

/** The caller's conditions; those left out do not bind. */
export interface TradeBounds {
  /** Prices in millionths. */
  maxPrice?: bigint;
  minPrice?: bigint;
  /** Micro-shares. */
  minShares?: bigint;
  /** Micro-USD, fee included. */
  maxCost?: bigint;
  minPayout?: bigint;
}

/** The smallest notional, in micro-USD: 0.01 USD. */
export const SMALLEST_NOTIONAL = 10_000n;

export interface TradeRules {
  pricing: PricingRule;
  feeBasisPoints: bigint;
}

export interface TradeState {
  market: Market;
  /** The wallet's position on the command's side; `null` if it never had one. */
  position: Position | null;
  /** Micro-USD that the wallet may spend: balance less what is reserved. */
  available: bigint;
}

export interface TradeCommand {
  wallet: Address;
  side: Side;
  action: TradeAction;
  size: TradeSize;
  bounds: TradeBounds;
  now: number;
}

export interface AcceptedTrade {
  accepted: true;
  trade: NewTrade;
  /** The new state: shares, pool, volume and trade count; `marketSeq` is the caller's to raise. */
  market: Market;
  position: Position;
  posting: TradePosting;
  /** YES price before the trade, in millionths: a new candle opens with it. */
  yesPriceBefore: number;
  /** Changes of the wallet's position counters. */
  openPositions: -1 | 0 | 1;
  totalPositions: 0 | 1;
}

export interface RefusedTrade {
  accepted: false;
  error: PredictionMarketError;
}

/** A trade's figures in micro-units: `totalCost` is notional + fee for a buy, notional - fee for a sale. */
export interface Execution {
  side: Side;
  action: TradeAction;
  shares: bigint;
  notional: bigint;
  fee: bigint;
  totalCost: bigint;
}

export interface QuoteCommand {
  side: Side;
  action: TradeAction;
  size: Exclude<TradeSize, 'all'>;
  now: number;
}

export interface Quote extends Execution {
  pricesBefore: DisplayPrices;
  pricesAfter: DisplayPrices;
}

/**
 * Decides a trade. Refusals, the first that applies: MARKET_CLOSED, VALIDATION_ERROR, INSUFFICIENT_BALANCE or
 * INSUFFICIENT_SHARES, PRICE_LIMIT, SLIPPAGE_EXCEEDED.
 */
export function decideTrade(
  state: TradeState,
  command: TradeCommand,
  rules: TradeRules,
): AcceptedTrade | RefusedTrade {
  const { market } = state;
  const held = state.position?.shares ?? 0n;
  const malformed = closedOrMalformed(market, command);
  if (malformed !== null) return refuse(malformed);
  if (command.size === 'all' && held === 0n) return refuse(noShares(command.side));
  const execution = executionOf(market, command, rules, held);
  const after = { ...market, ...sharesAfter(market, execution) };
  const wholePosition = command.action === 'sell' && execution.shares === held;
  const error =
    (wholePosition ? null : tooSmall(execution)) ??
    uncovered(state, execution) ??
    priceLimit(after, execution, rules.pricing) ??
    slippage(execution, command.bounds);
  return error === null ? accept(state, command, rules, execution, after) : refuse(error);
}

/**
 * What a trade would do, without a wallet: no balance, no position, no bounds. Refusals: MARKET_CLOSED,
 * VALIDATION_ERROR, PRICE_LIMIT. A sale may be of any size: beyond what is outstanding it goes on along the cost
 * function, which is defined there too.
 */
export function quoteTrade(
  market: Market,
  command: QuoteCommand,
  rules: TradeRules,
): { accepted: true; quote: Quote } | RefusedTrade {
  const malformed = closedOrMalformed(market, command);
  if (malformed !== null) return refuse(malformed);
  const execution = executionOf(market, command, rules, 0n);
  const after = { ...market, ...sharesAfter(market, execution) };
  const error =
    (command.action === 'buy' ? tooSmall(execution) : null) ?? priceLimit(after, execution, rules.pricing);
  if (error !== null) return refuse(error);
  const pricesBefore = displayPrices(market, rules.pricing);
  return {
    accepted: true,
    quote: { ...execution, pricesBefore, pricesAfter: displayPrices(after, rules.pricing) },
  };
}

/** Effective price per share in millionths, rounded to the nearest; within 0 and 1,000,000. */
export function pricePerShare(execution: Pick<Execution, 'notional' | 'shares'>): number {
  if (execution.shares === 0n) return 0;
  return Number((2n * execution.notional * MICROS_PER_USD + execution.shares) / (2n * execution.shares));
}

function refuse(error: PredictionMarketError): RefusedTrade {
  return { accepted: false, error };
}

function conflict(code: ErrorCode, message: string): PredictionMarketError {
  return new PredictionMarketError(code, message);
}

// --- figures ---

function executionOf(
  market: Market,
  command: Pick<TradeCommand, 'side' | 'action' | 'size'>,
  { pricing, feeBasisPoints }: TradeRules,
  held: bigint,
): Execution {
  const { side, action, size } = command;
  const shares =
    size === 'all'
      ? held
      : 'shares' in size
        ? size.shares
        : pricing.sharesForCost(market, side, notionalWithinBudget(size.amount, feeBasisPoints));
  const notional =
    action === 'buy' ? pricing.buyCost(market, side, shares) : pricing.sellProceeds(market, side, shares);
  if (notional < 0n || notional > shares) {
    throw new Error(`Pricing rule ${pricing.name} left 0..1 USD a share: ${notional} for ${shares}`);
  }
  const fee = feeOn(notional, feeBasisPoints);
  const totalCost = action === 'buy' ? notional + fee : notional - fee;
  return { side, action, shares, notional, fee, totalCost };
}

function sharesAfter(
  market: Market,
  { side, action, shares }: Execution,
): Pick<Market, 'sharesYes' | 'sharesNo'> {
  const change = action === 'buy' ? shares : -shares;
  return {
    sharesYes: market.sharesYes + (side === 'YES' ? change : 0n),
    sharesNo: market.sharesNo + (side === 'NO' ? change : 0n),
  };
}

// --- refusals ---

function closedOrMalformed(
  market: Market,
  { action, size, now }: Pick<TradeCommand, 'action' | 'size' | 'now'>,
): PredictionMarketError | null {
  if (!isTrading(market, now)) {
    const status = effectiveStatus(market, now);
    return conflict('MARKET_CLOSED', `Market ${tickerId(market.id)} no longer trades: it is ${status}`);
  }
  if (size === 'all') return action === 'sell' ? null : malformedSize('shares', '"all" is for sales only');
  if ('amount' in size) {
    return action === 'buy'
      ? outOfRange('amount', size.amount)
      : malformedSize('amount', 'A sale is sized by shares, not by amount');
  }
  return outOfRange('shares', size.shares);
}

function outOfRange(field: 'amount' | 'shares', value: bigint): PredictionMarketError | null {
  if (value > 0n && value <= LARGEST_AMOUNT) return null;
  return malformedSize(field, `${field} must be above 0 and at most ${formatMicros(LARGEST_AMOUNT)}`);
}

function malformedSize(field: string, message: string): PredictionMarketError {
  return validationError([{ field, message }]);
}

function tooSmall({ action, notional }: Execution): PredictionMarketError | null {
  if (notional >= SMALLEST_NOTIONAL) return null;
  const what = action === 'buy' ? 'A purchase' : 'A sale of less than the whole position';
  const message = `${what} must come to at least ${usd(SMALLEST_NOTIONAL)} before the fee, this one is ${usd(notional)}`;
  return malformedSize('size', message);
}

function noShares(side: Side): PredictionMarketError {
  return conflict('INSUFFICIENT_SHARES', `The position holds no ${side} shares`);
}

function uncovered(
  state: TradeState,
  { action, side, shares, totalCost }: Execution,
): PredictionMarketError | null {
  if (action === 'buy') {
    if (totalCost <= state.available) return null;
    const message = `The trade costs ${usd(totalCost)}, the wallet has ${usd(state.available)} available`;
    return conflict('INSUFFICIENT_BALANCE', message);
  }
  const held = state.position?.shares ?? 0n;
  if (held === 0n) return noShares(side);
  if (shares <= held) return null;
  const message = `The sale is of ${formatMicros(shares)} ${side} shares, the position holds ${formatMicros(held)}`;
  return conflict('INSUFFICIENT_SHARES', message);
}

/**
 * A buy raises the price of its own side only, so that is the limit it can break. One that brings a price back
 * from beyond the other limit (where sales may have taken it) is welcome, even if it does not bring it all the way.
 */
function priceLimit(
  after: Market,
  { action, side }: Execution,
  pricing: PricingRule,
): PredictionMarketError | null {
  if (action === 'sell' || pricing.withinBounds(after)) return null;
  const yesPrice = pricing.yesPrice(after);
  const price = side === 'YES' ? yesPrice : 1 - yesPrice;
  if (price < 0.5) return null;
  return conflict(
    'PRICE_LIMIT',
    `The buy would take ${side} above 0.99, out of the price range [0.01, 0.99]`,
  );
}

/** Compared in integers: price >= bound exactly when notional * 10^6 >= bound * shares. */
function slippage(execution: Execution, bounds: TradeBounds): PredictionMarketError | null {
  const { action, shares, notional, totalCost } = execution;
  const priced = notional * MICROS_PER_USD;
  const price = formatMicros(BigInt(pricePerShare(execution)));
  const { maxPrice, minPrice, minShares, maxCost, minPayout } = bounds;
  if (maxPrice !== undefined && priced > maxPrice * shares)
    return slipped('price', price, 'maxPrice', maxPrice);
  if (minPrice !== undefined && priced < minPrice * shares)
    return slipped('price', price, 'minPrice', minPrice);
  if (minShares !== undefined && shares < minShares) {
    return slipped('number of shares', formatMicros(shares), 'minShares', minShares);
  }
  if (action === 'buy' && maxCost !== undefined && totalCost > maxCost) {
    return slipped('cost', formatMicros(totalCost), 'maxCost', maxCost);
  }
  if (action === 'sell' && minPayout !== undefined && totalCost < minPayout) {
    return slipped('payout', formatMicros(totalCost), 'minPayout', minPayout);
  }
  return null;
}

function slipped(
  what: string,
  value: string,
  bound: keyof TradeBounds,
  limit: bigint,
): PredictionMarketError {
  return conflict(
    'SLIPPAGE_EXCEEDED',
    `The ${what} would be ${value}, outside ${bound} ${formatMicros(limit)}`,
  );
}

function usd(micros: bigint): string {
  return `${formatMicros(micros)} USD`;
}

// --- the new state ---

function accept(
  state: TradeState,
  { wallet, side, action, now }: TradeCommand,
  { pricing }: TradeRules,
  { shares, notional, fee, totalCost }: Execution,
  after: Market,
): AcceptedTrade {
  const { market } = state;
  const poolChange = action === 'buy' ? notional : -notional;
  const pool = market.pool + poolChange;
  if (pool < 0n)
    throw new Error(`Pricing rule ${pricing.name} pays more than the pool of market ${market.id} holds`);
  const before = state.position ?? emptyPosition(market.id, wallet, side, now);
  const { position, realizedPnl } =
    action === 'buy'
      ? { position: afterPurchase(before, { shares, totalCost, fee }, now), realizedPnl: 0n }
      : afterDisposal(before, { shares, net: totalCost, fee }, now);
  return {
    accepted: true,
    trade: {
      type: 'trade',
      marketId: market.id,
      wallet,
      side,
      action,
      shares,
      notional,
      fee,
      totalCost,
      realizedPnl,
      yesPriceAfter: displayPrices(after, pricing).yes,
      createdAt: now,
    },
    market: { ...after, pool, volume: market.volume + notional, tradeCount: market.tradeCount + 1 },
    position,
    posting: {
      kind: 'trade',
      createdAt: now,
      entries: tradeEntries({ wallet, creator: market.creator, marketId: market.id, poolChange, fee }),
    },
    yesPriceBefore: displayPrices(market, pricing).yes,
    openPositions: openPositionsChange(before, position),
    totalPositions: state.position === null ? 1 : 0,
  };
}

function openPositionsChange(before: Position, after: Position): -1 | 0 | 1 {
  if (before.shares === 0n) return after.shares > 0n ? 1 : 0;
  return after.shares === 0n ? -1 : 0;
}
