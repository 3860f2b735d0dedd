import { amountOwed, decideResolution, payoutOf, paidPosition, sweep } from '../../src/domain/resolution';
import type { Position } from '../../src/domain/types';
import { marketOf, T0, wallet } from './support/arbitraries';

const DETAILS = { resolvedAt: T0 + 5, oracleConsensus: 0.9, method: 'operator', note: 'seen' } as const;
const A = wallet(1);
const position = (changes: Partial<Position> = {}): Position => ({
  marketId: 7,
  wallet: A,
  side: 'YES',
  shares: 11n,
  costBasis: 6n,
  realizedPnl: 2n,
  feesPaid: 1n,
  paidOut: false,
  updatedAt: T0,
  ...changes,
});
const traded = marketOf({
  sharesYes: 100n,
  sharesNo: 31n,
  pool: 80n,
  status: 'resolving',
  marketSeq: 4,
  leaseToken: 2,
});

describe('decideResolution', () => {
  it('takes what the pool lacks from the treasury', () => {
    expect(decideResolution(traded, 'YES', DETAILS)).toEqual({
      market: {
        ...traded,
        status: 'resolved',
        pool: 100n,
        resolution: { outcome: 'YES', ...DETAILS },
        lastFactAt: T0 + 5,
        dueAt: T0 + 5,
      },
      posting: {
        kind: 'resolution',
        reference: 'resolution:7',
        createdAt: T0 + 5,
        entries: [
          { account: 'treasury', amount: -20n },
          { account: 'market:7', amount: 20n },
        ],
      },
    });
  });

  it('gives what the pool has over to the treasury', () => {
    const { market, posting } = decideResolution(traded, 'NO', DETAILS);
    expect(market.pool).toBe(31n);
    expect(posting?.entries).toEqual([
      { account: 'treasury', amount: 49n },
      { account: 'market:7', amount: -49n },
    ]);
  });

  it('moves nothing when the pool is just right, and owes nothing without shares', () => {
    expect(decideResolution({ ...traded, pool: 31n }, 'NO', DETAILS).posting).toBeNull();
    const untouched = decideResolution(marketOf(), 'VOID', DETAILS);
    expect([untouched.posting, untouched.market.dueAt, untouched.market.pool]).toEqual([null, null, 0n]);
    const emptied = decideResolution(marketOf({ pool: 3n }), 'YES', DETAILS);
    expect([emptied.posting?.entries[0]?.amount, emptied.market.dueAt]).toEqual([3n, null]);
  });

  it('makes a market that has only losers due too, for payouts of 0', () => {
    const { market } = decideResolution(marketOf({ sharesNo: 5n, pool: 5n }), 'YES', DETAILS);
    expect([market.pool, market.dueAt]).toEqual([0n, T0 + 5]);
  });

  it('decides a market once', () => {
    const { market } = decideResolution(traded, 'YES', DETAILS);
    expect(() => decideResolution(market, 'YES', DETAILS)).toThrow(/resolved already/);
  });
});

describe('payouts', () => {
  it.each([
    ['YES', 'YES', 11n],
    ['YES', 'NO', 0n],
    ['NO', 'NO', 11n],
    ['NO', 'YES', 0n],
    ['YES', 'VOID', 5n],
    ['NO', 'VOID', 5n],
  ] as const)('give 11 shares of %s, at %s, %d', (side, outcome, payout) => {
    expect(payoutOf({ side, shares: 11n }, outcome)).toBe(payout);
  });

  it('empty the position, and book its gain', () => {
    const paid = paidPosition(position(), 'YES', T0 + 9);
    expect(paid).toEqual({
      payout: 11n,
      position: position({ shares: 0n, costBasis: 0n, realizedPnl: 7n, paidOut: true, updatedAt: T0 + 9 }),
      posting: {
        kind: 'settlement',
        reference: `settlement:7:${A}:YES`,
        createdAt: T0 + 9,
        entries: [
          { account: 'market:7', amount: -11n },
          { account: `wallet:${A}`, amount: 11n },
        ],
      },
      trade: {
        type: 'settlement',
        marketId: 7,
        wallet: A,
        side: 'YES',
        action: 'sell',
        shares: 11n,
        notional: 11n,
        fee: 0n,
        totalCost: 11n,
        realizedPnl: 5n,
        yesPriceAfter: 1_000_000,
        createdAt: T0 + 9,
      },
    });
  });

  it('of losers show in the history and move no money', () => {
    const paid = paidPosition(position(), 'NO', T0);
    expect([paid.posting, paid.payout, paid.trade.realizedPnl]).toEqual([null, 0n, -6n]);
    expect(paid.trade.yesPriceAfter).toBe(0);
    expect(paidPosition(position(), 'VOID', T0).trade.yesPriceAfter).toBe(500_000);
  });

  it('come to amountOwed at most', () => {
    expect([amountOwed(traded, 'YES'), amountOwed(traded, 'NO'), amountOwed(traded, 'VOID')]).toEqual([
      100n,
      31n,
      65n,
    ]);
  });
});

describe('sweep', () => {
  it('sends the remainder to the treasury and ends the work on the market', () => {
    const { market } = decideResolution(traded, 'VOID', DETAILS);
    const swept = sweep({ ...market, pool: 2n }, T0 + 9);
    expect([swept.market.pool, swept.market.dueAt]).toEqual([0n, null]);
    expect(swept.posting).toEqual({
      kind: 'resolution',
      reference: 'resolution:7:remainder',
      createdAt: T0 + 9,
      entries: [
        { account: 'market:7', amount: -2n },
        { account: 'treasury', amount: 2n },
      ],
    });
    expect(sweep({ ...market, pool: 0n }, T0).posting).toBeNull();
  });
});
