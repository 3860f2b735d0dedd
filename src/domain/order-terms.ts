/** The bounds of an order (docs/specification.md "Trading"), as one table. */
import type { Side, TradeAction } from './types';

export interface BoundRule {
  /**
   * The action that the bound applies to. An order with the other action and this bound is refused, because the
   * bound would not protect the caller.
   */
  action: TradeAction;
  /**
   * `price`: a price of a share from 0 to 1 USD, in millionths. `amount`: micro-USD or micro-shares, at most
   * 10^9 USD or shares.
   */
  kind: 'price' | 'amount';
  /** The figure of the execution that the bound is compared with. */
  figure: 'price' | 'shares' | 'totalCost';
  /** `most`: the figure may not exceed the bound. `least`: the figure may not fall below the bound. */
  limit: 'most' | 'least';
  figureName: string;
  description: string;
}

/**
 * The checks and `orderText` follow the order of the rows, so add a new row at the end. A new row changes
 * `orderText`, whose hash identifies a repeated order. So an order that a caller repeats after an upgrade with a new
 * row gets IDEMPOTENCY_CONFLICT.
 */
export const ORDER_BOUNDS = {
  /** The highest average price per share of a buy, from 0 to 1, fee not counted. Else SLIPPAGE_EXCEEDED. */
  maxPrice: {
    action: 'buy',
    kind: 'price',
    figure: 'price',
    limit: 'most',
    figureName: 'average price per share',
    description: 'Buys: the highest average price per share (pricePerShare), fee not counted',
  },
  /** The lowest average price per share of a sale, from 0 to 1, fee not counted. Else SLIPPAGE_EXCEEDED. */
  minPrice: {
    action: 'sell',
    kind: 'price',
    figure: 'price',
    limit: 'least',
    figureName: 'average price per share',
    description: 'Sales: the lowest average price per share (pricePerShare), fee not counted',
  },
  /** The fewest shares that a buy may get. Else SLIPPAGE_EXCEEDED. */
  minShares: {
    action: 'buy',
    kind: 'amount',
    figure: 'shares',
    limit: 'least',
    figureName: 'number of shares',
    description: 'Buys: the fewest shares',
  },
  /** The most USD that a buy may cost, fee included. Else SLIPPAGE_EXCEEDED. */
  maxCost: {
    action: 'buy',
    kind: 'amount',
    figure: 'totalCost',
    limit: 'most',
    figureName: 'cost',
    description: 'Buys: the most USD, fee included',
  },
  /** The fewest USD that a sale may bring, fee deducted. Else SLIPPAGE_EXCEEDED. */
  minPayout: {
    action: 'sell',
    kind: 'amount',
    figure: 'totalCost',
    limit: 'least',
    figureName: 'payout',
    description: 'Sales: the fewest USD, fee deducted',
  },
} as const satisfies Record<string, BoundRule>;

export type BoundName = keyof typeof ORDER_BOUNDS;

/** Bounds by name. A bound that is absent does not limit the order. */
export type BoundValues<Value> = { -readonly [Name in keyof typeof ORDER_BOUNDS]?: Value };

/** The bounds that the caller has set, in millionths. */
export type TradeBounds = BoundValues<bigint>;

export const BOUND_NAMES = Object.keys(ORDER_BOUNDS) as readonly BoundName[];

export const BOUND_RULES = Object.entries(ORDER_BOUNDS) as readonly [BoundName, BoundRule][];

/**
 * What to trade: an amount of money (fee included, buys only), a number of shares, or the whole position
 * (sales only).
 */
export type TradeSize = { amount: bigint } | { shares: bigint } | 'all';

/** The terms of an order: everything except its wallet, its market and its idempotency key. */
export interface OrderTerms {
  side: Side;
  action: TradeAction;
  size: TradeSize;
  bounds: TradeBounds;
}

/** How `orderText` writes each term. The compiler reports a term that is missing here. */
const TERM_TEXTS: { readonly [Term in keyof OrderTerms]-?: (order: OrderTerms) => string } = {
  side: ({ side }) => side,
  action: ({ action }) => action,
  size: ({ size }) => {
    if (size === 'all') return 'all';
    return 'amount' in size ? `amount ${size.amount}` : `shares ${size.shares}`;
  },
  bounds: ({ bounds }) => BOUND_NAMES.map((name) => bounds[name] ?? '').join('|'),
};

const TEXTS_IN_ORDER = Object.values(TERM_TEXTS);

/** All terms of an order as text. Two orders have the same terms if and only if their texts are equal. */
export function orderText(order: OrderTerms): string {
  return TEXTS_IN_ORDER.map((textOf) => textOf(order)).join('|');
}
