import fc from 'fast-check';
import { lmsr } from '../../src/domain/lmsr';
import type { TradeCommand, TradeSize } from '../../src/domain/trade';
import type { Outcome } from '../../src/domain/types';
import { CREATOR, liquidity, side, T0, wallet } from './support/arbitraries';
import { fixed, floorOf, poolCost } from './support/exact';
import { House } from './support/house';

const WALLETS = 4;
const DEPOSIT = 10n ** 14n;

interface Step {
  trader: number;
  side: 'YES' | 'NO';
  kind: 'amount' | 'shares' | 'sell' | 'all';
  /**
   * For a purchase, millionths of b. For a sale, the part of the position to sell: 3,000,000 means the whole
   * position.
   */
  size: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  trader: fc.integer({ min: 0, max: WALLETS - 1 }),
  side,
  kind: fc.constantFrom('amount', 'amount', 'shares', 'sell', 'sell', 'all'),
  size: fc.oneof(fc.integer({ min: 1, max: 3_000_000 }), fc.integer({ min: 1, max: 30_000 })),
});
const steps = fc.array(step, { minLength: 1, maxLength: 60, size: 'max' });
const outcome = fc.constantFrom<Outcome>('YES', 'NO', 'VOID');

function commandOf(house: House, one: Step): TradeCommand {
  const common = { bounds: {}, now: T0 };
  const ofB = (house.market.liquidityParameter * BigInt(one.size)) / 1_000_000n + 1n;
  if (one.kind === 'amount' || one.kind === 'shares') {
    const size: TradeSize = one.kind === 'amount' ? { amount: ofB } : { shares: ofB };
    return { ...common, wallet: wallet(one.trader), side: one.side, action: 'buy', size };
  }
  // A sale takes one of the open positions, because a random wallet often has no position.
  const open = [...house.positions.values()].filter((position) => position.shares > 0n);
  const seller = open[one.size % Math.max(1, open.length)];
  const shares = ((seller?.shares ?? 0n) * BigInt(one.size)) / 3_000_000n + 1n;
  const size: TradeSize = one.kind === 'all' ? 'all' : { shares };
  return {
    ...common,
    wallet: seller?.wallet ?? wallet(one.trader),
    side: seller?.side ?? one.side,
    action: 'sell',
    size,
  };
}

function traded(
  b: bigint,
  plan: readonly Step[],
  afterEach: (house: House) => void = () => undefined,
): House {
  const house = new House(b, WALLETS, DEPOSIT);
  for (const one of plan) {
    const decision = house.place(commandOf(house, one));
    if (decision.accepted) afterEach(house);
  }
  return house;
}

function total(values: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const value of values) sum += value;
  return sum;
}

describe('random trading', () => {
  it('keeps the pool at the cost function, rounded in its favour by two base units a trade at most', () => {
    fc.assert(
      fc.property(liquidity, steps, (b, plan) => {
        traded(b, plan, ({ market, trades }) => {
          const exact = poolCost(market);
          expect(fixed(market.pool) >= exact).toBe(true);
          expect(market.pool - floorOf(exact) <= 2n * BigInt(trades.length)).toBe(true);
        });
      }),
    );
  });

  it('never risks more than b ln 2', () => {
    fc.assert(
      fc.property(liquidity, steps, (b, plan) => {
        traded(b, plan, ({ market }) => {
          const largest = market.sharesYes > market.sharesNo ? market.sharesYes : market.sharesNo;
          expect(largest - market.pool <= lmsr.worstLoss(b)).toBe(true);
        });
      }),
    );
  });

  it('keeps every book: money, shares, costs, volume, counters and prices', () => {
    fc.assert(
      fc.property(liquidity, steps, (b, plan) => {
        const house = traded(b, plan, ({ balances, market, trades }) => {
          expect(total(balances.values())).toBe(0n);
          for (const [account, balance] of balances) {
            expect(account === 'external' || balance >= 0n).toBe(true);
          }
          const last = trades.at(-1)?.trade;
          expect(last?.action === 'sell' || lmsr.yesPrice(market) <= 0.99 || last?.side === 'NO').toBe(true);
          expect(last?.action === 'sell' || lmsr.yesPrice(market) >= 0.01 || last?.side === 'YES').toBe(true);
        });
        const { market, trades } = house;
        const positions = [...house.positions.values()];
        const sharesOf = (one: 'YES' | 'NO'): bigint =>
          total(positions.filter((position) => position.side === one).map((position) => position.shares));
        expect([sharesOf('YES'), sharesOf('NO')]).toEqual([market.sharesYes, market.sharesNo]);
        expect(house.balance('market:7')).toBe(market.pool);
        expect(house.balance(`wallet:${CREATOR}`)).toBe(total(trades.map((one) => one.trade.fee)));
        expect(market.volume).toBe(total(trades.map((one) => one.trade.notional)));
        expect(market.creatorFees).toBe(total(trades.map((one) => one.trade.fee)));
        expect(market.tradeCount).toBe(trades.length);
        const open = trades.reduce((sum, one) => sum + one.openPositions, 0);
        expect(open).toBe(positions.filter((position) => position.shares > 0n).length);
        const ever = trades.reduce((sum, one) => sum + one.totalPositions, 0);
        expect(ever).toBe(positions.length);
        for (const position of positions)
          expect(position.shares > 0n || position.costBasis === 0n).toBe(true);
      }),
    );
  });

  it('pays exactly at every outcome, at a loss of b ln 2 at most and without any for VOID', () => {
    fc.assert(
      fc.property(liquidity, steps, outcome, (b, plan, decided) => {
        const house = traded(b, plan);
        const treasury = house.settle(decided);
        expect(-treasury <= lmsr.worstLoss(b)).toBe(true);
        if (decided === 'VOID') expect(treasury >= 0n).toBe(true);
        expect([house.market.pool, house.balance('market:7')]).toEqual([0n, 0n]);
        expect(total(house.balances.values())).toBe(0n);
        for (const position of house.positions.values()) {
          expect([position.shares, position.costBasis]).toEqual([0n, 0n]);
        }
        const gains = total(
          Array.from({ length: WALLETS }, (_, index) => house.balance(`wallet:${wallet(index)}`) - DEPOSIT),
        );
        expect(gains).toBe(total([...house.positions.values()].map((position) => position.realizedPnl)));
      }),
      { numRuns: 300 },
    );
  });

  it('ends without a gain for a wallet that trades alone and sells everything again', () => {
    fc.assert(
      fc.property(liquidity, steps, (b, plan) => {
        const house = traded(
          b,
          plan.map((one) => ({ ...one, trader: 0 })),
        );
        for (const traded of ['YES', 'NO'] as const) {
          house.place({ wallet: wallet(0), side: traded, action: 'sell', size: 'all', bounds: {}, now: T0 });
        }
        const profit = house.balance(`wallet:${wallet(0)}`) - DEPOSIT;
        expect(profit <= -BigInt(house.trades.length)).toBe(true);
        expect([house.market.sharesYes, house.market.sharesNo]).toEqual([0n, 0n]);
      }),
    );
  });
});
