import fc from 'fast-check';
import { lmsr } from '../../src/domain/lmsr';
import type { PricingRule } from '../../src/domain/pricing';
import { decideTrade, pricePerShare, quoteTrade } from '../../src/domain/trade';
import type { Market } from '../../src/domain/types';
import { boundedState, CREATOR, marketOf, quantity, side, T0 } from './support/arbitraries';
import { withShares } from './support/exact';
import {
  accepted,
  command,
  held,
  position,
  refusal,
  RULES,
  sale,
  state,
  TRADER,
  USD,
} from './support/trades';

describe('a purchase by amount', () => {
  const result = accepted(decideTrade(state(), command(), RULES));

  it('spends the amount, fee included', () => {
    expect(result.trade).toEqual({
      type: 'trade',
      marketId: 7,
      wallet: TRADER,
      side: 'YES',
      action: 'buy',
      shares: 18_999_406n,
      notional: 9_950_248n,
      fee: 49_752n,
      totalCost: 10n * USD,
      realizedPnl: 0n,
      yesPriceAfter: 547_356,
      createdAt: T0 + 1_000,
    });
  });

  it('moves the notional into the pool and the fee to the creator', () => {
    expect(result.posting).toEqual({
      kind: 'trade',
      createdAt: T0 + 1_000,
      entries: [
        { account: `wallet:${TRADER}`, amount: -10n * USD },
        { account: 'market:7', amount: 9_950_248n },
        { account: `wallet:${CREATOR}`, amount: 49_752n },
      ],
    });
  });

  it('leaves the market with its new state and the number of its events as it was', () => {
    expect(result.market).toEqual({
      ...marketOf(),
      lastFactAt: result.trade.createdAt,
      sharesYes: 18_999_406n,
      pool: 9_950_248n,
      volume: 9_950_248n,
      creatorFees: result.trade.fee,
      tradeCount: 1,
    });
    expect(result.yesPriceBefore).toBe(500_000);
  });

  it('gets no time before the newest fact of the market, by a clock that is behind', () => {
    const ahead = { ...marketOf(), lastFactAt: T0 + 1_400 };
    const later = accepted(decideTrade({ ...state(), market: ahead }, command(), RULES));
    expect([later.trade.createdAt, later.position.updatedAt, later.market.lastFactAt]).toEqual(
      Array.from({ length: 3 }, () => T0 + 1_400),
    );
  });

  it('opens a position at cost, fee included', () => {
    expect(result.position).toEqual(
      position({ shares: 18_999_406n, costBasis: 10n * USD, feesPaid: 49_752n, updatedAt: T0 + 1_000 }),
    );
    expect([result.openPositions, result.totalPositions]).toEqual([1, 1]);
  });

  it('costs the amount or one base unit less, on any market', () => {
    const amount = fc.bigInt({ min: 11_000n, max: 10n ** 13n });
    fc.assert(
      fc.property(boundedState, side, amount, (book, traded, budget) => {
        const market = marketOf({ ...book, pool: 0n });
        const decision = decideTrade(
          state({ market, available: budget }),
          command({ side: traded, size: { amount: budget } }),
          RULES,
        );
        if (!decision.accepted) {
          expect(decision.error.code).toBe('PRICE_LIMIT');
          return;
        }
        const { totalCost, notional, fee } = decision.trade;
        expect(totalCost).toBe(notional + fee);
        expect(totalCost <= budget && totalCost >= budget - 1n).toBe(true);
        expect(lmsr.withinBounds(decision.market)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a purchase by shares', () => {
  it('costs what the rule says, and the fee', () => {
    const { trade } = accepted(decideTrade(state(), command({ size: { shares: 20n * USD } }), RULES));
    expect(trade.shares).toBe(20n * USD);
    expect(trade.notional).toBe(lmsr.buyCost(marketOf(), 'YES', 20n * USD));
    expect(trade.totalCost - trade.notional).toBe(trade.fee);
  });

  it('adds to a position, and counts one that was emptied as opened again, not as new', () => {
    const first = accepted(decideTrade(held(), command({ size: { shares: USD } }), RULES));
    expect(first.position.shares).toBe(21n * USD);
    expect(first.position.costBasis).toBe(11n * USD + first.trade.totalCost);
    expect([first.openPositions, first.totalPositions]).toEqual([0, 0]);
    const emptied = held({ shares: 0n, costBasis: 0n, realizedPnl: -5n });
    const again = accepted(decideTrade(emptied, command(), RULES));
    expect([again.openPositions, again.totalPositions]).toEqual([1, 0]);
    expect(again.position.realizedPnl).toBe(-5n);
  });
});

describe('a sale', () => {
  it('pays the notional less the fee, and realizes against the average cost', () => {
    const result = accepted(decideTrade(held(), sale(), RULES));
    const { notional, fee, totalCost, realizedPnl } = result.trade;
    expect(notional).toBe(lmsr.sellProceeds(held().market, 'YES', 5n * USD));
    expect(totalCost).toBe(notional - fee);
    expect(realizedPnl).toBe(totalCost - 2_750_000n);
    expect(result.position).toEqual(
      position({
        shares: 15n * USD,
        costBasis: 8_250_000n,
        realizedPnl,
        feesPaid: 50_000n + fee,
        updatedAt: T0 + 1_000,
      }),
    );
    expect(result.market.pool).toBe(30n * USD - notional);
    expect(result.market.volume).toBe(notional);
    expect(result.posting.entries).toEqual([
      { account: `wallet:${TRADER}`, amount: totalCost },
      { account: 'market:7', amount: -notional },
      { account: `wallet:${CREATOR}`, amount: fee },
    ]);
    expect([result.openPositions, result.totalPositions]).toEqual([0, 0]);
  });

  it('of everything leaves no cost behind, after any earlier rounding', () => {
    const result = accepted(decideTrade(held({ costBasis: 10_999_999n }), sale({ size: 'all' }), RULES));
    expect([result.position.shares, result.position.costBasis]).toEqual([0n, 0n]);
    expect([result.openPositions, result.totalPositions]).toEqual([-1, 0]);
  });

  it('of a whole position may be worth next to nothing, without a fee and its entry', () => {
    for (const size of ['all', { shares: 1n }] as const) {
      const result = accepted(decideTrade(held({}, 1n), sale({ size }), RULES));
      expect([result.trade.notional, result.trade.fee, result.trade.totalCost]).toEqual([0n, 0n, 0n]);
      expect(result.posting.entries).toHaveLength(2);
    }
  });

  it('is possible beyond the price bounds', () => {
    const market = marketOf({ sharesYes: 600n * USD, sharesNo: 1_200n * USD, pool: 1_200n * USD });
    const seller = state({ market, position: position({ shares: 600n * USD }) });
    const result = accepted(decideTrade(seller, sale({ size: 'all' }), RULES));
    expect(result.trade.yesPriceAfter).toBe(6);
    const recovering = state({ market: result.market });
    expect(
      accepted(decideTrade(recovering, command({ size: { amount: USD } }), RULES)).trade.yesPriceAfter,
    ).toBe(9_907);
    expect(refusal(decideTrade(recovering, command({ side: 'NO' }), RULES))).toBe('PRICE_LIMIT');
  });
});

describe('pricing rules that break their promise', () => {
  const broken = (changes: Partial<PricingRule>) => ({ ...RULES, pricing: { ...lmsr, ...changes } });

  it('are stopped before they change a market', () => {
    expect(() => decideTrade(state(), command(), broken({ buyCost: () => 10n ** 12n }))).toThrow(
      /0\.\.1 USD/,
    );
    expect(() => decideTrade(held(), sale(), broken({ sellProceeds: () => -1n }))).toThrow(/0\.\.1 USD/);
    const poor = { ...held(), market: marketOf({ sharesYes: 20n * USD, pool: 1n }) };
    expect(() => decideTrade(poor, sale(), RULES)).toThrow(/overdraws/);
  });
});

describe('pricePerShare', () => {
  it('is rounded to the nearest millionth and stays within 0 and 1', () => {
    expect(pricePerShare({ notional: 1n, shares: 3n })).toBe(333_333);
    expect(pricePerShare({ notional: 2n, shares: 3n })).toBe(666_667);
    expect(pricePerShare({ notional: 0n, shares: 0n })).toBe(0);
    expect(pricePerShare({ notional: 5n, shares: 5n })).toBe(1_000_000);
  });
});

describe('quoteTrade', () => {
  const quoted = (market: Market, changes: Partial<Parameters<typeof quoteTrade>[1]> = {}) => {
    const result = quoteTrade(
      market,
      { side: 'YES', action: 'buy', size: { amount: 10n * USD }, now: T0, ...changes },
      RULES,
    );
    if (!result.accepted) throw result.error;
    return result.quote;
  };

  it('shows what the trade then does', () => {
    const quote = quoted(marketOf());
    const { trade } = accepted(decideTrade(state(), command(), RULES));
    expect(quote).toEqual({
      side: 'YES',
      action: 'buy',
      shares: trade.shares,
      notional: trade.notional,
      fee: trade.fee,
      totalCost: trade.totalCost,
      pricesBefore: { yes: 500_000, no: 500_000 },
      pricesAfter: { yes: 547_356, no: 452_644 },
    });
  });

  it('answers for a sale of any size, also beyond what is outstanding', () => {
    fc.assert(
      fc.property(boundedState, side, quantity, (book, traded, shares) => {
        const quote = quoted(marketOf(book), { side: traded, action: 'sell', size: { shares } });
        expect(quote.notional).toBe(lmsr.sellProceeds(book, traded, shares));
        expect(quote.totalCost >= 0n).toBe(true);
        const after = lmsr.yesPrice(withShares(book, traded, -shares));
        expect(quote.pricesAfter.yes).toBe(Math.round(after * 1e6));
      }),
    );
  });

  it('refuses a trade that could not be made', () => {
    const ask = (changes: Partial<Parameters<typeof quoteTrade>[1]>, market = marketOf()) =>
      refusal(
        quoteTrade(market, { side: 'NO', action: 'buy', size: { amount: USD }, now: T0, ...changes }, RULES),
      );
    expect(ask({})).toBe('accepted');
    expect(ask({ now: marketOf().resolveDate })).toBe('MARKET_CLOSED');
    expect(ask({ size: { shares: 10n ** 15n } })).toBe('PRICE_LIMIT');
    expect(ask({ size: { shares: 1n } })).toBe('VALIDATION_ERROR');
    expect(ask({ action: 'sell' })).toBe('VALIDATION_ERROR');
    expect(ask({ action: 'sell', size: { shares: 1n } })).toBe('accepted');
  });
});
