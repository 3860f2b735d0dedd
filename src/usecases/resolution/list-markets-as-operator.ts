import type { ResolutionState } from '../../domain/oracle/resolution-state';
import type { MarketRecord, Reader } from '../../ports/storage';
import { operatorMarketView, type OperatorMarketListView } from '../../views/operator-market';
import type { ListMarketsAsOperatorCommand } from '../commands';
import type { Context } from '../context';

interface Listed {
  found: { market: MarketRecord; state: ResolutionState | null }[];
  total: number;
}

/** Lists markets with their resolutions. Both are read at one moment, so that they agree. */
export async function listMarketsAsOperator(
  { storage, clock, pricing }: Context,
  command: ListMarketsAsOperatorCommand,
): Promise<OperatorMarketListView> {
  const now = clock.now();
  const { limit, offset } = command;
  const { found, total } = await storage.snapshot((reader) =>
    command.progress === null ? byMarket(reader, command, now) : byProgress(reader, command),
  );
  const markets = found.map(({ market, state }) => operatorMarketView(market, state, pricing, now));
  return { markets, total, limit, offset };
}

async function byMarket(
  reader: Reader,
  { status, sort, limit, offset }: ListMarketsAsOperatorCommand,
  now: number,
): Promise<Listed> {
  const query = { status: status ?? undefined, sort: sort ?? ('resolve_asc' as const), limit, offset, now };
  const { markets, total } = await reader.markets.list(query);
  const found = markets.map(async (market) => ({
    market,
    // An open market has no resolution yet, so it needs no look-up.
    state: market.status === 'open' ? null : await reader.resolutions.find(market.id),
  }));
  return { found: await Promise.all(found), total };
}

async function byProgress(
  reader: Reader,
  { progress, limit, offset }: ListMarketsAsOperatorCommand,
): Promise<Listed> {
  const query = { limit, offset, ...(progress !== null && { status: progress }) };
  const { resolutions, total } = await reader.resolutions.list(query);
  return { found: resolutions.map(({ market, ...state }) => ({ market, state })), total };
}
