import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createBatchedLookup } from '../../src/usecases/batched-lookup';
import { quiet } from '../jobs/manual-timers';

interface Load {
  keys: readonly string[];
  /** `value` defaults to the value that was stored when the load began. */
  succeed(value?: number): void;
  fail(error: Error): void;
}

function started(stored = (): number => 0) {
  const loads: Load[] = [];
  const lookup = createBatchedLookup<string, number>(
    (keys) =>
      new Promise((resolve, reject) => {
        const seen = stored();
        const succeed = (value = seen): void => resolve(new Map(keys.map((key) => [key, value])));
        loads.push({ keys, succeed, fail: reject });
      }),
  );
  return { loads, find: lookup.find };
}

describe('Batched look-ups', () => {
  it('of one turn of the event loop share a load', async () => {
    const { loads, find } = started();
    const found = Promise.all([find('a'), find('b'), find('a')]);
    await quiet();
    expect(loads.map(({ keys }) => keys)).toEqual([['a', 'b']]);
    loads[0]?.succeed(1);
    expect(await found).toEqual([1, 1, 1]);
  });

  it('of a later turn do not wait for an earlier load, which may hang', async () => {
    const { loads, find } = started();
    void find('a');
    await quiet();
    const later = find('b');
    await quiet();
    expect(loads.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
    loads[1]?.succeed(2);
    expect(await later).toBe(2);
  });

  it('fail with their own load only', async () => {
    const { loads, find } = started();
    const first = find('a');
    await quiet();
    const later = find('a');
    loads[0]?.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await quiet();
    loads[1]?.succeed(2);
    expect(await later).toBe(2);
  });

  it('only see what was loaded after they began', async () => {
    const step = fc.constantFrom('find', 'change', 'answer', 'turn');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        let stored = 0;
        const { loads, find } = started(() => stored);
        let answered = 0;
        const results: Promise<boolean>[] = [];
        const answer = (): void => loads[answered++]?.succeed();
        for (const each of steps) {
          const begun = stored;
          if (each === 'find') results.push(find('a').then((value = -1) => value >= begun));
          if (each === 'change') stored += 1;
          if (each === 'answer' && answered < loads.length) answer();
          if (each === 'turn') await quiet();
        }
        for (let round = 0; round < steps.length + 1; round += 1) {
          await quiet();
          while (answered < loads.length) answer();
        }
        expect(await Promise.all(results)).toEqual(results.map(() => true));
      }),
      { numRuns: 50 },
    );
  });
});
