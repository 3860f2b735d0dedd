import { operatorMarketView, type OperatorMarketListView } from '../../views/operator-market';
import type { ListMarketsAsOperatorCommand } from '../commands';
import type { Context } from '../context';

/** Lists markets with the state of their resolution, read at one moment, so that both agree. */
export async function listMarketsAsOperator(
  { storage, clock, pricing }: Context,
  { status, sort, limit, offset }: ListMarketsAsOperatorCommand,
): Promise<OperatorMarketListView> {
  const now = clock.now();
  const query = { status: status ?? undefined, sort, limit, offset, now };
  return storage.snapshot(async (reader) => {
    const page = await reader.markets.list(query);
    const views = page.markets.map(async (market) => {
      // A trading market has no resolution yet, so it costs no look-up.
      const state = market.status === 'open' ? null : await reader.resolutions.find(market.id);
      return operatorMarketView(market, state, pricing, now);
    });
    return { markets: await Promise.all(views), total: page.total, limit, offset };
  });
}
