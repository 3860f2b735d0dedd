import { atOnce, type Suite } from './suite';
import { HOUR, MINUTE, NOW } from './samples';
import type { Storage } from '../../src/ports/storage';

export function leaseTests({ describe, test }: Suite): void {
  describe('leases', () => {
    const acquire = (storage: Storage, owner: string, now: number, name = 'job') =>
      storage.transaction((transaction) =>
        transaction.leases.acquire({ name, owner, now, until: now + MINUTE }),
      );
    const release = (storage: Storage, owner: string) =>
      storage.transaction((transaction) => transaction.leases.release({ name: 'job', owner }));

    test('have one owner at a time, who can renew them', 'lease', async ({ storage, check }) => {
      const first = await acquire(storage, 'a', NOW);
      check.equal(first === null, false, 'taken');
      check.equal(await acquire(storage, 'b', NOW + 1), null, 'held');
      check.equal(await acquire(storage, 'a', NOW + MINUTE / 2), first, 'renewed, under the same token');
      check.equal(await acquire(storage, 'b', NOW + MINUTE + 1), null, 'held by the renewal');
      check.equal((await acquire(storage, 'b', NOW + 1, 'another job')) === null, false, 'another name');
    });

    test(
      'go over when they have run out or been released, with a higher token',
      ['leaseToken', 'release'],
      async ({ storage, check }) => {
        const tokens = [await acquire(storage, 'a', NOW), await acquire(storage, 'b', NOW + 2 * HOUR)];
        await release(storage, 'a');
        check.equal(
          await acquire(storage, 'c', NOW + 2 * HOUR + 1),
          null,
          'not released by who does not own it',
        );
        await release(storage, 'b');
        tokens.push(await acquire(storage, 'c', NOW + 2 * HOUR + 2));
        tokens.push(await acquire(storage, 'a', NOW + 4 * HOUR));
        const numbers = tokens.map((lease) => lease?.token ?? 0);
        check.equal(
          numbers,
          [...new Set(numbers)].sort((a, b) => a - b),
          'rising tokens',
        );
      },
    );

    test(
      'that a wrong clock has written do not outlast it',
      ['strayLease', 'strayTaken', 'leaseToken'],
      async ({ storage, check }) => {
        const stray = await acquire(storage, 'a', NOW + 24 * HOUR);
        const taken = await acquire(storage, 'b', NOW);
        check.by('strayTaken').equal(taken === null, false, 'taken from a clock a day ahead');
        check.equal((taken?.token ?? 0) > (stray?.token ?? 0), true, 'higher token');
        check.by('lease').equal(await acquire(storage, 'c', NOW + 1), null, 'held by the new owner');
        await acquire(storage, 'd', NOW + 5 * MINUTE, 'ahead by a little');
        check.by('lease').equal(await acquire(storage, 'e', NOW + MINUTE, 'ahead by a little'), null, 'held');
      },
    );

    test('are won by exactly one of many at once', 'lease', async ({ storage, other, check }) => {
      const handles = [storage, await other()];
      const first = await atOnce(10, handles, (handle, index) => acquire(handle, `owner ${index}`, NOW));
      check.equal(first.filter((lease) => lease !== null).length, 1, 'a new lease');
      const second = await atOnce(10, handles, (handle, index) =>
        acquire(handle, `late ${index}`, NOW + 2 * HOUR),
      );
      check.equal(second.filter((lease) => lease !== null).length, 1, 'one that has run out');
      const token = (leases: ({ token: number } | null)[]) =>
        leases.find((lease) => lease !== null)?.token ?? 0;
      check.equal(token(second) > token(first), true, 'higher token');
    });
  });
}
