/** Money and shares are in millionths. */
import type { Outcome, Side } from '../../../src/domain/types';
import { usdToMicros } from '../../../src/domain/money';
import type { ExecutedTradeView } from '../../../src/views/trade';
import { ceilOf, floorOf, poolCost } from '../../domain/support/exact';
import type { Bounds, Size } from './operations';
import { atLeast, atMost, same } from './holds';

const SIDES = ['YES', 'NO'] as const;
const MICRO = 1_000_000;
/** 0.01 USD in micro-USD. */
export const SMALLEST_NOTIONAL = 10_000n;

export interface Holding {
  shares: bigint;
  costBasis: bigint;
  realizedPnl: bigint;
  feesPaid: bigint;
}

export interface ModelMarket {
  id: number;
  slug: string;
  creator: string;
  resolveDate: number;
  b: bigint;
  status: 'open' | 'resolving' | 'resolved';
  outcome: Outcome | null;
  pool: bigint;
  volume: bigint;
  creatorFees: bigint;
  trades: number;
  holdings: Record<Side, Map<string, Holding>>;
  /** The exact money of the pool, in the fixed point of exact.ts. */
  exactPool: bigint;
}

export interface Order {
  market: ModelMarket;
  wallet: string;
  side: Side;
  action: 'buy' | 'sell';
  size: Size;
  bounds: Bounds;
  key: string | null;
}

export class Model {
  readonly balances = new Map<string, bigint>();
  readonly markets: ModelMarket[] = [];
  deposited = 0n;
  treasury = 0n;
  trades = 0;
  /** Counts trades whose notional is one base unit off the rounded exact figure. This is allowed and rare. */
  margins = 0;
  readonly entries = new Map<string, Map<string, bigint>>();

  constructor(public now: number) {}

  balance(wallet: string): bigint {
    return this.balances.get(wallet) ?? 0n;
  }

  credit(wallet: string, amount: bigint): void {
    this.balances.set(wallet, this.balance(wallet) + amount);
  }

  deposit(wallet: string, amount: bigint): void {
    this.credit(wallet, amount);
    this.deposited += amount;
  }

  addMarket(market: Pick<ModelMarket, 'id' | 'slug' | 'creator' | 'resolveDate' | 'b'>): void {
    this.markets.push({
      ...market,
      status: 'open',
      outcome: null,
      pool: 0n,
      volume: 0n,
      creatorFees: 0n,
      trades: 0,
      holdings: { YES: new Map(), NO: new Map() },
      exactPool: 0n,
    });
    this.markets.sort((left, right) => left.id - right.id);
  }

  isTrading({ status, resolveDate }: ModelMarket): boolean {
    return status === 'open' && this.now < resolveDate;
  }

  trade(order: Order, view: ExecutedTradeView): void {
    const { market, wallet, side, action } = order;
    const bought = action === 'buy';
    const shares = usdToMicros(view.shares);
    const fee = usdToMicros(view.fee);
    const total = usdToMicros(view.totalCost);
    const notional = bought ? total - fee : total + fee;
    const held = holdingOf(market, side, wallet);

    same(fee, (notional * 50n + 9_999n) / 10_000n);
    if (!bought) atMost(shares, held.shares);
    if (bought || shares !== held.shares) atLeast(notional, SMALLEST_NOTIONAL);
    expectSized(order, held, { shares, total });
    expectWithinBounds(order.bounds, { shares, notional, total });

    market.holdings[side].set(wallet, movedHolding(held, bought, { shares, total, fee }));
    this.judgeCost(market, bought, notional);
    market.pool += bought ? notional : -notional;
    market.volume += notional;
    market.creatorFees += fee;
    market.trades += 1;
    this.trades += 1;
    this.credit(wallet, bought ? -total : total);
    this.credit(market.creator, fee);
    this.entries.set(`trade:${view.id}`, entriesOf(order, { total: bought ? -total : total, fee }));
    this.judgePrice(order, view);
    judgePosition(market, order, view);
  }

  /** The notional is rounded in the pool's favour by less than two base units. */
  private judgeCost(market: ModelMarket, bought: boolean, notional: bigint): void {
    const after = exactPoolOf(market);
    const exact = bought ? after - market.exactPool : market.exactPool - after;
    market.exactPool = after;
    const rounded = bought ? ceilOf(exact) : floorOf(exact);
    const margin = bought ? notional - rounded : rounded - notional;
    if (margin !== 0n) same(margin, 1n);
    if (margin > 0n) this.margins += 1;
  }

  private judgePrice({ market, side, action }: Order, view: ExecutedTradeView): void {
    const yesPrice = priceOf(market, 'YES');
    atMost(Math.abs(view.yesPrice - yesPrice), 0.000_000_6);
    same(Math.round((view.yesPrice + view.noPrice) * MICRO), MICRO);
    if (action === 'buy') atMost(priceOf(market, side), 0.99 + 1e-9);
  }

  resolve(market: ModelMarket, outcome: Outcome): void {
    let paid = 0n;
    for (const side of SIDES) {
      for (const [wallet, held] of market.holdings[side]) {
        if (held.shares === 0n) continue;
        const payout = payoutOf(held.shares, side, outcome);
        paid += payout;
        this.credit(wallet, payout);
        const realizedPnl = held.realizedPnl + payout - held.costBasis;
        market.holdings[side].set(wallet, { ...held, shares: 0n, costBasis: 0n, realizedPnl });
      }
    }
    const gain = market.pool - paid;
    atLeast(Number(gain), outcome === 'VOID' ? 0 : -Number(market.b) * Math.LN2);
    this.treasury += gain;
    market.pool = 0n;
    market.status = 'resolved';
    market.outcome = outcome;
  }
}

export function outstanding(market: ModelMarket, side: Side): bigint {
  let sum = 0n;
  for (const { shares } of market.holdings[side].values()) sum += shares;
  return sum;
}

export function holdingOf(market: ModelMarket, side: Side, wallet: string): Holding {
  const none = { shares: 0n, costBasis: 0n, realizedPnl: 0n, feesPaid: 0n };
  return market.holdings[side].get(wallet) ?? none;
}

/** Creators who trade on their own market pay the fee to themselves. */
function entriesOf(
  { market, wallet }: Order,
  { total, fee }: { total: bigint; fee: bigint },
): Map<string, bigint> {
  const entries = new Map([
    [`wallet:${wallet.toLowerCase()}`, total],
    [`market:${market.id}`, -total - fee],
  ]);
  if (fee === 0n) return entries;
  const creator = `wallet:${market.creator.toLowerCase()}`;
  return entries.set(creator, (entries.get(creator) ?? 0n) + fee);
}

export function priceOf(market: ModelMarket, side: Side): number {
  const lead = Number(outstanding(market, 'YES') - outstanding(market, 'NO')) / Number(market.b);
  return 1 / (1 + Math.exp(side === 'YES' ? -lead : lead));
}

function exactPoolOf(market: ModelMarket): bigint {
  return poolCost({
    liquidityParameter: market.b,
    sharesYes: outstanding(market, 'YES'),
    sharesNo: outstanding(market, 'NO'),
  });
}

function payoutOf(shares: bigint, side: Side, outcome: Outcome): bigint {
  if (outcome === 'VOID') return shares / 2n;
  return side === outcome ? shares : 0n;
}

function movedHolding(
  held: Holding,
  bought: boolean,
  { shares, total, fee }: { shares: bigint; total: bigint; fee: bigint },
): Holding {
  const feesPaid = held.feesPaid + fee;
  if (bought) {
    return { ...held, shares: held.shares + shares, costBasis: held.costBasis + total, feesPaid };
  }
  const cost = (held.costBasis * shares) / held.shares;
  return {
    shares: held.shares - shares,
    costBasis: held.costBasis - cost,
    realizedPnl: held.realizedPnl + total - cost,
    feesPaid,
  };
}

function expectSized(
  { size }: Order,
  held: Holding,
  { shares, total }: { shares: bigint; total: bigint },
): void {
  if (size === 'all') same(shares, held.shares);
  else if ('shares' in size) same(shares, BigInt(size.shares));
  else {
    atMost(total, BigInt(size.amount));
    atLeast(total, BigInt(size.amount) - 2n);
  }
}

function expectWithinBounds(
  { maxPrice, minPrice, minShares, maxCost, minPayout }: Bounds,
  { shares, notional, total }: { shares: bigint; notional: bigint; total: bigint },
): void {
  const priced = notional * BigInt(MICRO);
  if (maxPrice !== undefined) atMost(priced, BigInt(maxPrice) * shares);
  if (minPrice !== undefined) atLeast(priced, BigInt(minPrice) * shares);
  if (minShares !== undefined) atLeast(shares, BigInt(minShares));
  if (maxCost !== undefined) atMost(total, BigInt(maxCost));
  if (minPayout !== undefined) atLeast(total, BigInt(minPayout));
}

function judgePosition(market: ModelMarket, { side, wallet }: Order, view: ExecutedTradeView): void {
  const held = holdingOf(market, side, wallet);
  same(view.position.side, side);
  same(usdToMicros(view.position.shares), held.shares);
  same(usdToMicros(view.position.costBasis), held.costBasis);
}
