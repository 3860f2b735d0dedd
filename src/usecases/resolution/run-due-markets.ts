/**
 * Takes each due market one step further (docs/market-life.md). An open market past its resolve date is
 * closed. A resolving market gets a round of the oracle, or the decision of its last round is carried out. A
 * resolved market pays out the positions that remain.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Market, MarketStatus } from '../../domain/types';
import { closeLockedMarket } from '../markets/close-market';
import type { Context } from '../context';
import { logFailure } from '../log-failure';
import { factNow } from '../fact-now';
import { payOutPositions } from './pay-out-positions';
import { conductRound, type RoundCost, type RoundOptions } from './conduct-round';
import { carryOutDecision } from './carry-out-decision';
import { MARKET_LEASE_MS, lockLeased } from './market-lease';
import { roundsWithinBudget } from './round-budget';

const MARKETS_PER_RUN = 32;

export interface DueMarketsOptions extends RoundOptions {
  /** The most due markets that one run handles without a round of the oracle; default 32. */
  stepLimit?: number;
  /** The most rounds of the oracle that one run begins; default 32. */
  roundLimit?: number;
}

export interface DueMarketsRun {
  /** How many due markets this run has leased. If the number is above 0, more markets may be due. */
  marketsLeased: number;
  roundsBegun: number;
  /**
   * One promise for each round that has begun. The promise is fulfilled when the oracle's answer has been
   * processed, and never rejects.
   */
  roundEnds: readonly Promise<void>[];
  allRoundsEnded: Promise<void>;
}

/**
 * Leases the markets that are due, earliest first, and takes each market one step further. The promise does not
 * wait for rounds of the oracle; `allRoundsEnded` does. If the step of a market fails, the failure is logged,
 * and the market falls due again when its lease ends.
 */
export async function runDueMarkets(
  context: Context,
  options: DueMarketsOptions = {},
): Promise<DueMarketsRun> {
  const marketsToAsk = await leaseMarketsToAsk(context, options);
  const roundEnds = marketsToAsk.map((market) => logFailures(context, market, askAndCarryOut, options));
  const others = await leaseDueMarkets(context, false, options.stepLimit ?? MARKETS_PER_RUN);
  const withStatus = (status: MarketStatus): Market[] => others.filter((market) => market.status === status);
  // The steps run one after another. Concurrent steps could occupy all database connections, and trades need
  // some.
  for (const market of withStatus('open')) await logFailures(context, market, close, options);
  for (const market of withStatus('resolving')) await logFailures(context, market, carryOutAndPay, options);
  for (const market of withStatus('resolved')) await logFailures(context, market, payOutAll, options);
  return {
    marketsLeased: marketsToAsk.length + others.length,
    roundsBegun: marketsToAsk.length,
    roundEnds,
    allRoundsEnded: Promise.all(roundEnds).then(() => undefined),
  };
}

function leaseDueMarkets(
  { storage, clock }: Context,
  awaitsOracle: boolean,
  limit: number,
): Promise<Market[]> {
  const now = clock.now();
  const query = { awaitsOracle, now, leaseUntil: now + MARKET_LEASE_MS, limit };
  return storage.transaction((transaction) => transaction.markets.leaseDue(query));
}

/**
 * Leases the markets that await the oracle. A market stays due and is not leased while no further round may run
 * or the budget is spent.
 */
async function leaseMarketsToAsk(context: Context, options: DueMarketsOptions): Promise<Market[]> {
  const roundLimit = options.roundLimit ?? MARKETS_PER_RUN;
  if (roundLimit <= 0) return [];
  const lastCost: RoundCost = options.lastCost ?? { calls: 1, costMicros: 0n };
  const limit = Math.min(roundLimit, await roundsWithinBudget(context, lastCost));
  return limit === 0 ? [] : leaseDueMarkets(context, true, limit);
}

type MarketStep = (context: Context, market: Market, options: DueMarketsOptions) => Promise<void>;

async function logFailures(
  context: Context,
  market: Market,
  step: MarketStep,
  options: DueMarketsOptions,
): Promise<void> {
  try {
    await step(context, market, options);
  } catch (err) {
    const fields = { marketId: market.id, status: market.status };
    logFailure(context.logger, err, fields, 'a due market was not handled');
  }
}

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

async function askAndCarryOut(context: Context, leased: Market, options: DueMarketsOptions): Promise<void> {
  if (await conductRound(context, leased, options)) await carryOutAndPay(context, leased, options);
}

async function carryOutAndPay(context: Context, leased: Market, options: DueMarketsOptions): Promise<void> {
  const market = await carryOutDecision(context, leased);
  if (market?.status === 'resolved') await payOutAll(context, market, options);
}

/** Pays the remaining positions out, in several transactions. Each transaction renews the lease. */
async function payOutAll(context: Context, leased: Market, { signal }: DueMarketsOptions): Promise<void> {
  const { storage } = context;
  let market: Market | null = leased;
  while (market !== null && market.dueAt !== null && signal?.aborted !== true) {
    market = await storage.transaction(async (transaction) => {
      const locked = await lockLeased(transaction, leased);
      if (locked === null || locked.status !== 'resolved' || locked.dueAt === null) return null;
      const now = factNow(context);
      const paid = await payOutPositions(transaction, locked, { now, nextDueAt: now + MARKET_LEASE_MS });
      const { creator, liquidityParameter } = locked;
      if (paid.lost !== 0n)
        await transaction.markets.addRisk({ creator, liquidityParameter, unresolved: 0, lost: paid.lost });
      return paid.market;
    });
    context.eventsAppended();
    // A storage in this process answers without a turn of the event loop. Without this wait, all other work
    // would wait until the last payout.
    await nextTurn();
  }
}
