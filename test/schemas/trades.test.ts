import fc from 'fast-check';
import { parseBody, parseInput, parseQuery } from '../../src/schemas/parse';
import { listTradesQuery, parseIdempotencyKey, placeTradeInput, tradeBody } from '../../src/schemas/trades';
import { ADDRESS, errorsOf, fieldsOf } from './support';

const body = (fields: object) => () => parseBody(tradeBody, { side: 'YES', ...fields });

describe('orders', () => {
  it('buy by amount', () => {
    expect(body({ amount: 10, maxPrice: 0.56, minShares: 18 })()).toEqual({
      side: 'YES',
      action: 'buy',
      size: { amount: 10_000_000n },
      bounds: { maxPrice: 560_000n, minShares: 18_000_000n },
    });
  });

  it('buy shares', () => {
    expect(body({ action: 'buy', shares: 20, maxCost: 11 })()).toEqual({
      side: 'YES',
      action: 'buy',
      size: { shares: 20_000_000n },
      bounds: { maxCost: 11_000_000n },
    });
  });

  it('sell shares, or all of them', () => {
    expect(body({ action: 'sell', shares: 0.000001, minPayout: 0, minPrice: 1 })()).toEqual({
      side: 'YES',
      action: 'sell',
      size: { shares: 1n },
      bounds: { minPayout: 0n, minPrice: 1_000_000n },
    });
    expect(body({ action: 'sell', shares: 'all' })()).toMatchObject({ size: 'all', bounds: {} });
  });

  it.each([
    ['no side', { side: undefined, amount: 1 }, ['side']],
    ['a side in lower case', { side: 'yes', amount: 1 }, ['side']],
    ['an action that is none', { action: 'short', shares: 1 }, ['action']],
    ['no size', {}, ['amount']],
    ['two sizes', { amount: 1, shares: 1 }, ['amount']],
    ['an amount to sell for', { action: 'sell', amount: 1 }, ['amount']],
    ['all of the shares to buy', { shares: 'all' }, ['shares']],
    ['another word for shares', { action: 'sell', shares: 'half' }, ['shares']],
    ['a text for a number', { amount: '5' }, ['amount']],
    ['an array for a number', { amount: [5] }, ['amount']],
    ['an object for a number', { amount: { value: 5 } }, ['amount']],
    ['null for a number', { amount: null }, ['amount']],
    ['true for a number', { amount: true }, ['amount']],
    ['nothing to spend', { amount: 0 }, ['amount']],
    ['less than nothing to spend', { amount: -1 }, ['amount']],
    ['negative zero to spend', { amount: -0 }, ['amount']],
    ['negative zero for a bound', { amount: 1, minShares: -0 }, ['minShares']],
    ['7 decimals', { amount: 1.0000001 }, ['amount']],
    ['7 decimals in exponent form', { amount: 1e-7 }, ['amount']],
    ['infinity', { amount: Infinity }, ['amount']],
    ['no number at all', { amount: NaN }, ['amount']],
    ['more than a billion', { amount: 1_000_000_000.000001 }, ['amount']],
    ['a number beyond the safe ones', { amount: 1e300 }, ['amount']],
    ['a bigint', { amount: 5n }, ['amount']],
    ['a price above 1', { amount: 1, maxPrice: 1.000001 }, ['maxPrice']],
    ['a price below 0', { amount: 1, maxPrice: -0.1 }, ['maxPrice']],
    ['a price of 7 decimals', { amount: 1, maxPrice: 0.1234567 }, ['maxPrice']],
    ['a bound of sales on a buy', { amount: 1, minPrice: 0.5, minPayout: 1 }, ['minPrice', 'minPayout']],
    [
      'bounds of buys on a sale',
      { action: 'sell', shares: 1, maxPrice: 0.5, minShares: 1, maxCost: 1 },
      ['maxPrice', 'minShares', 'maxCost'],
    ],
    ['a field that is none', { amount: 1, price: 0.5 }, ['price']],
    ['the field of HTTP elsewhere', { amount: 1, wallet: ADDRESS }, ['wallet']],
  ])('are refused with %s', (_what, fields, expected) => {
    expect(fieldsOf(body(fields)).sort()).toEqual([...expected].sort());
  });

  it('accept the largest and the smallest of everything', () => {
    expect(body({ amount: 1_000_000_000 })()).toMatchObject({ size: { amount: 10n ** 15n } });
    expect(body({ amount: 0.000001, maxPrice: 0 })()).toMatchObject({ size: { amount: 1n } });
  });

  it('take every number of millionths exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 50 }), (micros) => {
        fc.pre(micros <= 10 ** 15);
        expect(body({ shares: micros / 1_000_000 })()).toMatchObject({ size: { shares: BigInt(micros) } });
      }),
    );
  });

  it('of typed calls name the wallet and the market', () => {
    const input = { wallet: ADDRESS, market: 7, side: 'NO', amount: 1, idempotencyKey: 'k' };
    expect(parseInput(placeTradeInput, input)).toEqual({
      wallet: ADDRESS,
      market: '7',
      side: 'NO',
      action: 'buy',
      size: { amount: 1_000_000n },
      bounds: {},
      idempotencyKey: 'k',
    });
    const { idempotencyKey: _left, ...without } = input;
    expect(parseInput(placeTradeInput, without)).toMatchObject({ idempotencyKey: null });
    expect(
      fieldsOf(() => parseInput(placeTradeInput, { ...input, market: -1, wallet: 'x', amount: '1' })).sort(),
    ).toEqual(['amount', 'market', 'wallet']);
    expect(fieldsOf(() => parseInput(placeTradeInput, { ...input, minPrice: 0.5 }))).toEqual(['minPrice']);
  });
});

describe('idempotency keys', () => {
  it('may be left out', () => {
    expect(parseIdempotencyKey(undefined)).toBeNull();
  });

  it.each(['a', 'order 17', '~'.repeat(128), '!"#$%&{}'])('may be %j', (key) => {
    expect(parseIdempotencyKey(key)).toBe(key);
  });

  it.each(['', 'a'.repeat(129), 'ä', 'a\tb', 'a\u0000', 'a\n', '🌧'])('may not be %j', (key) => {
    expect(errorsOf(() => parseIdempotencyKey(key))).toEqual([
      { field: 'Idempotency-Key', message: 'Idempotency-Key must be 1 to 128 printable ASCII characters' },
    ]);
  });
});

describe('the listing of trades', () => {
  const query = (text: string) => () => parseQuery(listTradesQuery, new URLSearchParams(text));

  it('has defaults', () => {
    expect(query('')()).toEqual({ side: null, limit: 20, offset: 0 });
    expect(query('side=NO&limit=7&offset=3')()).toEqual({ side: 'NO', limit: 7, offset: 3 });
  });

  it.each(['101', '1000000', '1e30'])('serves a limit of %s as 100', (limit) => {
    expect(query(`limit=${limit}`)()).toMatchObject({ limit: 100 });
  });

  it.each([
    ['limit', '0'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', ''],
    ['limit', 'ten'],
    ['limit', '0x10'],
    ['limit', '+5'],
    ['limit', '%205'],
    ['limit', '1e400'],
    ['limit', 'NaN'],
    ['limit', '٣'],
    ['offset', '-1'],
    ['offset', '-0'],
    ['offset', '1.5'],
    ['offset', '9007199254740993'],
    ['side', ''],
    ['side', 'yes'],
    ['side', 'YES%00'],
  ])('refuses %s=%s', (name, value) => {
    expect(fieldsOf(query(`${name}=${value}`))).toEqual([name]);
  });

  it('refuses a parameter that is sent twice, and ignores unknown names', () => {
    expect(errorsOf(query('limit=5&limit=5'))).toEqual([
      { field: 'limit', message: 'limit must be given once' },
    ]);
    expect(query('x=1&x=2&__proto__=3&constructor=4&limit[]=9')()).toEqual({
      side: null,
      limit: 20,
      offset: 0,
    });
  });
});
