/**
 * The decision about one trade (docs/specification.md "Trading"). The code is pure: it takes the state and the
 * time, and does not change the given state. It returns a refusal, or the trade with its posting, and the
 * market and the position after the trade.
 */
import type { PredictionMarketError } from './errors';
import {
  marketMakerStateAfter,
  executionOf,
  type Execution,
  type SizedOrder,
  type TradeRules,
} from './execution';
import type { TradeBounds, TradeSize } from './order-terms';
import { tradeEntries, type TradePosting } from './ledger';
import { factTime, tradingPrices, type DisplayPrices } from './market';
import type { MarketMakerState } from './pricing';
import { afterDisposal, afterPurchase, emptyPosition } from './position';
import { closedOrMalformed, noShares, priceLimit, slippage, tooSmall, uncovered } from './trade-refusals';
import type { Address, Market, NewTrade, Position, Trade, TradeAction, Side } from './types';

export { pricePerShare, type Execution, type TradeRules } from './execution';
export type { TradeBounds, TradeSize } from './order-terms';
export { SMALLEST_NOTIONAL } from './trade-refusals';

export interface TradeState {
  market: Market;
  /** The wallet's position on the side of the order. `null` if the wallet never had one. */
  position: Position | null;
  /** The micro-USD that the wallet may spend: the balance less the reserved part. */
  available: bigint;
}

export interface TradeCommand extends SizedOrder {
  wallet: Address;
  bounds: TradeBounds;
  now: number;
}

export interface AcceptedTrade {
  accepted: true;
  trade: NewTrade;
  /** The market after the trade. The caller raises `marketSeq`. */
  market: Market;
  position: Position;
  posting: TradePosting;
  /** The YES price before the trade, in millionths. A new candle opens with this price. */
  yesPriceBefore: number;
  openPositions: -1 | 0 | 1;
  totalPositions: 0 | 1;
}

export interface RefusedTrade {
  accepted: false;
  error: PredictionMarketError;
}

export interface QuotedOrder {
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
 * Decides a trade. The refusals, in the order of the checks: MARKET_CLOSED, VALIDATION_ERROR,
 * INSUFFICIENT_BALANCE or INSUFFICIENT_SHARES, PRICE_LIMIT, SLIPPAGE_EXCEEDED.
 */
export function decideTrade(
  state: TradeState,
  command: TradeCommand,
  rules: TradeRules,
): AcceptedTrade | RefusedTrade {
  const { market } = state;
  const now = factTime(market, command.now);
  const held = state.position?.shares ?? 0n;
  const malformed = closedOrMalformed(market, command, now);
  if (malformed !== null) return refuse(malformed);
  if (command.size === 'all' && held === 0n) return refuse(noShares(command.side));
  const execution = executionOf(market, command, rules, held);
  const after = marketMakerStateAfter(market, execution);
  const wholePosition = command.action === 'sell' && execution.shares === held;
  const error =
    (wholePosition ? null : tooSmall(command.size, execution)) ??
    uncovered(held, state.available, execution) ??
    priceLimit(after, execution, rules.pricing) ??
    slippage(execution, command.bounds);
  return error === null ? accept(state, { ...command, now }, rules, execution, after) : refuse(error);
}

/**
 * The figures that a trade would have, without a wallet: balance, position and bounds are not checked. The
 * refusals: MARKET_CLOSED, VALIDATION_ERROR, PRICE_LIMIT. A sale may exceed the outstanding shares, because the
 * cost function is defined there too.
 */
export function quoteTrade(
  market: Market,
  command: QuotedOrder,
  rules: TradeRules,
): { accepted: true; quote: Quote } | RefusedTrade {
  const malformed = closedOrMalformed(market, command, command.now);
  if (malformed !== null) return refuse(malformed);
  const execution = executionOf(market, command, rules, 0n);
  const after = marketMakerStateAfter(market, execution);
  const error =
    (command.action === 'buy' ? tooSmall(command.size, execution) : null) ??
    priceLimit(after, execution, rules.pricing);
  if (error !== null) return refuse(error);
  const pricesBefore = tradingPrices(market, rules.pricing);
  return {
    accepted: true,
    quote: { ...execution, pricesBefore, pricesAfter: tradingPrices(after, rules.pricing) },
  };
}

function refuse(error: PredictionMarketError): RefusedTrade {
  return { accepted: false, error };
}

function accept(
  state: TradeState,
  { wallet, side, action, now }: TradeCommand,
  { pricing }: TradeRules,
  { shares, notional, fee, totalCost }: Execution,
  after: MarketMakerState,
): AcceptedTrade {
  const { market } = state;
  const poolChange = action === 'buy' ? notional : -notional;
  const pool = market.pool + poolChange;
  if (pool < 0n) throw new Error(`Pricing rule ${pricing.name} overdraws the pool of market ${market.id}`);
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
      yesPriceAfter: tradingPrices(after, pricing).yes,
      createdAt: now,
    },
    market: afterTrade(market, after, { pool, notional, fee, now }),
    position,
    posting: {
      kind: 'trade',
      createdAt: now,
      entries: tradeEntries({ wallet, creator: market.creator, marketId: market.id, poolChange, fee }),
    },
    yesPriceBefore: tradingPrices(market, pricing).yes,
    openPositions: openPositionsChange(before, position),
    totalPositions: state.position === null ? 1 : 0,
  };
}

function afterTrade(
  market: Market,
  { sharesYes, sharesNo }: MarketMakerState,
  { pool, notional, fee, now }: { pool: bigint; notional: bigint; fee: bigint; now: number },
): Market {
  const after = { ...market };
  after.sharesYes = sharesYes;
  after.sharesNo = sharesNo;
  after.pool = pool;
  after.volume += notional;
  after.creatorFees += fee;
  after.tradeCount += 1;
  after.lastFactAt = now;
  return after;
}

function openPositionsChange(before: Position, after: Position): -1 | 0 | 1 {
  if (before.shares === 0n) return after.shares > 0n ? 1 : 0;
  return after.shares === 0n ? -1 : 0;
}

/** Copies the fields by name, so that the result has exactly the fields of `Trade`, in this order. */
export function tradeWithId(trade: NewTrade, id: number): Trade {
  return {
    id,
    type: trade.type,
    marketId: trade.marketId,
    wallet: trade.wallet,
    side: trade.side,
    action: trade.action,
    shares: trade.shares,
    notional: trade.notional,
    fee: trade.fee,
    totalCost: trade.totalCost,
    realizedPnl: trade.realizedPnl,
    yesPriceAfter: trade.yesPriceAfter,
    createdAt: trade.createdAt,
  } satisfies Required<Trade>;
}
