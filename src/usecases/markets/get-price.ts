import { displayPrices } from '../../domain/market';
import { quoteTrade, type Quote } from '../../domain/trade';
import type { Market } from '../../domain/types';
import { priceView, type PriceView } from '../../views/price';
import type { QuoteCommand } from '../commands';
import type { Context } from '../context';

/**
 * The current price and, if a size is given, the figures of a trade of that size. Balance and positions of the
 * caller do not matter. Rejects with MARKET_NOT_FOUND. With a size, also rejects with MARKET_CLOSED,
 * VALIDATION_ERROR or PRICE_LIMIT.
 */
export async function getPrice(context: Context, command: QuoteCommand): Promise<PriceView> {
  const market = await context.markets.find(command.market);
  const now = context.clock.now();
  const quote = quoteOf(context, market, command, now);
  return priceView(market, displayPrices(market, context.pricing), quote, now);
}

function quoteOf(context: Context, market: Market, command: QuoteCommand, now: number): Quote | null {
  const { side, action, size } = command;
  if (size === null) return null;
  const rules = { pricing: context.pricing, feeBasisPoints: context.config.creatorFeeBasisPoints };
  const answer = quoteTrade(market, { side, action, size, now }, rules);
  if (!answer.accepted) throw answer.error;
  return answer.quote;
}
