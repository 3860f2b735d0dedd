import fc from 'fast-check';
import type Joi from 'joi';
import { BOUND_NAMES } from '../../src/domain/order-terms';
import { readOrderFast, readOrderInputFast } from '../../src/schemas/order-reader';
import { parseBody, parseInput } from '../../src/schemas/parse';
import { placeTradeInput, tradeBody } from '../../src/schemas/trades';
import { ADDRESS, refusalOf } from './support';

type Raw = Record<string, unknown>;

/** The fast reader leaves an object without a prototype to the schema. */
const unplain = (raw: Raw): object =>
  Object.defineProperties(Object.create(null), Object.getOwnPropertyDescriptors(raw));

function bySchema<T>(schema: Joi.Schema<T>, raw: Raw): T | null {
  try {
    return parseInput(schema, unplain(raw));
  } catch {
    return null;
  }
}

const number = fc.oneof(
  fc.integer({ min: 1, max: 5_000_000 }).map((micros) => micros / 1_000_000),
  fc.constantFrom(0, -0, 1, 1e9, 1e9 + 1, 1e-6, 1e-7, 1.0000001, NaN, Infinity, -1, 1e300, 2 ** 53),
  fc.double(),
);
const odd = fc.constantFrom<unknown>(undefined, null, '', '5', 'all', [], [1], {}, true, 5n);
const usually = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: values, weight: 2 }, { arbitrary: odd, weight: 1 });

const orderFields = {
  side: usually(fc.constantFrom('YES', 'NO', 'yes')),
  action: usually(fc.constantFrom('buy', 'sell', 'Sell')),
  amount: usually(number),
  shares: usually(fc.oneof(number, fc.constant('all'))),
  ...Object.fromEntries(BOUND_NAMES.map((name) => [name, usually(number)])),
  other: usually(number),
};
const inputFields = {
  ...orderFields,
  wallet: usually(fc.constantFrom(ADDRESS, ADDRESS.toUpperCase().replace('0X', '0x'), `${ADDRESS}0`, 'x')),
  market: usually(
    fc.constantFrom<unknown>(1, 7, 0, -0, 1.5, -1, 2 ** 53, NaN, 'a-slug', 'PM-0001', '\ud800'),
  ),
  idempotencyKey: usually(fc.constantFrom('k', '~'.repeat(128), '~'.repeat(129), 'ä')),
};
const RIGHT: Raw[] = [
  { side: 'YES', amount: 10, maxPrice: 0.56, minShares: 18, maxCost: 10 },
  { side: 'NO', action: 'buy', shares: 20 },
  { side: 'YES', action: 'sell', shares: 3, minPayout: 0, minPrice: 1 },
  { side: 'NO', action: 'sell', shares: 'all' },
];
const changed = (fields: Record<string, fc.Arbitrary<unknown>>, added: Raw): fc.Arbitrary<Raw> => {
  const change = fc.oneof(
    ...Object.entries(fields).map(([name, value]) => value.map((chosen) => ({ [name]: chosen }))),
  );
  return fc
    .tuple(fc.constantFrom(...RIGHT), change, fc.option(change, { nil: {} }))
    .map(([right, first, second]) => ({ ...right, ...added, ...first, ...second }));
};
const orders = changed(orderFields, {});
const inputs = changed(inputFields, { wallet: ADDRESS, market: 7 });

describe('the reader of ordinary orders', () => {
  it('reads a body as the schema does, or leaves it to the schema', () => {
    fc.assert(
      fc.property(orders, (raw) => {
        const read = readOrderFast(raw);
        if (read !== null) expect(read).toEqual(bySchema(tradeBody, raw));
      }),
      { numRuns: 3000 },
    );
  });

  it('reads the argument of the method as the schema does, or leaves it to the schema', () => {
    fc.assert(
      fc.property(inputs, (raw) => {
        const read = readOrderInputFast(raw);
        if (read !== null) expect(read).toEqual(bySchema(placeTradeInput, raw));
      }),
      { numRuns: 3000 },
    );
  });

  it.each<[string, Raw]>([
    ['a purchase by amount', { side: 'YES', amount: 10, maxPrice: 0.56, minShares: 18 }],
    ['a purchase of shares', { side: 'NO', action: 'buy', shares: 20, maxCost: 11 }],
    ['a sale', { side: 'YES', action: 'sell', shares: 0.000001, minPayout: 0, minPrice: 1 }],
    ['a sale of all', { side: 'YES', action: 'sell', shares: 'all' }],
  ])('recognises %s', (_what, raw) => {
    expect(readOrderFast(raw)).not.toBeNull();
    expect(readOrderFast(raw)).toEqual(bySchema(tradeBody, raw));
    const input = { ...raw, wallet: ADDRESS, market: 7, idempotencyKey: 'k' };
    expect(readOrderInputFast(input)).not.toBeNull();
    expect(readOrderInputFast(input)).toEqual(bySchema(placeTradeInput, input));
  });

  it.each<[string, string]>([
    ['a field that is none', '{"side":"YES","amount":1,"price":1}'],
    ['an own __proto__', '{"side":"YES","amount":1,"__proto__":{"maxPrice":0.1}}'],
    ['negative zero', '{"side":"YES","amount":1,"minShares":-0}'],
    ['null for a bound', '{"side":"YES","amount":1,"maxPrice":null}'],
  ])('leaves the refusal of %s to the schema', (_what, text) => {
    const raw = JSON.parse(text) as Raw;
    expect(readOrderFast(raw)).toBeNull();
    expect(refusalOf(() => parseBody(tradeBody, raw)).errors).toHaveLength(1);
  });

  it('is not asked about objects that inherit fields', () => {
    const own = Object.getOwnPropertyDescriptors({ side: 'YES', amount: 1 });
    const raw: unknown = Object.create({ maxPrice: 0.1 }, own);
    expect(parseBody(tradeBody, raw).bounds).toEqual({ maxPrice: 100_000n });
  });
});
