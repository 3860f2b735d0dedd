/**
 * The life of markets, one step for each that is due (docs/specification.md "Resolution"): an open one past its date closes, a
 * resolving one is put to the oracle, a resolved one with payouts left is paid.
 *
 * Who works on a market holds its lease; one that dies is taken over when the lease ends. Every transaction here
 * checks the lease's token under the market's lock, so an instance that was paused cannot act on old knowledge.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isValid, type Vote } from '../../domain/oracle/vote';
import type { Market, MarketStatus, Resolution } from '../../domain/types';
import type { Transaction } from '../../ports/storage';
import { askOracle, questionOf } from './ask-oracle';
import { closeLockedMarket } from '../markets/close-market';
import type { Context } from '../context';
import { factNow } from '../fact-now';
import { resolveLockedMarket } from './resolve-market';
import { payOutPositions } from '../settlement/pay-out-positions';

export const LEASE_MS = 30_000;
/** Below the lease, so that the answer is still ours to use. */
export const ORACLE_TIME_LIMIT_MS = 20_000;
export const MARKETS_PER_RUN = 32;
const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 3_600_000;

export interface DueMarketsOptions {
  /** At most so many markets; default 32. */
  limit?: number;
  /** Stops waiting for the oracle, and payouts between two transactions. What was begun is resumed by the next run. */
  signal?: AbortSignal;
  /** Gives the oracle's time limit; default `AbortSignal.timeout` of 20 s. */
  oracleTimeLimit?: () => AbortSignal;
}

export interface DueMarketsRun {
  /** How many markets were due. More may be: run again until it is 0. */
  taken: number;
  /** How many of them were put to the oracle. */
  asked: number;
  /** Fulfilled when the oracle's answers have been dealt with; never rejects. */
  answered: Promise<void>;
}

/**
 * Takes the markets that are due, earliest first. Closings and payouts are done when it returns; a slow oracle
 * holds up neither. A market whose step fails is logged and comes again when its lease ends.
 */
export async function runDueMarkets(
  context: Context,
  options: DueMarketsOptions = {},
): Promise<DueMarketsRun> {
  const now = context.clock.now();
  const limit = options.limit ?? MARKETS_PER_RUN;
  const leased: Market[] = [];
  for (const awaitsOracle of [true, false]) {
    const lease = { awaitsOracle, now, leaseUntil: now + LEASE_MS, limit };
    leased.push(...(await context.storage.transaction((transaction) => transaction.markets.leaseDue(lease))));
  }
  const withStatus = (status: MarketStatus): Market[] => leased.filter((market) => market.status === status);
  const asking = withStatus('resolving');
  const answered = Promise.all(asking.map((market) => guard(context, market, consultOracle, options)));
  // In turn, not all at once: they would take every connection that trades need.
  for (const market of withStatus('open')) await guard(context, market, close, options);
  for (const market of withStatus('resolved')) await guard(context, market, payAll, options);
  return { taken: leased.length, asked: asking.length, answered: answered.then(() => undefined) };
}

type Step = (context: Context, market: Market, options: DueMarketsOptions) => Promise<void>;

async function guard(
  context: Context,
  market: Market,
  step: Step,
  options: DueMarketsOptions,
): Promise<void> {
  try {
    await step(context, market, options);
  } catch (err) {
    context.logger.error({ err, marketId: market.id, status: market.status }, 'a due market was not handled');
  }
}

// --- closing by the clock ---

async function close(context: Context, leased: Market): Promise<void> {
  const { storage, pricing } = context;
  await storage.transaction(async (transaction) => {
    const market = await lockLeased(transaction, leased);
    if (market?.status !== 'open') return;
    const now = factNow(context);
    if (now >= market.resolveDate) await closeLockedMarket(transaction, market, pricing, now);
    else await transaction.markets.update([{ ...market, dueAt: market.resolveDate }]);
  });
  context.eventsAppended();
}

// --- the oracle's decision ---

async function consultOracle(context: Context, leased: Market, options: DueMarketsOptions): Promise<void> {
  const answer = await answerOf(context, leased, options);
  // Not the oracle's failure: the market comes again when the lease ends, here or elsewhere.
  if (options.signal?.aborted === true) return;
  const { storage, pricing, logger, config } = context;
  const { outcome, confidence } = answer;
  if (!isValid(answer) || (outcome !== 'YES' && outcome !== 'NO')) {
    await postpone(context, leased);
    return;
  }
  if (confidence < config.minConfidence) {
    logger.warn(
      { marketId: leased.id, outcome, confidence, minConfidence: config.minConfidence },
      'the oracle is not confident enough: asked again later',
    );
    await postpone(context, leased);
    return;
  }
  const resolved = await storage.transaction(async (transaction) => {
    const market = await lockLeased(transaction, leased);
    if (market?.status !== 'resolving') return null;
    const now = factNow(context);
    const resolution: Resolution = {
      outcome,
      resolvedAt: now,
      oracleConsensus: confidence,
      method: 'oracle',
      note: null,
    };
    return resolveLockedMarket(transaction, market, { resolution, pricing, nextDueAt: now + LEASE_MS });
  });
  if (resolved === null) {
    logger.warn({ marketId: leased.id, outcome }, 'the oracle answered after somebody else had decided');
    return;
  }
  context.eventsAppended();
  await payAll(context, resolved, options);
}

/** A failed vote when the oracle failed. */
async function answerOf(context: Context, market: Market, options: DueMarketsOptions): Promise<Vote> {
  const timeLimit = options.oracleTimeLimit?.() ?? AbortSignal.timeout(ORACLE_TIME_LIMIT_MS);
  const signal = options.signal === undefined ? timeLimit : AbortSignal.any([timeLimit, options.signal]);
  const { own } = await askOracle(context, questionOf(market, context.clock.now()), signal);
  return own;
}

/** The next attempt: in a minute at first, then in twice as long each time, up to an hour. */
async function postpone(context: Context, leased: Market): Promise<void> {
  await context.storage.transaction(async (transaction) => {
    const market = await lockLeased(transaction, leased);
    if (market?.status !== 'resolving') return;
    const dueAt = context.clock.now() + retryDelayMs(market.oracleAttempts);
    await transaction.markets.update([{ ...market, dueAt, oracleAttempts: market.oracleAttempts + 1 }]);
  });
}

/** Milliseconds to the next attempt after so many earlier ones. */
export function retryDelayMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS);
}

// --- payouts ---

/** Pays a resolved market to the end, renewing the lease with every transaction. */
async function payAll(context: Context, leased: Market, { signal }: DueMarketsOptions): Promise<void> {
  const { storage } = context;
  let market: Market | null = leased;
  while (market !== null && market.dueAt !== null && signal?.aborted !== true) {
    market = await storage.transaction(async (transaction) => {
      const locked = await lockLeased(transaction, leased);
      if (locked === null || locked.status !== 'resolved' || locked.dueAt === null) return null;
      const now = factNow(context);
      const paid = await payOutPositions(transaction, locked, { now, nextDueAt: now + LEASE_MS });
      const { creator, liquidityParameter } = locked;
      if (paid.lost !== 0n)
        await transaction.markets.addRisk({ creator, liquidityParameter, unresolved: 0, lost: paid.lost });
      return paid.market;
    });
    context.eventsAppended();
    // Storages in this process would otherwise keep everything else in it waiting until the last payout.
    await nextTurn();
  }
}

/** The market under lock; `null` when somebody has leased it since. */
async function lockLeased(transaction: Transaction, { id, leaseToken }: Market): Promise<Market | null> {
  const [market] = await transaction.markets.lock([id]);
  return market?.leaseToken === leaseToken ? market : null;
}
