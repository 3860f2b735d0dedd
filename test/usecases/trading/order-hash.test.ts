import { describe, expect, it } from '@jest/globals';
import { isPredictionMarketError } from '../../../src/domain/errors';
import { BOUND_NAMES, BOUND_RULES } from '../../../src/domain/order-terms';
import { parseInput } from '../../../src/schemas/parse';
import { placeTradeInput, tradeBody } from '../../../src/schemas/trades';
import { tradeOrder } from '../../../src/usecases/trading/batch-transaction';
import { order, wallet } from './support';

type Raw = Record<string, unknown>;

const ORDERS: Raw[] = [
  { side: 'YES', amount: 10 },
  { side: 'YES', shares: 10 },
  { side: 'YES', action: 'sell', shares: 10 },
];

/** Returns `null` if the order is refused because its fields do not fit together. */
function hashOf(fields: Raw, marketId = 1): string | null {
  const input = { ...fields, wallet: wallet(1), market: marketId, idempotencyKey: 'key' };
  try {
    return tradeOrder(parseInput(placeTradeInput, input), marketId).requestHash;
  } catch (error) {
    if (isPredictionMarketError(error) && error.code === 'VALIDATION_ERROR') return null;
    throw error;
  }
}

function valuesOf(field: string): unknown[] {
  const { keys = {} } = tradeBody.describe() as {
    keys?: Record<string, { type: string; allow?: unknown[] }>;
  };
  const { type, allow = [] } = keys[field] ?? { type: 'none' };
  return type === 'number' ? [0.25, 0.5, ...allow] : allow;
}

const fieldsOfOrders = Object.keys((tradeBody.describe() as { keys: object }).keys);

describe('the hash of an order', () => {
  it.each(fieldsOfOrders)('changes with the field %s', (field) => {
    const ofEachOrder = ORDERS.map((fields) =>
      valuesOf(field)
        .map((value) => hashOf({ ...fields, [field]: value }))
        .filter((hash) => hash !== null),
    );
    for (const hashes of ofEachOrder) expect(new Set(hashes).size).toBe(hashes.length);
    expect(Math.max(...ofEachOrder.map((hashes) => hashes.length))).toBeGreaterThan(1);
  });

  it.each(BOUND_RULES)('changes when the bound %s is set', (name, { action }) => {
    const fields = { side: 'YES', action, shares: 10 };
    const hashes = [hashOf(fields), hashOf({ ...fields, [name]: 0 }), hashOf({ ...fields, [name]: 0.5 })];
    expect(hashes).not.toContain(null);
    expect(new Set(hashes).size).toBe(3);
  });

  it('tells which bound a value belongs to', () => {
    const hashes = BOUND_NAMES.map(
      (name) =>
        tradeOrder(order({ wallet: wallet(1), idempotencyKey: 'key', bounds: { [name]: 5n } }), 1)
          .requestHash,
    );
    expect(new Set(hashes).size).toBe(BOUND_NAMES.length);
  });

  it('changes with the market', () => {
    expect(hashOf({ side: 'YES', amount: 10 }, 2)).not.toBe(hashOf({ side: 'YES', amount: 10 }));
  });

  it('is the same for a value that is left out and for its default', () => {
    expect(hashOf({ side: 'YES', amount: 10, action: 'buy' })).toBe(hashOf({ side: 'YES', amount: 10 }));
  });

  it.each<[string, Raw, string]>([
    [
      'a purchase',
      { side: 'YES', amount: 10, maxPrice: 0.9 },
      'eae8eed1c3eb03fd9d44ebe22d9a246c64b2011285fcddc6197d48265515fbf5',
    ],
    [
      'a sale',
      { side: 'NO', action: 'sell', shares: 'all', minPrice: 0.4, minPayout: 7 },
      'a70b02563c22ac5cf1d9c9b957763906ba30f0760e2a9d435c77fe0d4cc41e63',
    ],
  ])('is the one that earlier versions stored for %s', (_what, fields, hash) => {
    expect(hashOf(fields)).toBe(hash);
  });
});
