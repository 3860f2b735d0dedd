/**
 * Resolution and payout (docs/specification.md "Payouts of positions"). A resolution sets the pool to exactly
 * what the positions are owed. The payouts, and the sweep of what rounding leaves, empty the pool.
 *
 * VOID pays half of every share. The pool always covers that: it contains at least C(q) - C(0) = b
 * ln((exp(qYes/b) + exp(qNo/b)) / 2), which is at least (qYes + qNo) / 2 because the exponential is convex.
 */
import { resolutionPosting, positionPayoutPosting, sweepPosting } from './ledger';
import { factTime, finalYesPrice } from './market';
import { afterDisposal } from './position';
import type { Market, NewTrade, Outcome, Position, Posting, Resolution } from './types';

/**
 * The payout of a position in micro-USD. A winning share pays 1 USD. With VOID, every share pays half a USD,
 * rounded down for the whole position.
 */
export function payoutOf(position: Pick<Position, 'side' | 'shares'>, outcome: Outcome): bigint {
  if (outcome === 'VOID') return position.shares / 2n;
  return position.side === outcome ? position.shares : 0n;
}

/**
 * The most that all positions together are paid. With VOID, each payout is rounded down, so a small remainder
 * may be left.
 */
export function amountOwed(market: Pick<Market, 'sharesYes' | 'sharesNo'>, outcome: Outcome): bigint {
  const { sharesYes, sharesNo } = market;
  return { YES: sharesYes, NO: sharesNo, VOID: (sharesYes + sharesNo) / 2n }[outcome];
}

/**
 * Resolves a market. The pool becomes what is owed, and the posting moves the difference from or to the
 * treasury. Without a difference, the posting is `null`. The outstanding shares stay on the market. Throws if
 * the market is resolved already.
 */
export function decideResolution(
  market: Market,
  outcome: Outcome,
  details: Omit<Resolution, 'outcome'>,
): { market: Market; posting: Posting | null } {
  if (market.resolution !== null) throw new Error(`Market ${market.id} is resolved already`);
  const owed = amountOwed(market, outcome);
  const resolvedAt = factTime(market, details.resolvedAt);
  const outstanding = market.sharesYes > 0n || market.sharesNo > 0n;
  return {
    market: {
      ...market,
      status: 'resolved',
      resolution: { outcome, ...details, resolvedAt },
      lastFactAt: resolvedAt,
      pool: owed,
      dueAt: outstanding ? details.resolvedAt : null,
      awaitsOracle: false,
    },
    posting: owed === market.pool ? null : resolutionPosting(market.id, owed - market.pool, resolvedAt),
  };
}

export interface PositionPayout {
  position: Position;
  trade: NewTrade;
  /** In micro-USD, from the pool to the wallet. */
  payout: bigint;
  /** `null` for a payout of 0. Then no money moves, but the history has a row. */
  posting: Posting | null;
}

/**
 * Pays out one position that has shares. The position ends empty and marked as paid out, and the wallet's
 * history gets a row of type `settlement`.
 */
export function paidPosition(position: Position, outcome: Outcome, now: number): PositionPayout {
  const { marketId, wallet, side, shares } = position;
  const payout = payoutOf(position, outcome);
  const after = afterDisposal(position, { shares, net: payout, fee: 0n }, now);
  return {
    position: { ...after.position, paidOut: true },
    payout,
    posting:
      payout === 0n
        ? null
        : positionPayoutPosting({ marketId, wallet, side, amount: payout, createdAt: now }),
    trade: {
      type: 'settlement',
      marketId,
      wallet,
      side,
      action: 'sell',
      shares,
      notional: payout,
      fee: 0n,
      totalCost: payout,
      realizedPnl: after.realizedPnl,
      yesPriceAfter: finalYesPrice(outcome),
      createdAt: now,
    },
  };
}

/**
 * After the last payout, moves what is left in the pool to the treasury. Nothing is due any more. Only a VOID
 * leaves a remainder, because of its rounding.
 */
export function sweep(market: Market, now: number): { market: Market; posting: Posting | null } {
  return {
    market: { ...market, pool: 0n, dueAt: null },
    posting: market.pool === 0n ? null : sweepPosting(market.id, market.pool, now),
  };
}
