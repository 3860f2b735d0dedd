import { PredictionMarketError } from '../../domain/errors';
import { tickerId } from '../../domain/market';
import { rearm } from '../../domain/oracle/resolution-state';
import type { ResolutionEvidenceView } from '../../views/resolution';
import { lockMarket } from '../markets/close-market';
import type { MarketCommand } from '../commands';
import type { OperatorContext } from '../context';
import { logAct } from '../operators/log-act';
import { getResolutionEvidence } from './get-resolution';

/**
 * An operator orders that the voters of an escalated market are asked again. Rejects with MARKET_NOT_FOUND or
 * NOT_ESCALATED.
 */
export async function retryResolution(
  context: OperatorContext,
  command: MarketCommand,
): Promise<ResolutionEvidenceView> {
  const { storage, clock } = context;
  const found = await context.markets.find(command.market);
  await storage.transaction(async (transaction) => {
    const market = await lockMarket(transaction, found.id);
    const state = await transaction.resolutions.find(market.id);
    if (market.status !== 'resolving' || state?.status !== 'escalated') {
      const message = `Market ${tickerId(market.id)} does not wait for an operator`;
      throw new PredictionMarketError('NOT_ESCALATED', message);
    }
    const now = clock.now();
    await transaction.resolutions.save(rearm(state, now));
    await transaction.markets.update([{ ...market, awaitsOracle: true, dueAt: now }]);
    await logAct(context, transaction, { action: 'resolution.retry', target: String(market.id) });
  });
  context.marketsDue();
  return getResolutionEvidence(context, { market: String(found.id) });
}
