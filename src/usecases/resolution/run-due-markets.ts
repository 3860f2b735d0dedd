/**
 * The life of markets, one step for each that is due (docs/market-life.md): an open one past its date closes, a
 * resolving one is put to the oracle or moved on by what its voters said, a resolved one with payouts left is paid.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Market, MarketStatus } from '../../domain/types';
import { closeLockedMarket } from '../markets/close-market';
import type { Context } from '../context';
import { factNow } from '../fact-now';
import { payOutPositions } from '../settlement/pay-out-positions';
import { conductRound, type RoundCost, type RoundOptions } from './conduct-round';
import { followRound } from './follow-round';
import { LEASE_MS, lockLeased } from './market-lease';
import { roundsWithinBudget } from './round-budget';

export { LEASE_MS } from './market-lease';

const MARKETS_PER_RUN = 32;

export interface DueMarketsOptions extends RoundOptions {
  /** At most so many closings, payouts and the like; default 32. */
  limit?: number;
  /** At most so many rounds of the oracle are begun; default 32. */
  rounds?: number;
}

export interface DueMarketsRun {
  /** How many markets were due. More may be: run again until it is 0. */
  taken: number;
  /** How many of them were put to the oracle. */
  asked: number;
  /** One for each of these. It is fulfilled when the oracle's answer has been dealt with, and never rejects. */
  rounds: readonly Promise<void>[];
  /** All of `rounds`. */
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
  const asking = await leaseForRounds(context, options);
  const rounds = asking.map((market) => logFailures(context, market, askAndFollow, options));
  const others = await lease(context, false, options.limit ?? MARKETS_PER_RUN);
  const withStatus = (status: MarketStatus): Market[] => others.filter((market) => market.status === status);
  // In turn, not all at once: they would take every connection that trades need.
  for (const market of withStatus('open')) await logFailures(context, market, close, options);
  for (const market of withStatus('resolving')) await logFailures(context, market, followAndPay, options);
  for (const market of withStatus('resolved')) await logFailures(context, market, payAll, options);
  return {
    taken: asking.length + others.length,
    asked: asking.length,
    rounds,
    answered: Promise.all(rounds).then(() => undefined),
  };
}

function lease({ storage, clock }: Context, awaitsOracle: boolean, limit: number): Promise<Market[]> {
  const now = clock.now();
  const query = { awaitsOracle, now, leaseUntil: now + LEASE_MS, limit };
  return storage.transaction((transaction) => transaction.markets.leaseDue(query));
}

/** A market whose round has no place yet, or no budget, stays due: it is not leased. */
async function leaseForRounds(context: Context, options: DueMarketsOptions): Promise<Market[]> {
  const places = options.rounds ?? MARKETS_PER_RUN;
  if (places <= 0) return [];
  const lastCost: RoundCost = options.lastCost ?? { calls: 1, costMicros: 0n };
  const limit = Math.min(places, await roundsWithinBudget(context, lastCost));
  return limit === 0 ? [] : lease(context, true, limit);
}

type Step = (context: Context, market: Market, options: DueMarketsOptions) => Promise<void>;

async function logFailures(
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

// --- the oracle ---

async function askAndFollow(context: Context, leased: Market, options: DueMarketsOptions): Promise<void> {
  if (await conductRound(context, leased, options)) await followAndPay(context, leased, options);
}

async function followAndPay(context: Context, leased: Market, options: DueMarketsOptions): Promise<void> {
  const market = await followRound(context, leased);
  if (market?.status === 'resolved') await payAll(context, market, options);
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
