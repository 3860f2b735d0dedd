import { atOnce, type Suite } from './suite';
import { ALICE, BOB, NOW, sampleRecord, walletOf } from './samples';
import { balanceOfAlice } from './state';

export function idempotencyTests(suite: Suite): void {
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
      check.equal(await balanceOfAlice(storage), 3n, 'one effect');
      check.equal(runs >= 10, true, 'every call ran');
    },
  );

  test('a run that inserts a taken key leaves nothing behind', 'takenKey', async ({ storage, check }) => {
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
    check.equal(await balanceOfAlice(storage), undefined, 'balance');
    check.equal(
      await storage.transaction((transaction) =>
        transaction.idempotency.find([{ wallet: ALICE, key: 'free' }]),
      ),
      [],
    );
  });

  test(
    'a transaction that inserts the taken key in every run is given up, with nothing written',
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
