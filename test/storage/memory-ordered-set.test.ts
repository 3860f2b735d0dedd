import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { OrderedSet } from '../../adapters/storage/memory/ordered-set';

const ascending = (a: number, b: number): number => a - b;

/** Ranges of keys are added or removed, so that chunks fill, split and empty. */
const operations = fc.array(
  fc.record({
    add: fc.boolean(),
    from: fc.integer({ min: 0, max: 3_000 }),
    count: fc.integer({ min: 1, max: 700 }),
  }),
  { maxLength: 12 },
);

describe('OrderedSet', () => {
  it('holds what a sorted array without doubles holds', () => {
    fc.assert(
      fc.property(operations, fc.integer({ min: -1, max: 4_000 }), (steps, probe) => {
        const set = new OrderedSet(ascending);
        const model = new Set<number>();
        for (const { add, from, count } of steps) {
          for (let step = 0; step < count; step += 1) {
            // Steps of 7, so that the keys do not come in ascending order.
            const key = from + ((step * 7) % count);
            if (add) {
              set.add(key);
              model.add(key);
            } else {
              set.delete(key);
              model.delete(key);
            }
          }
        }
        const sorted = [...model].sort(ascending);
        expect(set.size).toBe(sorted.length);
        expect([...set.ascending()]).toEqual(sorted);
        expect([...set.ascending(probe)]).toEqual(sorted.filter((key) => key >= probe));
        expect([...set.descending()]).toEqual([...sorted].reverse());
        expect([...set.descending(probe)]).toEqual(sorted.filter((key) => key < probe).reverse());
      }),
      { numRuns: 60 },
    );
  });

  it('gives pages from the end', () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.nat(2_100), fc.nat(1_000), (count, offset, limit) => {
        const set = new OrderedSet(ascending);
        for (let key = 0; key < count; key += 1) set.add(key);
        const newestFirst = Array.from({ length: count }, (_, index) => count - 1 - index);
        expect(set.pageFromEnd(offset, limit)).toEqual(newestFirst.slice(offset, offset + limit));
      }),
      { numRuns: 60 },
    );
  });
});
