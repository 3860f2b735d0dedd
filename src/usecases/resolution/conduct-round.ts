/**
 * One round of the oracle on one market (docs/resolution.md "A round, step by step"). The round has three
 * transactions, and another instance can continue after each of them:
 * 1. The round is stored as `asking`, under the market's lease, so no other instance asks meanwhile.
 * 2. The votes and the decision on them are stored, and the round is `voted`.
 * 3. The decision is carried out (carry-out-decision.ts).
 */
import type { ReceivedAnswer } from '../../domain/oracle/answer';
import {
  afterVotes,
  startResolution,
  type ResolutionRound,
  type ResolutionState,
} from '../../domain/oracle/resolution-state';
import {
  decideAuthorityRound,
  decideRound,
  type RoundFinding,
  type RoundResult,
} from '../../domain/oracle/rounds';
import type { Vote } from '../../domain/oracle/vote';
import type { Market } from '../../domain/types';
import type { Transaction } from '../../ports/storage';
import { timeoutSignal } from '../../ports/time-limit';
import type { Context } from '../context';
import { askOracle, questionOf } from './ask-oracle';
import { MARKET_LEASE_MS, lockLeased } from './market-lease';
import { reportRound } from './round-report';

/** `calls` counts the calls to voters. */
export interface RoundCost {
  calls: number;
  costMicros: bigint;
}

export interface RoundOptions {
  /** Ends the wait for the oracle. The next run asks the voters of this round again. */
  signal?: AbortSignal;
  /** Makes the signal that limits the oracle's time. By default, the limit is `oracleTimeoutMs`. */
  oracleTimeLimit?: () => AbortSignal;
  /**
   * The cost of the last round that this instance asked, as the estimate for the next round. `conductRound`
   * updates this object.
   */
  lastCost?: RoundCost;
}

/**
 * A round with one of the findings in `FRUITLESS` is removed when there are this many newer rounds. All other
 * rounds are kept.
 */
const KEPT_ROUNDS = 50;
const FRUITLESS: readonly RoundFinding[] = ['no-quorum', 'too-early'];
/**
 * The largest cost of one vote. Without this bound, an adapter could report a sum that no storage can store.
 */
const LARGEST_COST_USD = 1_000_000;

/** The stored round that this instance asks, and the cost of the earlier attempts of the same round. */
interface BegunRound {
  round: ResolutionRound;
  before: RoundCost;
}

/** Resolves with whether there is a decision to carry out. */
export async function conductRound(
  context: Context,
  leased: Market,
  options: RoundOptions = {},
): Promise<boolean> {
  const begun = await beginRound(context, leased, options.lastCost ?? { calls: 1, costMicros: 0n });
  if (begun === null) return false;
  const answer = await ask(context, leased, options);
  if (options.signal?.aborted === true) {
    await giveBack(context, leased);
    return false;
  }
  const cost = costOf(answer.votes);
  if (options.lastCost !== undefined) Object.assign(options.lastCost, cost);
  const stored = await storeVotes(context, leased, begun, answer);
  if (stored === null) {
    const { logger } = context;
    logger.warn(
      { marketId: leased.id },
      'the oracle answered after another instance had taken the market over',
    );
    return false;
  }
  reportRound(context, stored);
  return stored.status === 'voted';
}

async function ask(context: Context, market: Market, options: RoundOptions): Promise<ReceivedAnswer> {
  const { clock, config } = context;
  const timeLimit = options.oracleTimeLimit?.() ?? timeoutSignal(config.oracleTimeoutMs);
  const signal = options.signal === undefined ? timeLimit : AbortSignal.any([timeLimit, options.signal]);
  return askOracle(context, questionOf(market, clock.now()), signal);
}

/** `null` when the market needs no round, or when another instance has the lease. */
async function beginRound(context: Context, leased: Market, estimate: RoundCost): Promise<BegunRound | null> {
  const { storage, clock, config } = context;
  return storage.transaction(async (transaction) => {
    const market = await lockLeased(transaction, leased);
    if (market?.status !== 'resolving' || !market.awaitsOracle) return null;
    const now = clock.now();
    const newest = await newestRound(transaction, market.id);
    if (newest?.status === 'voted') {
      // Only a manual change of the database leads here. A market whose newest round is `voted` awaits no
      // oracle.
      await transaction.markets.update([{ ...market, awaitsOracle: false, dueAt: now }]);
      return null;
    }
    const begun = nextRound(market, newest, now, estimate);
    if (newest?.status === 'asking') await transaction.resolutions.updateRound(begun.round);
    else await transaction.resolutions.insertRound(begun.round);
    await transaction.markets.update([{ ...market, dueAt: now + config.oracleTimeoutMs + MARKET_LEASE_MS }]);
    return begun;
  });
}

/**
 * The next round of the market. If an instance stopped while it asked the newest round, that round is asked
 * again.
 */
function nextRound(
  market: Market,
  newest: ResolutionRound | undefined,
  now: number,
  estimate: RoundCost,
): BegunRound {
  const again = newest?.status === 'asking' ? newest : null;
  const before = { calls: again?.calls ?? 0, costMicros: again?.costMicros ?? 0n };
  const round: ResolutionRound = {
    marketId: market.id,
    round: again?.round ?? (newest?.round ?? 0) + 1,
    status: 'asking',
    leaseToken: market.leaseToken,
    startedAt: now,
    endedAt: null,
    votes: [],
    verdict: null,
    calls: before.calls + Math.max(1, estimate.calls),
    costMicros: before.costMicros + estimate.costMicros,
  };
  return { round, before };
}

/** `null` when the lease was lost, because the round then belongs to another instance. */
async function storeVotes(
  context: Context,
  leased: Market,
  { round, before }: BegunRound,
  answer: ReceivedAnswer,
): Promise<ResolutionRound | null> {
  const { storage, clock } = context;
  const spent = costOf(answer.votes);
  return storage.transaction(async (transaction) => {
    const market = await lockLeased(transaction, leased);
    if (market === null) return null;
    const now = clock.now();
    const state = (await transaction.resolutions.find(market.id)) ?? startResolution(market.id, now);
    const result = resultOf(context, answer, state);
    const { finding, consensus, decision } = result;
    const voted: ResolutionRound = {
      ...round,
      // If an operator has resolved the market meanwhile, the votes are kept as evidence and change nothing.
      status: market.status === 'resolving' ? 'voted' : 'followed',
      endedAt: now,
      votes: answer.votes,
      verdict: { finding, consensus, decision },
      calls: before.calls + spent.calls,
      costMicros: before.costMicros + spent.costMicros,
    };
    await transaction.resolutions.updateRound(voted);
    if (market.status !== 'resolving') return voted;
    await writeProgress(transaction, market, voted, afterVotes(state, result, now));
    return voted;
  });
}

/**
 * Stores the progress of the resolution. The market awaits no oracle any more, so the decision is carried out
 * without waiting for other rounds or for the budget.
 */
async function writeProgress(
  transaction: Transaction,
  market: Market,
  { round, endedAt }: ResolutionRound,
  state: ResolutionState,
): Promise<void> {
  await transaction.resolutions.save(state);
  const dueAt = (endedAt ?? 0) + MARKET_LEASE_MS;
  await transaction.markets.update([{ ...market, awaitsOracle: false, dueAt, oracleAttempts: round }]);
  const upTo = round - KEPT_ROUNDS;
  if (upTo > 0)
    await transaction.resolutions.deleteRounds({ marketId: market.id, upTo, findings: FRUITLESS });
}

function resultOf(
  { oracle, config }: Context,
  { own, votes }: ReceivedAnswer,
  { history }: ResolutionState,
): RoundResult {
  if (oracle.role === 'judge') return decideRound(votes, history, config.roundRules);
  return decideAuthorityRound(own, history, config.roundRules);
}

/** Makes the market due now, so that the next run of any instance takes it. */
async function giveBack({ storage, clock }: Context, leased: Market): Promise<void> {
  await storage.transaction(async (transaction) => {
    const market = await lockLeased(transaction, leased);
    if (market?.status !== 'resolving') return;
    await transaction.markets.update([{ ...market, dueAt: clock.now() }]);
  });
}

export async function newestRound(
  transaction: Transaction,
  marketId: number,
): Promise<ResolutionRound | undefined> {
  const [newest] = await transaction.resolutions.listRounds({ marketId, limit: 1 });
  return newest;
}

function costOf(votes: readonly Vote[]): RoundCost {
  const usd = votes.reduce((sum, { costUsd = 0 }) => sum + Math.min(costUsd, LARGEST_COST_USD), 0);
  return { calls: votes.length, costMicros: BigInt(Math.ceil(usd * 1_000_000)) };
}
