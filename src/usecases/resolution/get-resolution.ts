import type { ResolutionRound, ResolutionState } from '../../domain/oracle/resolution-state';
import type { Market } from '../../domain/types';
import type { Reader } from '../../ports/storage';
import {
  marketResolutionView,
  resolutionEvidenceView,
  type MarketResolutionView,
  type ResolutionEvidenceView,
} from '../../views/resolution';
import type { MarketCommand } from '../commands';
import type { Context } from '../context';

/** More rounds than a market keeps, unless operators restart its resolution many times. */
const MOST_ROUNDS = 200;

interface Stored {
  market: Market;
  state: ResolutionState | null;
  rounds: ResolutionRound[];
}

/** All rounds with their votes and costs, for operators. Rejects with MARKET_NOT_FOUND. */
export async function getResolutionEvidence(
  context: Context,
  command: MarketCommand,
): Promise<ResolutionEvidenceView> {
  const { market, state, rounds } = await stored(context, command, MOST_ROUNDS);
  return resolutionEvidenceView(market, state, rounds);
}

/** The outcome, who decided it, and the votes, for the public. Rejects with MARKET_NOT_FOUND. */
export async function getMarketResolution(
  context: Context,
  command: MarketCommand,
): Promise<MarketResolutionView> {
  // The newest round may still be asking.
  const { market, state, rounds } = await stored(context, command, 2);
  const newest = rounds.findLast(({ verdict }) => verdict !== null) ?? null;
  return marketResolutionView(market, state, newest, context.clock.now());
}

/** At one moment, so that votes, state and outcome agree. */
async function stored(context: Context, command: MarketCommand, limit: number): Promise<Stored> {
  const found = await context.markets.find(command.market);
  const read = async (reader: Reader): Promise<Stored> => {
    const [market] = await reader.markets.findByIds([found.id]);
    return {
      market: market ?? found,
      state: await reader.resolutions.find(found.id),
      rounds: await reader.resolutions.listRounds({ marketId: found.id, limit }),
    };
  };
  return context.storage.snapshot(read);
}
