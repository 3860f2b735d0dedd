/** The same seed and number of operations make the same plan. */
import fc from 'fast-check';
import type { Outcome, Side } from '../../../src/domain/types';

export const WALLETS = 10;
/** The first wallets are approved creators, and trade as well. */
export const CREATORS = 3;
const CATEGORIES = ['crypto', 'sports', 'other'] as const;
const REFERENCES = 400;

/** In millionths. */
export type Size = { amount: number } | { shares: number } | 'all';
export interface Bounds {
  maxPrice?: number;
  minPrice?: number;
  minShares?: number;
  maxCost?: number;
  minPayout?: number;
}

/** `heldAnd`, `balanceAnd`: the shares or the balance of the wallet, plus these millionths. */
export type PlannedSize = Size | { heldAnd: number } | { balanceAnd: number };
/** With `tight` the order has one bound: the figure that the order is estimated to get, plus `off` millionths. */
export type PlannedBounds = Bounds | { tight: keyof Bounds; off: number };

export interface MarketPick {
  pick: number;
  among: 'newest' | 'all';
}

export interface TradeOperation {
  kind: 'trade';
  wallet: number;
  market: MarketPick;
  name: 'id' | 'ticker' | 'slug';
  side: Side;
  action: 'buy' | 'sell';
  size: PlannedSize;
  bounds: PlannedBounds;
  /** `null`: the order has no idempotency key. */
  key: number | null;
}

export type Operation =
  | TradeOperation
  | { kind: 'repeat'; ago: number; changed: boolean }
  | { kind: 'createMarket'; creator: number; category: (typeof CATEGORIES)[number]; hours: number }
  /**
   * The reference decides amount and wallet. With `changed` the wallet differs, so the deposit contradicts the
   * reference.
   */
  | { kind: 'deposit'; reference: number; changed: boolean }
  | { kind: 'close'; market: MarketPick }
  | { kind: 'resolve'; market: MarketPick; outcome: Outcome }
  | { kind: 'advance'; minutes: number }
  | { kind: 'garbage'; wallet: number; market: MarketPick; which: number };

export interface Plan {
  /** In USD. */
  liquidityParameter: number;
  waves: Operation[][];
}

const millionths = fc.oneof(
  fc.integer({ min: 1, max: 25_000 }),
  fc.integer({ min: 10_000, max: 5_000_000 }),
  fc.integer({ min: 1_000_000, max: 90_000_000 }),
);

const few = fc.constantFrom(-1_500, -3, -1, 0, 1, 3, 1_500);

const sizeOf = (action: 'buy' | 'sell'): fc.Arbitrary<PlannedSize> =>
  action === 'buy'
    ? fc.oneof(
        { weight: 4, arbitrary: millionths.map((amount) => ({ amount })) },
        { weight: 4, arbitrary: millionths.map((shares) => ({ shares })) },
        { weight: 1, arbitrary: few.map((balanceAnd) => ({ balanceAnd })) },
      )
    : fc.oneof(
        { weight: 3, arbitrary: millionths.map((shares) => ({ shares })) },
        { weight: 2, arbitrary: fc.constant('all' as const) },
        { weight: 1, arbitrary: few.map((heldAnd) => ({ heldAnd })) },
      );

const price = fc.integer({ min: 0, max: 1_000_000 });

function boundsOf(action: 'buy' | 'sell'): fc.Arbitrary<PlannedBounds> {
  const names =
    action === 'buy' ? (['maxPrice', 'minShares', 'maxCost'] as const) : (['minPrice', 'minPayout'] as const);
  const name = fc.constantFrom(...names);
  const tight = fc.record({ tight: name, off: few });
  const any = name.chain((bound) =>
    (bound.endsWith('Price') ? price : millionths).map((value) => ({ [bound]: value })),
  );
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: any },
    { weight: 1, arbitrary: tight },
  );
}

const marketPick: fc.Arbitrary<MarketPick> = fc.record({
  pick: fc.nat(1_000),
  among: fc.constantFrom('newest' as const, 'newest' as const, 'newest' as const, 'all' as const),
});

const trade: fc.Arbitrary<TradeOperation> = fc
  .constantFrom('buy' as const, 'buy' as const, 'sell' as const)
  .chain((action) =>
    fc.record({
      kind: fc.constant('trade' as const),
      wallet: fc.nat(WALLETS - 1),
      market: marketPick,
      name: fc.constantFrom('id' as const, 'id' as const, 'ticker' as const, 'slug' as const),
      side: fc.constantFrom('YES' as const, 'NO' as const),
      action: fc.constant(action),
      size: sizeOf(action),
      bounds: boundsOf(action),
      key: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(500) }),
    }),
  );

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 1_000, arbitrary: trade },
  {
    weight: 60,
    arbitrary: fc.record({
      kind: fc.constant('repeat' as const),
      ago: fc.nat(80),
      changed: fc.boolean(),
    }),
  },
  {
    weight: 50,
    arbitrary: fc.record({
      kind: fc.constant('deposit' as const),
      reference: fc.nat(REFERENCES - 1),
      changed: fc.nat(4).map((roll) => roll === 0),
    }),
  },
  {
    weight: 40,
    arbitrary: fc.record({
      kind: fc.constant('garbage' as const),
      wallet: fc.nat(WALLETS - 1),
      market: marketPick,
      which: fc.nat(1_000),
    }),
  },
  {
    weight: 18,
    arbitrary: fc.record({
      kind: fc.constant('createMarket' as const),
      // Only the wallets before CREATORS are creators: a market of wallet CREATORS is refused.
      creator: fc.nat(CREATORS),
      category: fc.constantFrom(...CATEGORIES),
      hours: fc.integer({ min: 1, max: 100 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('resolve' as const),
      market: marketPick,
      outcome: fc.constantFrom('YES' as const, 'NO' as const, 'VOID' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('close' as const), market: marketPick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      minutes: fc.integer({ min: 1, max: 600 }),
    }),
  },
);

/** Most waves have a single operation, because operations that race cannot be compared as strictly. */
const waveSize = fc.oneof(
  { weight: 20, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.integer({ min: 2, max: 20 }) },
  { weight: 3, arbitrary: fc.integer({ min: 40, max: 160 }) },
);

export function planOf(seed: number, operations: number): Plan {
  const drawn = fc.sample(operation, { seed, numRuns: operations });
  const sizes = fc.sample(waveSize, { seed, numRuns: operations });
  const [liquidityParameter = 100] = fc.sample(fc.constantFrom(20, 100, 1_000), { seed, numRuns: 1 });
  const waves: Operation[][] = [];
  for (const size of sizes) {
    if (drawn.length === 0) break;
    waves.push(drawn.splice(0, size));
  }
  return { liquidityParameter, waves };
}
