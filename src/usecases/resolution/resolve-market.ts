import { PredictionMarketError } from '../../domain/errors';
import { closedMarket, factTime, tickerId } from '../../domain/market';
import { finish } from '../../domain/oracle/resolution-state';
import type { PricingRule } from '../../domain/pricing';
import { decideResolution } from '../../domain/resolution';
import type { Market, Resolution } from '../../domain/types';
import type { Transaction } from '../../ports/storage';
import { marketFact } from '../../events/facts';
import { marketDetailView, type MarketDetailView } from '../../views/market';
import { lockMarket } from '../markets/close-market';
import type { ResolveMarketCommand } from '../commands';
import type { OperatorContext } from '../context';
import { logAct } from '../operators/log-act';
import { totalsMove } from '../markets/market-totals';
import { payOutPositions } from './pay-out-positions';
import { factNow } from '../fact-now';

/**
 * An operator decides the outcome. An open market is closed first, in the same transaction. The first thousand
 * positions are paid before the answer, and a job pays the others. A repeated outcome changes nothing, and a
 * different outcome is refused with ALREADY_RESOLVED.
 */
export async function resolveMarket(
  context: OperatorContext,
  command: ResolveMarketCommand,
): Promise<MarketDetailView> {
  const { storage, clock, pricing } = context;
  const { outcome, note } = command;
  const found = await context.markets.find(command.market);
  const market = await storage.transaction(async (transaction) => {
    const locked = await lockMarket(transaction, found.id);
    if (locked.resolution !== null) return unchanged(locked, locked.resolution, command);
    const now = factNow(context);
    const resolution: Resolution = {
      outcome,
      resolvedAt: now,
      oracleConsensus: 1,
      method: 'operator',
      note,
    };
    const details = { outcome, note };
    await logAct(context, transaction, { action: 'market.resolve', target: String(locked.id), details });
    return resolveLockedMarket(transaction, locked, { resolution, pricing, nextDueAt: now });
  });
  context.eventsAppended();
  if (market.dueAt !== null) context.marketsDue();
  return marketDetailView({ ...found, ...market }, pricing, clock.now());
}

/**
 * Resolves a market that the caller's transaction has locked and that is not resolved yet, and pays the first
 * positions. While positions remain, the market is due at `nextDueAt`.
 */
export async function resolveLockedMarket(
  transaction: Transaction,
  market: Market,
  decision: { resolution: Resolution; pricing: PricingRule; nextDueAt: number },
): Promise<Market> {
  const { resolution, pricing, nextDueAt } = decision;
  const now = factTime(market, resolution.resolvedAt);
  const events = [];
  let current = market;
  if (current.status === 'open') {
    current = { ...closedMarket(current, now), marketSeq: current.marketSeq + 1 };
    events.push(marketFact('market.resolving', current, now));
  }
  const decided = decideResolution(current, resolution.outcome, resolution);
  current = { ...decided.market, marketSeq: current.marketSeq + 1 };
  events.push(marketFact('market.resolved', current, now));
  const postings = decided.posting === null ? [] : [decided.posting];
  const paid = await payOutPositions(transaction, current, {
    now,
    nextDueAt,
    resolution: { postings, events },
  });
  await transaction.markets.addTotals(totalsMove(market, market.status, 'resolved', pricing));
  const state = await transaction.resolutions.find(market.id);
  if (state !== null) await transaction.resolutions.save(finish(state, now));
  const { creator, liquidityParameter } = market;
  await transaction.markets.addRisk({ creator, liquidityParameter, unresolved: -1, lost: paid.lost });
  return paid.market;
}

function unchanged(market: Market, resolution: Resolution, command: ResolveMarketCommand): Market {
  if (resolution.outcome === command.outcome) return market;
  const message = `Market ${tickerId(market.id)} was resolved ${resolution.outcome}, not ${command.outcome}`;
  throw new PredictionMarketError('ALREADY_RESOLVED', message);
}
