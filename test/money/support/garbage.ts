/** Orders with values that the types forbid, as a JavaScript caller could send them. */
import type { ErrorCode } from '../../../src/domain/errors';

export interface GarbageOrder {
  order: Record<string, unknown>;
  code: ErrorCode;
}

const malformed = (order: Record<string, unknown>): GarbageOrder => ({ order, code: 'VALIDATION_ERROR' });

export const GARBAGE: readonly GarbageOrder[] = [
  malformed({ side: 'YES' }),
  malformed({ side: 'YES', amount: 5, shares: 5 }),
  malformed({ side: 'YES', amount: '5' }),
  malformed({ side: 'YES', amount: [5] }),
  malformed({ side: 'YES', amount: -5 }),
  malformed({ side: 'YES', amount: 0 }),
  malformed({ side: 'YES', amount: -0 }),
  malformed({ side: 'YES', amount: Number.NaN }),
  malformed({ side: 'YES', amount: Number.POSITIVE_INFINITY }),
  malformed({ side: 'YES', amount: 1.0000001 }),
  malformed({ side: 'YES', amount: 1_000_000_001 }),
  malformed({ side: 'YES', shares: 1e300 }),
  malformed({ side: 'YES', shares: null }),
  malformed({ side: 'YES', shares: 'all' }),
  malformed({ side: 'YES', shares: 'ALL', action: 'sell' }),
  malformed({ side: 'YES', amount: 5, action: 'sell' }),
  malformed({ side: 'YES', amount: 5, action: 'burn' }),
  malformed({ side: 'MAYBE', amount: 5 }),
  malformed({ side: 'yes', amount: 5 }),
  malformed({ amount: 5 }),
  malformed({ side: 'YES', amount: 5, maxPrice: 1.5 }),
  malformed({ side: 'YES', amount: 5, minPayout: 1 }),
  malformed({ side: 'YES', amount: 5, balance: 1_000_000 }),
  malformed({ side: 'YES', amount: 5, idempotencyKey: '' }),
  malformed({ side: 'YES', amount: 5, wallet: '0x0000000000000000000000000000000000000000' }),
  malformed({ side: 'YES', amount: 5, wallet: 'treasury' }),
  { order: { side: 'YES', amount: 5, market: 999_999 }, code: 'MARKET_NOT_FOUND' },
  { order: { side: 'YES', amount: 5, market: 'no-such-market' }, code: 'MARKET_NOT_FOUND' },
  { order: { side: 'YES', amount: 5, market: 'PM-1' }, code: 'MARKET_NOT_FOUND' },
];
