/**
 * Carries out the decision on the votes of a round (docs/resolution.md "States"): resolves the market,
 * proposes an outcome, hands the market to an operator, or plans another round. Also resolves a market whose
 * challenge period is over.
 */
import {
  askAgain,
  escalate,
  propose,
  startResolution,
  type Proposal,
  type ResolutionRound,
  type ResolutionState,
  type RoundVerdict,
} from '../../domain/oracle/resolution-state';
import { nextRoundDelayMs } from '../../domain/oracle/rounds';
import type { DecisiveOutcome } from '../../domain/oracle/vote';
import { factTime } from '../../domain/market';
import type { Market, Resolution } from '../../domain/types';
import { escalatedFact, proposedFact } from '../../events/facts';
import { fractionOf } from '../../ports/random';
import type { Transaction } from '../../ports/storage';
import type { Context } from '../context';
import { factNow } from '../fact-now';
import { newestRound } from './conduct-round';
import { MARKET_LEASE_MS, lockLeased } from './market-lease';
import { resolveLockedMarket } from './resolve-market';

interface LockedResolution {
  context: Context;
  transaction: Transaction;
  market: Market;
  state: ResolutionState;
}

/**
 * Resolves with the changed market. `null` when there is nothing to carry out, for example because an operator
 * has resolved the market.
 */
export async function carryOutDecision(context: Context, leased: Market): Promise<Market | null> {
  const after = await context.storage.transaction(async (transaction) => {
    const market = await lockLeased(transaction, leased);
    if (market?.status !== 'resolving' || market.awaitsOracle) return null;
    const stored = await transaction.resolutions.find(market.id);
    const state = stored ?? startResolution(market.id, context.clock.now());
    const locked = { context, transaction, market, state };
    if (state.status === 'proposed' && state.proposal !== null)
      return carryOutProposal(locked, state.proposal);
    const newest = await newestRound(transaction, market.id);
    if (newest?.status === 'voted' && newest.verdict !== null)
      return carryOutVerdict(locked, newest, newest.verdict);
    // Only a manual change of the database leads here, such as a `voted` round without a verdict.
    return write(locked, askAgain(state, context.clock.now(), context.clock.now()));
  });
  if (after !== null) context.eventsAppended();
  return after;
}

async function carryOutVerdict(
  locked: LockedResolution,
  round: ResolutionRound,
  { decision, consensus }: RoundVerdict,
): Promise<Market> {
  const { context, transaction, state } = locked;
  await transaction.resolutions.updateRound({ ...round, status: 'followed' });
  if (decision.kind === 'again') {
    const now = context.clock.now();
    return write(locked, askAgain(state, now + nextDelayMs(context, state), now));
  }
  const { confidence } = consensus;
  if (decision.kind === 'escalated') return escalateMarket(locked, decision.proposal, confidence);
  if (context.config.challengePeriodMs === 0) return resolve(locked, decision.outcome, confidence);
  return proposeOutcome(locked, decision.outcome, confidence);
}

function nextDelayMs({ config, random }: Context, { history }: ResolutionState): number {
  return nextRoundDelayMs(history.rounds, config.resolutionIntervalMs, fractionOf(random));
}

/**
 * Resolves the market if the challenge period is over. Otherwise the market becomes due at the end of the period.
 */
async function carryOutProposal(
  locked: LockedResolution,
  { outcome, confidence, payAt }: Proposal,
): Promise<Market> {
  const { context, transaction, market } = locked;
  if (payAt !== null && factNow(context) >= payAt) return resolve(locked, outcome, confidence);
  const later = { ...market, dueAt: payAt };
  await transaction.markets.update([later]);
  return later;
}

function resolve(
  { context, transaction, market }: LockedResolution,
  outcome: DecisiveOutcome,
  confidence: number,
): Promise<Market> {
  const now = factNow(context);
  const resolution: Resolution = {
    outcome,
    resolvedAt: now,
    oracleConsensus: confidence,
    method: 'oracle',
    note: null,
  };
  const { pricing } = context;
  return resolveLockedMarket(transaction, market, { resolution, pricing, nextDueAt: now + MARKET_LEASE_MS });
}

async function proposeOutcome(
  locked: LockedResolution,
  outcome: DecisiveOutcome,
  confidence: number,
): Promise<Market> {
  const { context, transaction, market } = locked;
  const proposedAt = factTime(market, factNow(context));
  const proposal = { outcome, confidence, proposedAt, payAt: proposedAt + context.config.challengePeriodMs };
  const after = await write(locked, propose(locked.state, proposal, proposedAt), proposedAt);
  await transaction.events.append([proposedFact(after, proposal)]);
  return after;
}

async function escalateMarket(
  locked: LockedResolution,
  outcome: DecisiveOutcome | null,
  confidence: number,
): Promise<Market> {
  const { context, transaction, market } = locked;
  const now = factTime(market, factNow(context));
  const proposal = outcome === null ? null : { outcome, confidence, proposedAt: now, payAt: null };
  const after = await write(locked, escalate(locked.state, proposal, now), now);
  await transaction.events.append([escalatedFact(after, outcome)]);
  context.logger.warn({ marketId: market.id, proposal: outcome }, 'only an operator can resolve this market');
  return after;
}

/**
 * Writes the resolution state and the market. With `factAt`, the market also gets the next `marketSeq`, for a
 * fact of that time. The caller appends the fact.
 */
async function write(
  { transaction, market }: LockedResolution,
  state: ResolutionState,
  factAt?: number,
): Promise<Market> {
  await transaction.resolutions.save(state);
  const awaitsOracle = state.status === 'waiting' || state.status === 'stalled';
  const changed = { ...market, awaitsOracle, dueAt: state.nextAttemptAt };
  const after =
    factAt === undefined ? changed : { ...changed, marketSeq: market.marketSeq + 1, lastFactAt: factAt };
  await transaction.markets.update([after]);
  return after;
}
