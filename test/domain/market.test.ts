import fc from 'fast-check';
import { lmsr } from '../../src/domain/lmsr';
import {
  closedMarket,
  displayLiquidity,
  displayPrices,
  effectiveStatus,
  isTrading,
  openMarket,
  parseMarketReference,
  tickerId,
} from '../../src/domain/market';
import type { Outcome } from '../../src/domain/types';
import { anyState, CREATOR, marketOf, T0 } from './support/arbitraries';

const resolved = (outcome: Outcome) =>
  marketOf({
    status: 'resolved',
    pool: 5n,
    resolution: { outcome, resolvedAt: T0, oracleConsensus: 1, method: 'operator', note: null },
  });

describe('a market', () => {
  it('is open, empty and due at its resolve date when it is new', () => {
    const given = {
      id: 3,
      slug: 's',
      question: 'q',
      description: 'd',
      resolutionCriteria: 'r',
      category: 'crypto',
      creator: CREATOR,
      createdAt: T0,
      resolveDate: T0 + 5,
      liquidityParameter: 9n,
    };
    expect(openMarket(given)).toEqual({
      ...given,
      status: 'open',
      sharesYes: 0n,
      sharesNo: 0n,
      pool: 0n,
      volume: 0n,
      creatorFees: 0n,
      tradeCount: 0,
      marketSeq: 0,
      lastFactAt: T0,
      resolution: null,
      dueAt: T0 + 5,
      awaitsOracle: false,
      leaseToken: 0,
      oracleAttempts: 0,
    });
  });

  it('ends its trading by the clock', () => {
    const market = marketOf();
    const last = market.resolveDate - 1;
    expect([isTrading(market, last), isTrading(market, last + 1)]).toEqual([true, false]);
    expect([effectiveStatus(market, last), effectiveStatus(market, last + 1)]).toEqual(['open', 'resolving']);
  });

  it('is due for the oracle at once when it is closed, and closing it again changes nothing', () => {
    const closed = closedMarket(marketOf(), T0 + 9);
    const after = { status: 'resolving', dueAt: T0 + 9, awaitsOracle: true, lastFactAt: T0 + 9 } as const;
    expect(closed).toEqual(marketOf(after));
    expect(closedMarket(marketOf({ lastFactAt: T0 + 11 }), T0 + 9).lastFactAt).toBe(T0 + 11);
    expect(closedMarket(closed, T0 + 10)).toBe(closed);
    expect(closedMarket(resolved('YES'), T0 + 10)).toEqual(resolved('YES'));
    expect(isTrading(closed, T0)).toBe(false);
    expect(effectiveStatus(closed, T0)).toBe('resolving');
    expect(effectiveStatus(resolved('NO'), T0 + 365 * 86_400_000)).toBe('resolved');
  });
});

describe('a market as shown', () => {
  it('has prices that sum to one, in any state', () => {
    fc.assert(
      fc.property(anyState, (book) => {
        const { yes, no } = displayPrices(marketOf(book), lmsr);
        expect(yes + no).toBe(1_000_000);
        expect(yes >= 0 && no >= 0 && Number.isInteger(yes)).toBe(true);
      }),
    );
  });

  it.each([
    ['YES', 1_000_000, 0],
    ['NO', 0, 1_000_000],
    ['VOID', 500_000, 500_000],
  ] as const)('that is resolved %s has the prices %d and %d', (outcome, yes, no) => {
    expect(displayPrices(resolved(outcome), lmsr)).toEqual({ yes, no });
  });

  it('has its pool as liquidity, and 0 once it is resolved', () => {
    expect(displayLiquidity(marketOf({ pool: 5n }))).toBe(5n);
    expect(displayLiquidity(marketOf({ pool: 5n, status: 'resolving' }))).toBe(5n);
    expect(displayLiquidity(resolved('YES'))).toBe(0n);
  });
});

describe('references', () => {
  it.each([
    ['1', 1],
    ['42', 42],
    ['9007199254740991', 9007199254740991],
    ['PM-0001', 1],
    ['pm-0042', 42],
    ['Pm-9999', 9999],
    ['PM-10000', 10000],
  ])('%s is an id', (text, id) => {
    expect(parseMarketReference(text)).toEqual({ kind: 'id', id });
  });

  it.each(['will-it-rain', 'market-2027', 'pm-1', 'pm-00001', 'pm-001', 'pm-', 'pm', '1-2'])(
    '%s is a slug',
    (slug) => {
      expect(parseMarketReference(slug)).toEqual({ kind: 'slug', slug });
    },
  );

  it.each([
    '',
    '0',
    '007',
    'PM-0000',
    '9007199254740992',
    'pm-99999999999999999999',
    '-1x!',
    'Ä',
    'a b',
    '\u0000',
    '1e3!',
    '\ud800',
    'UPPER',
    '１',
  ])('%j names nothing', (text) => {
    expect(parseMarketReference(text)).toBeNull();
  });

  it('find every id by its digits and by its ticker', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => {
        expect(parseMarketReference(String(id))).toEqual({ kind: 'id', id });
        expect(parseMarketReference(tickerId(id))).toEqual({ kind: 'id', id });
      }),
    );
  });

  it('by ticker have four digits at least', () => {
    expect([tickerId(1), tickerId(12345)]).toEqual(['PM-0001', 'PM-12345']);
  });
});
