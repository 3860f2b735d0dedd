import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CompressedRows } from '../../adapters/storage/memory/compressed-rows';
import { postingRows, tradeRows } from '../../adapters/storage/memory/text-rows';
import type { Posting, Trade } from '../../src/domain/types';

interface Fact {
  seq: number;
  data: string;
}

/** Ranges of keys are set or removed, so that blocks of rows fill up, change and shrink. */
const steps = fc.array(
  fc.record({
    isSet: fc.boolean(),
    from: fc.integer({ min: 0, max: 3_000 }),
    count: fc.integer({ min: 1, max: 1_500 }),
  }),
  { maxLength: 8 },
);

it('compressed rows are those of a map, whichever were replaced and removed', () => {
  fc.assert(
    fc.property(steps, fc.string(), (ranges, text) => {
      const rows = new CompressedRows<number, Fact>();
      const model = new Map<number, Fact>();
      for (const [round, { isSet, from, count }] of ranges.entries())
        for (let seq = from; seq < from + count; seq += 1) {
          const fact = { seq, data: `${text} ${round}` };
          for (const each of [rows, model]) {
            if (isSet) each.set(seq, fact);
            else each.delete(seq);
          }
        }
      expect(rows.size).toBe(model.size);
      for (let seq = 0; seq < 4_600; seq += 1) {
        if (rows.has(seq) !== model.has(seq)) throw new Error(`has(${seq}) is ${rows.has(seq)}`);
        if (rows.get(seq)?.data !== model.get(seq)?.data) throw new Error(`get(${seq}) is another row`);
      }
      const bySeq = (a: Fact, b: Fact): number => a.seq - b.seq;
      expect([...rows.values()].sort(bySeq)).toEqual([...model.values()].sort(bySeq));
    }),
    { numRuns: 25 },
  );
});

const amount = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const instant = fc.maxSafeNat();
const wallet = fc
  .bigInt({ min: 0n, max: 2n ** 160n - 1n })
  .map((number) => `0x${number.toString(16).padStart(40, '0')}`);

const trades: fc.Arbitrary<Trade> = fc.record({
  id: instant,
  type: fc.constantFrom('trade', 'settlement'),
  marketId: fc.maxSafeNat(),
  wallet,
  side: fc.constantFrom('YES', 'NO'),
  action: fc.constantFrom('buy', 'sell'),
  shares: amount,
  notional: amount,
  fee: amount,
  totalCost: amount,
  realizedPnl: amount,
  yesPriceAfter: fc.nat(1_000_000),
  createdAt: instant,
});

const account = fc.oneof(
  fc.constantFrom('treasury' as const, 'external' as const),
  wallet.map((address) => `wallet:${address}` as const),
  fc.nat().map((id) => `market:${id}` as const),
);
const postings: fc.Arbitrary<Posting> = fc.record({
  kind: fc.constantFrom('trade', 'deposit', 'withdrawal', 'settlement', 'resolution'),
  reference: fc.string(),
  createdAt: instant,
  entries: fc.array(fc.record({ account, amount }), { maxLength: 4 }),
});

describe('a row that is kept as a text', () => {
  it('is the trade that was put', () => {
    fc.assert(
      fc.property(trades, (trade) => {
        const rows = tradeRows();
        rows.set(trade.id, trade);
        expect(rows.get(trade.id)).toStrictEqual({ ...trade });
        expect([...rows.values()]).toStrictEqual([{ ...trade }]);
      }),
    );
  });

  it('is the posting that was put', () => {
    fc.assert(
      fc.property(postings, (posting) => {
        const rows = postingRows();
        rows.set(posting.reference, posting);
        const entries = posting.entries.map((entry) => ({ ...entry }));
        expect(rows.get(posting.reference)).toStrictEqual({ ...posting, entries });
        expect([...rows.values()]).toStrictEqual([{ ...posting, entries }]);
      }),
    );
  });

  it('is gone once it was removed', () => {
    const rows = postingRows();
    rows.set('deposit:1', { kind: 'deposit', reference: 'deposit:1', createdAt: 1, entries: [] });
    rows.delete('deposit:1');
    expect([rows.size, rows.has('deposit:1'), rows.get('deposit:1')]).toEqual([0, false, undefined]);
  });
});
