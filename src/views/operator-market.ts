/** A market as operators see it in a list: the public fields, and how far its resolution has come. */
import type { OpenResolutionStatus, ResolutionState } from '../domain/oracle/resolution-state';
import type { OracleOutcome } from '../domain/oracle/vote';
import type { PricingRule } from '../domain/pricing';
import type { MarketRecord } from '../ports/storage';
import { isoTime } from './format';
import { marketDetailView, type MarketDetailView } from './market';
import { proposalView, type ProposalView } from './resolution';

/** How far the resolution of a market has come that is closed and not resolved. */
export interface ResolutionProgressView {
  status: OpenResolutionStatus;
  /** The number of the newest round that has ended. 0 before the first round has ended. */
  round: number;
  lastOutcome: OracleOutcome | null;
  nextAttemptAt: string | null;
  proposal: ProposalView | null;
}

export interface OperatorMarketView extends MarketDetailView {
  /** `null` until the market is closed, and once it is resolved. */
  progress: ResolutionProgressView | null;
}

export interface OperatorMarketListView {
  markets: OperatorMarketView[];
  total: number;
  limit: number;
  offset: number;
}

export function operatorMarketView(
  market: MarketRecord,
  state: ResolutionState | null,
  pricing: PricingRule,
  now: number,
): OperatorMarketView {
  return { ...marketDetailView(market, pricing, now), progress: progressView(market, state) };
}

function progressView(market: MarketRecord, state: ResolutionState | null): ResolutionProgressView | null {
  if (state === null || state.status === 'done') return null;
  const { status, lastOutcome, nextAttemptAt, proposal } = state;
  return {
    status,
    round: market.oracleAttempts,
    lastOutcome,
    nextAttemptAt: nextAttemptAt === null ? null : isoTime(nextAttemptAt),
    proposal: proposal === null ? null : proposalView(proposal),
  };
}
