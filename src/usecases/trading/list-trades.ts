import { publicTradeView, type TradeListView } from '../../views/trade';
import type { ListTradesCommand } from '../commands';
import type { Context } from '../context';

/**
 * A market's trades, newest first. `total` counts all trades of the market, also trades that the filter leaves
 * out. Rejects with MARKET_NOT_FOUND.
 */
export async function listTrades(context: Context, command: ListTradesCommand): Promise<TradeListView> {
  const { side, limit, offset } = command;
  const market = await context.markets.find(command.market);
  const trades = await context.storage.read((reader) =>
    reader.trades.listByMarket({ marketId: market.id, side: side ?? undefined, limit, offset }),
  );
  return { trades: trades.map(publicTradeView), total: market.tradeCount, limit, offset };
}
