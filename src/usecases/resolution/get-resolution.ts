import type { ResolutionRound, ResolutionState } from '../../domain/oracle/resolution-state';
import type { Market } from '../../domain/types';
import type { Reader } from '../../ports/storage';
import {
  marketResolutionView,
  resolutionEvidenceView,
  type MarketResolutionView,
  type ResolutionEvidenceView,
} from '../../views/resolution';
import { resolutionProgressView, type ResolutionProgressView } from '../../views/resolution-progress';
import type { MarketCommand } from '../commands';
import type { Context } from '../context';

const MOST_ROUNDS = 200;

interface Stored {
  market: Market;
  state: ResolutionState | null;
  rounds: ResolutionRound[];
}

/**
 * For operators: the newest 200 rounds of a market, with their votes and costs. Rejects with MARKET_NOT_FOUND.
 */
export async function getResolutionEvidence(
  context: Context,
  command: MarketCommand,
): Promise<ResolutionEvidenceView> {
  const { market, state, rounds } = await stored(context, command, MOST_ROUNDS);
  return resolutionEvidenceView(market, state, rounds);
}

/** For the public: the outcome, who decided it, and the votes. Rejects with MARKET_NOT_FOUND. */
export async function getMarketResolution(
  context: Context,
  command: MarketCommand,
): Promise<MarketResolutionView> {
  // Two rounds are read, because the voters of the newest round may not have answered yet.
  const { market, state, rounds } = await stored(context, command, 2);
  const newest = rounds.findLast(({ verdict }) => verdict !== null) ?? null;
  return marketResolutionView(market, state, newest, context.clock.now());
}

/**
 * How far the resolution of the market has come. `null` while the market is open, and after it was resolved.
 * Rejects with MARKET_NOT_FOUND.
 */
export async function getResolutionProgress(
  context: Context,
  command: MarketCommand,
): Promise<ResolutionProgressView | null> {
  const { market, state } = await stored(context, command, 1);
  return resolutionProgressView(market, state);
}

/** Reads market, state and rounds at one moment, so that votes, state and outcome agree. */
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
