import { PredictionMarketError } from '../../domain/errors';
import { closedMarket as closed, tickerId } from '../../domain/market';
import { startResolution } from '../../domain/oracle/resolution-state';
import type { PricingRule } from '../../domain/pricing';
import type { Market } from '../../domain/types';
import type { Transaction } from '../../ports/storage';
import { marketFact } from '../../events/facts';
import { marketDetailView, type MarketDetailView } from '../../views/market';
import type { MarketCommand } from '../commands';
import type { OperatorContext } from '../context';
import { logAct } from '../operators/log-act';
import { factNow } from '../fact-now';
import { totalsMove } from './market-totals';

/**
 * An operator ends trading now and hands the market to the oracle. A market that is resolving already does not
 * change. Rejects with MARKET_NOT_FOUND, or with MARKET_CLOSED when the market is resolved.
 */
export async function closeMarket(
  context: OperatorContext,
  command: MarketCommand,
): Promise<MarketDetailView> {
  const { storage, clock, pricing } = context;
  const found = await context.markets.find(command.market);
  const market = await storage.transaction(async (transaction) => {
    const locked = await lockMarket(transaction, found.id);
    if (locked.status === 'resolved') throw resolvedAlready(locked);
    if (locked.status !== 'open') return locked;
    const after = await closeLockedMarket(transaction, locked, pricing, factNow(context));
    await logAct(context, transaction, { action: 'market.close', target: String(locked.id) });
    return after;
  });
  context.eventsAppended();
  context.marketsDue();
  return marketDetailView({ ...found, ...market }, pricing, clock.now());
}

export async function closeLockedMarket(
  transaction: Transaction,
  market: Market,
  pricing: PricingRule,
  now: number,
): Promise<Market> {
  const after = { ...closed(market, now), marketSeq: market.marketSeq + 1 };
  await transaction.markets.update([after]);
  await transaction.events.append([marketFact('market.resolving', after, after.lastFactAt)]);
  await transaction.markets.addTotals(totalsMove(market, 'open', 'resolving', pricing));
  await transaction.resolutions.save(startResolution(after.id, after.lastFactAt));
  return after;
}

export async function lockMarket(transaction: Transaction, id: number): Promise<Market> {
  const [market] = await transaction.markets.lock([id]);
  if (market === undefined) throw new PredictionMarketError('MARKET_NOT_FOUND', `There is no market ${id}`);
  return market;
}

function resolvedAlready(market: Market): PredictionMarketError {
  return new PredictionMarketError('MARKET_CLOSED', `Market ${tickerId(market.id)} is resolved already`);
}
