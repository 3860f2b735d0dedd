import { openMarket } from '../../domain/market';
import { plainSlug } from '../../domain/slugs';
import { marketPreviewView, type MarketPreviewView } from '../../views/market';
import type { CreateMarketCommand } from '../commands';
import type { Context } from '../context';
import { factNow } from '../fact-now';
import { requireHourAhead } from './create-market';

/**
 * `openMarket` needs an id, and a preview has none. No market has the id 0, and the view leaves the id out.
 */
const NO_ID = 0;

/**
 * The market that `createMarket` would open. Nothing is stored and nothing is read, so the preview does not
 * know whether the slug is free.
 */
export async function previewMarket(
  context: Pick<Context, 'clock' | 'clockIsSteady' | 'config' | 'pricing'>,
  command: Omit<CreateMarketCommand, 'creator'>,
): Promise<MarketPreviewView> {
  const now = factNow(context);
  requireHourAhead(command.resolveDate, now);
  const market = openMarket({
    ...command,
    ...{ id: NO_ID, slug: '', creator: '', createdAt: now },
    liquidityParameter: context.config.liquidityParameterMicros,
  });
  return marketPreviewView(market, plainSlug(command.question), context.pricing, now);
}
