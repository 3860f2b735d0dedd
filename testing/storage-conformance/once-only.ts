import { atOnce, dawdle, PlantedError, rolledBack, type Suite } from './suite';
import {
  address,
  ALICE,
  BOB,
  depositPosting,
  GREATEST,
  HOUR,
  MINUTE,
  NOW,
  sampleDeposit,
  sampleRecord,
  walletOf,
} from './samples';
import type { Address } from '../../src/domain/types';
import type { Storage } from '../../src/ports/storage';

export function onceOnlyTests(suite: Suite): void {
  depositTests(suite);
  idempotencyTests(suite);
  leaseTests(suite);
}

const balanceOf = async (storage: Storage): Promise<bigint | undefined> =>
  (await storage.read((r) => r.accounts.find(walletOf(ALICE))))?.balance;

function depositTests({ describe, test }: Suite): void {
  describe('deposits', () => {
    test(
      'are kept under their reference; a second one is not written',
      ['depositOnce', 'fundsAfter'],
      async ({ storage, check }) => {
        const deposit = sampleDeposit('wire 1 ≠ 文字', { balanceAfter: 5n, reservedAfter: 3n });
        const forged = { ...deposit, wallet: BOB, amount: 1n, balanceAfter: 1n, createdAt: 1 };
        const find = () => storage.transaction((transaction) => transaction.deposits.find(deposit.reference));
        check.equal(await find(), null, 'before');
        check.equal(await storage.transaction((transaction) => transaction.deposits.insert(deposit)), true);
        check.equal(await storage.transaction((transaction) => transaction.deposits.insert(forged)), false);
        check.equal(await find(), deposit, 'unchanged');
        await storage.transaction((transaction) =>
          transaction.deposits.setFundsAfter(deposit.reference, { balance: 77n, reserved: 7n }),
        );
        const filled = { ...deposit, balanceAfter: 77n, reservedAfter: 7n };
        check.by('fundsAfter').equal(await find(), filled, 'funds filled in');
      },
    );

    test(
      'are listed newest first, each wallet for itself, page by page',
      'depositList',
      async ({ storage, check }) => {
        const older = sampleDeposit('z', { createdAt: NOW - 1, balanceAfter: GREATEST, reservedAfter: 2n });
        const ties = ['a', 'c', 'b'].map((reference) => sampleDeposit(reference, { amount: GREATEST }));
        const newer = sampleDeposit('0', { createdAt: NOW + 1 });
        const others = [
          sampleDeposit('of bob', { wallet: BOB }),
          sampleDeposit('capital', { wallet: 'treasury' }),
        ];
        await storage.transaction(async ({ deposits }) => {
          for (const deposit of [newer, ...ties, ...others, older]) await deposits.insert(deposit);
        });
        const list = (wallet: Address, limit: number, offset: number) =>
          storage.read((r) => r.deposits.list({ wallet, limit, offset }));
        const [a, c, b] = ties;
        check.equal(await list(ALICE, 10, 0), [newer, c, b, a, older], 'all of Alice');
        check.equal(await list(ALICE, 2, 1), [c, b], 'a page');
        check.equal(await list(ALICE, 2, 5), [], 'after the last one');
        check.equal(await list(BOB, 10, 0), others.slice(0, 1), 'of Bob');
        check.equal(await list(address(99), 10, 0), [], 'of a wallet without any');
      },
    );

    test(
      'leave the transaction in working order when the reference exists',
      'depositOnce',
      async ({ storage, check }) => {
        await storage.transaction((transaction) => transaction.deposits.insert(sampleDeposit('taken')));
        await storage.transaction(async (transaction) => {
          check.equal(await transaction.deposits.insert(sampleDeposit('taken')), false);
          await transaction.settings.putIfAbsent('went', 'on');
        });
        check.equal(await storage.read((r) => r.settings.get('went')), 'on');
      },
    );

    test(
      'of one reference are credited once, and all callers see the same',
      'depositOnce',
      async ({ storage, other, check }) => {
        const answers = await atOnce(12, [storage, await other()], (handle) =>
          handle.transaction(async (transaction) => {
            if (!(await transaction.deposits.insert(sampleDeposit('contested'))))
              return transaction.deposits.find('contested');
            await transaction.postings.insert([depositPosting('deposit:contested', ALICE, 25_000_000n)]);
            await transaction.accounts.apply([{ id: walletOf(ALICE), balance: 25_000_000n }], NOW);
            await transaction.deposits.setFundsAfter('contested', { balance: 25_000_000n, reserved: 0n });
            return transaction.deposits.find('contested');
          }),
        );
        const deposit = sampleDeposit('contested', { balanceAfter: 25_000_000n });
        check.equal(
          answers,
          Array.from({ length: 12 }, () => deposit),
        );
        check.equal(await balanceOf(storage), 25_000_000n);
      },
    );

    test(
      'are credited by the first that commits, though others before it roll back',
      'depositOnce',
      async ({ storage, other, check }) => {
        const outcomes = await atOnce(8, [storage, await other()], (handle, index) =>
          handle
            .transaction(async (transaction) => {
              if (!(await transaction.deposits.insert(sampleDeposit('unsteady')))) return 'known';
              await transaction.accounts.apply([{ id: walletOf(ALICE), balance: 1n }], NOW);
              await dawdle(transaction);
              if (index < 4) throw new PlantedError('after the insert');
              return 'credited';
            })
            .catch((error: unknown) => (error instanceof PlantedError ? 'rolled back' : String(error))),
        );
        check.equal(outcomes.filter((outcome) => outcome === 'credited').length, 1, outcomes.join(', '));
        check.equal(new Set([...outcomes, 'known', 'rolled back']).size, 3, outcomes.join(', '));
        check.equal(await balanceOf(storage), 1n);
      },
    );

    test('that were rolled back leave their reference free', 'atomic', async ({ storage, check }) => {
      await rolledBack(storage, (transaction) => transaction.deposits.insert(sampleDeposit('failed')));
      check.equal(
        await storage.transaction((transaction) => transaction.deposits.insert(sampleDeposit('failed'))),
        true,
      );
    });
  });
}

function idempotencyTests(suite: Suite): void {
  suite.describe('idempotency', () => {
    suite.test(
      'records come back as they were stored, each wallet for itself',
      'whole',
      async ({ storage, check }) => {
        const record = sampleRecord('key ~!', { answer: '{"text":"≠ 文字","n":1.5}' });
        const ofBob = sampleRecord('key ~!', { wallet: BOB, answer: '{}' });
        await storage.transaction((transaction) => transaction.idempotency.insert([record, ofBob]));
        const find = (...keys: { wallet: string; key: string }[]) =>
          storage.transaction((transaction) => transaction.idempotency.find(keys));
        check.equal(await find({ wallet: ALICE, key: 'key ~!' }, { wallet: ALICE, key: 'unknown' }), [
          record,
        ]);
        check.equal(await find({ wallet: BOB, key: 'key ~!' }), [ofBob], 'of the other wallet');
        check.equal(await find(), [], 'nothing asked');
      },
    );

    takenKeyTests(suite);

    suite.test(
      'records are removed by age, at most the limit',
      'deleteRecords',
      async ({ storage, check }) => {
        const ages = [NOW - 3, NOW - 2, NOW - 1, NOW, NOW + 1];
        const records = ages.map((createdAt) => sampleRecord(`at ${createdAt}`, { createdAt }));
        await storage.transaction((transaction) => transaction.idempotency.insert(records));
        const counts = [];
        for (const limit of [2, 2, 2]) {
          counts.push(
            await storage.transaction((transaction) => transaction.idempotency.deleteBefore(NOW, limit)),
          );
        }
        check.equal(counts, [2, 1, 0]);
        const left = await storage.transaction((transaction) => transaction.idempotency.find(records));
        check.equal(
          left.map(({ createdAt }) => createdAt).sort((a, b) => a - b),
          [NOW, NOW + 1],
        );
      },
    );
  });
}

function takenKeyTests({ test }: Suite): void {
  test(
    'a taken key makes the transaction run again whole, and the next run finds it',
    'takenKey',
    async ({ storage, other, check }) => {
      let runs = 0;
      const answers = await atOnce(10, [storage, await other()], (handle, index) =>
        handle.transaction(async (transaction) => {
          runs += 1;
          const [record] = await transaction.idempotency.find([{ wallet: ALICE, key: 'contested' }]);
          if (record !== undefined) return record.answer;
          await transaction.accounts.apply([{ id: walletOf(ALICE), balance: 3n }], NOW);
          const answer = `"answer of ${index}"`;
          await transaction.idempotency.insert([sampleRecord('contested', { answer })]);
          return answer;
        }),
      );
      check.equal(new Set(answers).size, 1, 'different answers');
      check.equal(await balanceOf(storage), 3n, 'one effect');
      check.equal(runs >= 10, true, 'every call ran');
    },
  );

  test('a run that met a taken key leaves nothing behind', 'takenKey', async ({ storage, check }) => {
    await storage.transaction((transaction) => transaction.idempotency.insert([sampleRecord('taken')]));
    const found: number[] = [];
    await storage.transaction(async (transaction) => {
      // The first run does not look for the record, like a transaction that looked before the other transaction
      // had committed.
      const looks = found.length > 0;
      const records = looks ? await transaction.idempotency.find([{ wallet: ALICE, key: 'taken' }]) : [];
      found.push(records.length);
      if (records.length > 0) return;
      await transaction.accounts.apply([{ id: walletOf(ALICE), balance: 3n }], NOW);
      await transaction.idempotency.insert([sampleRecord('free'), sampleRecord('taken')]);
    });
    check.equal(found, [0, 1], 'records found by each run');
    check.equal(await balanceOf(storage), undefined, 'balance');
    check.equal(
      await storage.transaction((transaction) =>
        transaction.idempotency.find([{ wallet: ALICE, key: 'free' }]),
      ),
      [],
    );
  });

  test(
    'a work that never finds the taken key is given up, with nothing written',
    'takenKey',
    async ({ storage, check }) => {
      await storage.transaction((transaction) => transaction.idempotency.insert([sampleRecord('taken')]));
      await check.rejects(
        storage.transaction(async (transaction) => {
          await transaction.settings.putIfAbsent('half', 'written');
          await transaction.idempotency.insert([sampleRecord('taken', { answer: '"other"' })]);
        }),
      );
      check.equal(await storage.read((r) => r.settings.get('half')), null);
      const [record] = await storage.transaction((transaction) =>
        transaction.idempotency.find([{ wallet: ALICE, key: 'taken' }]),
      );
      check.equal(record, sampleRecord('taken'));
    },
  );
}

function leaseTests({ describe, test }: Suite): void {
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
