import { marketDetailView, type MarketDetailView } from '../../views/market';
import type { MarketCommand } from '../commands';
import type { Context } from '../context';

/** Rejects with MARKET_NOT_FOUND. */
export async function getMarket(context: Context, command: MarketCommand): Promise<MarketDetailView> {
  const market = await context.markets.find(command.market);
  return marketDetailView(market, context.pricing, context.clock.now());
}
