import { holdingOf, outstanding, priceOf, SMALLEST_NOTIONAL, type Model, type Order } from './model';
import type { Bounds } from './operations';

/** The error of the estimate plus the market's rounding, in millionths. */
const SLACK = 4;
const LN_99 = Math.log(99);

type Unbounded = Omit<Order, 'bounds' | 'key'>;

interface Estimate {
  shares: number;
  notional: number;
  total: number;
  /** In micro-shares: how far this side leads after the order. */
  lead: number;
}

function estimate(order: Unbounded): Estimate {
  const { market, side, action } = order;
  const b = Number(market.b);
  const price = priceOf(market, side);
  const shares = sharesOf(order, b, price);
  const signed = action === 'buy' ? shares : -shares;
  const notional = Math.abs(b * Math.log1p(price * Math.expm1(signed / b)));
  const other = side === 'YES' ? 'NO' : 'YES';
  return {
    shares,
    notional,
    total: notional * (action === 'buy' ? 1.005 : 0.995),
    lead: Number(outstanding(market, side) - outstanding(market, other)) + signed,
  };
}

function sharesOf({ market, side, wallet, size }: Unbounded, b: number, price: number): number {
  if (size === 'all') return Number(holdingOf(market, side, wallet).shares);
  if ('shares' in size) return size.shares;
  return b * Math.log1p(Math.expm1(size.amount / 1.005 / b) / price);
}

export function tightBounds(order: Unbounded, name: keyof Bounds, off: number): Bounds {
  const { shares, notional, total } = estimate(order);
  const price = shares > 0 ? (notional / shares) * 1_000_000 : 0;
  const exact = { maxPrice: price, minPrice: price, minShares: shares, maxCost: total, minPayout: total }[
    name
  ];
  const highest = name.endsWith('Price') ? 1_000_000 : Number.MAX_SAFE_INTEGER;
  return { [name]: Math.min(highest, Math.max(0, Math.round(exact) + off)) };
}

export function deservedRefusals(model: Model, order: Order): string[] {
  const { market, side, wallet, action } = order;
  if (!model.isTrading(market)) return ['MARKET_CLOSED'];
  const held = Number(holdingOf(market, side, wallet).shares);
  const { shares, notional, total, lead } = estimate(order);
  const whole = action === 'sell' && shares === held;
  const deserved: string[] = [];
  if (!whole && notional < Number(SMALLEST_NOTIONAL) + SLACK) deserved.push('VALIDATION_ERROR');
  if (action === 'sell' && (held === 0 || shares > held)) deserved.push('INSUFFICIENT_SHARES');
  if (action === 'buy' && total + SLACK > Number(model.balance(wallet)))
    deserved.push('INSUFFICIENT_BALANCE');
  if (action === 'buy' && lead + SLACK > Number(market.b) * LN_99) deserved.push('PRICE_LIMIT');
  if (slips(order, { shares, notional, total, lead })) deserved.push('SLIPPAGE_EXCEEDED');
  return deserved;
}

function slips({ bounds }: Order, { shares, notional, total }: Estimate): boolean {
  const { maxPrice, minPrice, minShares, maxCost, minPayout } = bounds;
  const inMillionths = (priced: number): number => (priced / shares) * 1_000_000;
  return (
    (maxPrice !== undefined && inMillionths(notional + SLACK) > maxPrice) ||
    (minPrice !== undefined && inMillionths(notional - SLACK) < minPrice) ||
    (minShares !== undefined && shares - SLACK < minShares) ||
    (maxCost !== undefined && total + SLACK > maxCost) ||
    (minPayout !== undefined && total - SLACK < minPayout)
  );
}
