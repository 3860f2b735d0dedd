import fc from 'fast-check';
import { decideTrade, type TradeCommand, type TradeState } from '../../src/domain/trade';
import { marketOf } from './support/arbitraries';
import { accepted, command, held, refusal, RULES, sale, state, USD } from './support/trades';

describe('refusals of trades', () => {
  const closed = { now: marketOf().resolveDate };
  const cases: [string, string, TradeState, TradeCommand][] = [
    ['at the resolve date', 'MARKET_CLOSED', state(), command(closed)],
    ['on a closing market', 'MARKET_CLOSED', state({ market: marketOf({ status: 'resolving' }) }), command()],
    ['closed before malformed', 'MARKET_CLOSED', state(), command({ ...closed, size: { amount: 0n } })],
    ['no amount', 'VALIDATION_ERROR', state(), command({ size: { amount: 0n } })],
    ['a negative number of shares', 'VALIDATION_ERROR', state(), command({ size: { shares: -1n } })],
    ['more than 10^9 USD', 'VALIDATION_ERROR', state(), command({ size: { amount: 10n ** 15n + 1n } })],
    ['more than 10^9 shares', 'VALIDATION_ERROR', held(), sale({ size: { shares: 10n ** 15n + 1n } })],
    ['"all" bought', 'VALIDATION_ERROR', state(), command({ size: 'all' })],
    ['a sale by amount', 'VALIDATION_ERROR', held(), sale({ size: { amount: USD } })],
    ['a notional below 0.01 USD', 'VALIDATION_ERROR', state(), command({ size: { amount: 10_049n } })],
    [
      'too small before too poor',
      'VALIDATION_ERROR',
      state({ available: 0n }),
      command({ size: { shares: 2n } }),
    ],
    ['part of a position for less', 'VALIDATION_ERROR', held(), sale({ size: { shares: 10_000n } })],
    ['a balance too low', 'INSUFFICIENT_BALANCE', state({ available: 9_999_998n }), command()],
    [
      'poor before the price limit',
      'INSUFFICIENT_BALANCE',
      state(),
      command({ size: { amount: 5_000n * USD } }),
    ],
    ['the price limit', 'PRICE_LIMIT', state(), command({ size: { amount: 500n * USD } })],
    [
      'the price limit before slippage',
      'PRICE_LIMIT',
      state(),
      command({ size: { amount: 500n * USD }, bounds: { maxPrice: 1n } }),
    ],
    ['more shares than are held', 'INSUFFICIENT_SHARES', held(), sale({ size: { shares: 20n * USD + 1n } })],
    ['shares of the other side', 'INSUFFICIENT_SHARES', state(), sale()],
    ['all of nothing', 'INSUFFICIENT_SHARES', state(), sale({ size: 'all' })],
    ['all of an emptied position', 'INSUFFICIENT_SHARES', held({ shares: 0n }), sale({ size: 'all' })],
    ['too few shares', 'SLIPPAGE_EXCEEDED', state(), command({ bounds: { minShares: 18_999_407n } })],
    ['a cost too high', 'SLIPPAGE_EXCEEDED', state(), command({ bounds: { maxCost: 9_999_999n } })],
    ['a payout too low', 'SLIPPAGE_EXCEEDED', held(), sale({ bounds: { minPayout: 3n * USD } })],
  ];

  it.each(cases)('%s: %s', (_name, code, before, order) => {
    expect(refusal(decideTrade(before, order, RULES))).toBe(code);
  });

  it('start below 0.01 USD, the smallest notional, and name the field', () => {
    expect(refusal(decideTrade(state(), command({ size: { amount: 10_050n } }), RULES))).toBe('accepted');
    const small = decideTrade(state(), command({ size: { amount: 10_049n } }), RULES);
    expect(small.accepted ? null : small.error.errors).toEqual([
      {
        field: 'amount',
        message: 'A purchase must come to at least 0.01 USD before the fee, this one is 0.009999 USD',
      },
    ]);
  });

  it('do not come from bounds that are just met', () => {
    const bounds = { minShares: 18_999_406n, maxCost: 10n * USD };
    expect(refusal(decideTrade(state(), command({ bounds }), RULES))).toBe('accepted');
    const payout = accepted(decideTrade(held(), sale(), RULES)).trade.totalCost;
    expect(refusal(decideTrade(held(), sale({ bounds: { minPayout: payout } }), RULES))).toBe('accepted');
    expect(refusal(decideTrade(held(), sale({ bounds: { minPayout: payout + 1n } }), RULES))).toBe(
      'SLIPPAGE_EXCEEDED',
    );
  });

  it('by a price bound compare the average price per share, though the price after the trade lies above it', () => {
    const { trade } = accepted(decideTrade(state(), command({ bounds: { maxPrice: 530_000n } }), RULES));
    const average = Number(trade.notional) / Number(trade.shares);
    expect([average < 0.53, trade.yesPriceAfter > 530_000]).toEqual([true, true]);
    const refused = decideTrade(state(), command({ bounds: { maxPrice: 520_000n } }), RULES);
    expect(refused.accepted ? null : refused.error.message).toMatch(
      /^The average price per share would be 0\.52\d+, above maxPrice 0\.52$/,
    );
  });

  it('compare price bounds exactly, not after rounding', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 20_000n, max: 100n * USD }),
        fc.constantFrom('buy', 'sell'),
        (shares, action) => {
          const before = action === 'buy' ? state() : held({}, 200n * USD);
          const market = { ...before.market, pool: 200n * USD };
          const order = command({ action: action === 'buy' ? 'buy' : 'sell', size: { shares } });
          const { notional } = accepted(decideTrade({ ...before, market }, order, RULES)).trade;
          const floor = (notional * USD) / shares;
          const exact = floor * shares === notional * USD;
          const judged = (bounds: TradeCommand['bounds']): string =>
            refusal(decideTrade({ ...before, market }, { ...order, bounds }, RULES));
          expect(judged({ maxPrice: floor })).toBe(exact ? 'accepted' : 'SLIPPAGE_EXCEEDED');
          expect(judged({ maxPrice: floor + 1n })).toBe('accepted');
          expect(judged({ minPrice: floor })).toBe('accepted');
          expect(judged({ minPrice: floor + 1n })).toBe('SLIPPAGE_EXCEEDED');
        },
      ),
    );
  });

  it('change nothing that was handed in', () => {
    const before = held();
    const copy = structuredClone(before);
    decideTrade(before, sale(), RULES);
    decideTrade(before, command(), RULES);
    expect(before).toEqual(copy);
  });
});
