/** The refusals of a trade. A check that refuses nothing returns `null`. */
import { PredictionMarketError, validationError, type ErrorCode } from './errors';
import { pricePerShare, type Execution, type SizedOrder } from './execution';
import { BOUND_RULES, type BoundRule, type TradeBounds, type TradeSize } from './order-terms';
import { effectiveStatus, isTrading, tickerId } from './market';
import { formatMicros, LARGEST_AMOUNT, MICROS_PER_USD } from './money';
import type { MarketMakerState, PricingRule } from './pricing';
import type { Market, Side } from './types';

/** The smallest notional, in micro-USD: 0.01 USD. */
export const SMALLEST_NOTIONAL = 10_000n;

function conflict(code: ErrorCode, message: string): PredictionMarketError {
  return new PredictionMarketError(code, message);
}

/**
 * Refuses an order when the market does not trade, when the size does not fit the action, or when the size is
 * out of range.
 */
export function closedOrMalformed(
  market: Market,
  { action, size }: Pick<SizedOrder, 'action' | 'size'>,
  now: number,
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

/**
 * Refuses a trade whose notional is too small. A sale of a whole position may be of any value, so the caller
 * skips this check for it.
 */
export function tooSmall(size: TradeSize, { action, notional }: Execution): PredictionMarketError | null {
  if (notional >= SMALLEST_NOTIONAL) return null;
  const field = size !== 'all' && 'amount' in size ? 'amount' : 'shares';
  const what = action === 'buy' ? 'A purchase' : 'A sale of less than the whole position';
  const message = `${what} must come to at least ${usd(SMALLEST_NOTIONAL)} before the fee, this one is ${usd(notional)}`;
  return malformedSize(field, message);
}

export function noShares(side: Side): PredictionMarketError {
  return conflict('INSUFFICIENT_SHARES', `The position holds no ${side} shares`);
}

export function uncovered(
  held: bigint,
  available: bigint,
  { action, side, shares, totalCost }: Execution,
): PredictionMarketError | null {
  if (action === 'buy') {
    if (totalCost <= available) return null;
    const message = `The trade costs ${usd(totalCost)}, the wallet has ${usd(available)} available`;
    return conflict('INSUFFICIENT_BALANCE', message);
  }
  if (held === 0n) return noShares(side);
  if (shares <= held) return null;
  const message = `The sale is of ${formatMicros(shares)} ${side} shares, the position holds ${formatMicros(held)}`;
  return conflict('INSUFFICIENT_SHARES', message);
}

/**
 * Refuses a buy that takes the price of its side above 0.99. A buy of a side below 0.01 is allowed, even if its
 * price stays below 0.01.
 */
export function priceLimit(
  after: MarketMakerState,
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

/**
 * The refusal for the first bound that the execution breaks. `totalCost` is what a buy costs or what a sale
 * pays, so each bound on `totalCost` is checked for its own action only.
 */
export function slippage(execution: Execution, bounds: TradeBounds): PredictionMarketError | null {
  for (const [name, { action, figure, limit, figureName }] of BOUND_RULES) {
    const bound = bounds[name];
    if (bound === undefined || (figure === 'totalCost' && action !== execution.action)) continue;
    const excess = excessOver(execution, figure, bound);
    if (limit === 'most' ? excess <= 0n : excess >= 0n) continue;
    const value = figure === 'price' ? BigInt(pricePerShare(execution)) : execution[figure];
    return slipped(figureName, value, `${limit === 'most' ? 'above' : 'below'} ${name}`, bound);
  }
  return null;
}

/** Prices are compared in integers: price <= bound exactly when notional * 10^6 <= bound * shares. */
function excessOver(execution: Execution, figure: BoundRule['figure'], bound: bigint): bigint {
  if (figure === 'price') return execution.notional * MICROS_PER_USD - bound * execution.shares;
  return execution[figure] - bound;
}

function slipped(what: string, value: bigint, relation: string, bound: bigint): PredictionMarketError {
  const message = `The ${what} would be ${formatMicros(value)}, ${relation} ${formatMicros(bound)}`;
  return conflict('SLIPPAGE_EXCEEDED', message);
}

function usd(micros: bigint): string {
  return `${formatMicros(micros)} USD`;
}
