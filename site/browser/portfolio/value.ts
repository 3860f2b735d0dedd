/** The value of an account over time, from its movements and from what it has now. Pure. */
import type { Position } from '../../../src/client/api.generated';
import type { Movement } from './statement';

export interface ValuePoint {
  /** Milliseconds since 1970. */
  time: number;
  /** Balance and positions together, in USD. */
  value: number;
}

export interface Present {
  now: number;
  /** The balance, including the amount that is reserved for withdrawals. */
  balance: number;
  /** What the wallet would get for its positions now. */
  positionsValue: number;
  positions: readonly Pick<Position, 'marketId' | 'side' | 'shares' | 'currentPrice'>[];
}

interface Holding {
  shares: number;
  price: number;
}

/**
 * A point after each dated movement, oldest first, and a last point for the present. Shares are valued at the price of
 * the wallet's last trade of them. Money that no dated movement explains, such as creator fees, counts from the first
 * point on.
 */
export function valueOverTime(movements: readonly Movement[], present: Present): ValuePoint[] {
  const dated = movements.filter(({ time }) => time !== '');
  const holdings = holdingsBefore(dated, present);
  let cash = present.balance - dated.reduce((sum, { micros }) => sum + micros, 0) / 1e6;
  const points = dated.map((movement): ValuePoint => {
    cash += movement.micros / 1e6;
    const holding = holdings.get(nameOf(movement));
    if (holding !== undefined) {
      holding.shares += sharesAdded(movement);
      holding.price = movement.price ?? holding.price;
    }
    return { time: Date.parse(movement.time), value: cents(cash + worthOf(holdings)) };
  });
  const value = cents(present.balance + present.positionsValue);
  const passed = points.filter(({ time }) => time < present.now);
  return [...passed, { time: present.now, value }];
}

/** What the wallet held before the first of the movements, by market and side. */
function holdingsBefore(dated: readonly Movement[], { positions }: Present): Map<string, Holding> {
  const holdings = new Map<string, Holding>();
  for (const { marketId, side, shares, currentPrice } of positions)
    holdings.set(nameOf({ marketId, side }), { shares, price: currentPrice });
  for (const movement of [...dated].reverse()) {
    if (movement.marketId === null) continue;
    const name = nameOf(movement);
    const after = holdings.get(name) ?? { shares: 0, price: 0 };
    const price = movement.price ?? after.price;
    holdings.set(name, { shares: after.shares - sharesAdded(movement), price });
  }
  return holdings;
}

const nameOf = ({ marketId, side }: Pick<Movement, 'marketId' | 'side'>): string => `${marketId} ${side}`;

function sharesAdded({ kind, shares }: Movement): number {
  return kind === 'buy' ? (shares ?? 0) : -(shares ?? 0);
}

function worthOf(holdings: ReadonlyMap<string, Holding>): number {
  return [...holdings.values()].reduce((sum, { shares, price }) => sum + Math.max(0, shares) * price, 0);
}

const cents = (usd: number): number => Math.round(usd * 100) / 100;

export function knownPoints(points: readonly ValuePoint[], knownFrom: number): ValuePoint[] {
  return points.filter(({ time }) => time >= knownFrom);
}

/** At most `most` points: the first, the last, and others at about equal distances. */
export function thinned<Each>(points: readonly Each[], most: number): Each[] {
  if (points.length <= most) return [...points];
  const step = (points.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => points[Math.round(index * step)] as Each);
}
