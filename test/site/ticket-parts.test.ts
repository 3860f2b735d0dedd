import { buySize, sellSize } from '../../site/browser/ticket/quick-sizes';
import { isWithinBounds, setSlippagePercent, slippagePercent } from '../../site/browser/ticket/slippage';

it.each([
  [buySize('25', 3), 25],
  [buySize('max', 12.345678), 12.34],
  [buySize('max', 0.29), 0.29],
  [buySize('max', 0), 0],
  [sellSize('25', 10), 2.5],
  [sellSize('50', 0.000003), 0.000001],
  [sellSize('100', 19.0476195), 19.0476195],
])('a quick size is %s', (got, wanted) => expect(got).toBe(wanted));

it.each([
  ['5', true, 5],
  ['0.1', true, 0.1],
  ['20', true, 20],
  ['0', false, 2],
  ['20.5', false, 2],
  ['', false, 2],
  ['NaN', false, 2],
  ['{', false, 2],
])('slippage of %s percent: kept %s, in force %s', (typed, isKept, inForce) => {
  const texts = new Map<string, string>();
  const storage = {
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => void texts.set(name, text),
    removeItem: (name: string) => void texts.delete(name),
  };
  expect([setSlippagePercent(storage, typed), slippagePercent(storage)]).toEqual([isKept, inForce]);
  texts.set('prediction-market.slippage-percent', typed);
  expect(slippagePercent(storage)).toBe(inForce);
});

it('an order is sent only within its bounds', () => {
  const quote = { shares: 9, totalCost: 5 };
  const buy = { side: 'YES' as const, action: 'buy' as const, amount: 5 };
  const sell = { side: 'YES' as const, action: 'sell' as const, shares: 9 };
  expect([9, 9.000001].map((minShares) => isWithinBounds({ ...buy, minShares }, quote))).toEqual([
    true,
    false,
  ]);
  expect([5, 5.01].map((minPayout) => isWithinBounds({ ...sell, minPayout }, quote))).toEqual([true, false]);
});
