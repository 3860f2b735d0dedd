import { atOnce, rolledBack, type Suite } from './suite';
import { NOW, address, sampleChallenge, sampleCreator } from './samples';

export function challengeAndCreatorTests(suite: Suite): void {
  settingsTests(suite);
  challengeTests(suite);
  creatorTests(suite);
}

function settingsTests({ describe, test }: Suite): void {
  describe('settings', () => {
    test('keep the first value of a name', 'putIfAbsent', async ({ storage, check }) => {
      check.equal(await storage.read((r) => r.settings.get('epoch')), null, 'before');
      check.equal(
        await storage.transaction((transaction) => transaction.settings.putIfAbsent('epoch', 'one')),
        'one',
      );
      check.equal(
        await storage.transaction((transaction) => transaction.settings.putIfAbsent('epoch', 'two')),
        'one',
      );
      check.equal(await storage.read((r) => r.settings.get('epoch')), 'one', 'after');
    });

    test('replace the value of a name', 'put', async ({ storage, check }) => {
      for (const value of ['one', 'two']) {
        await storage.transaction((transaction) => transaction.settings.put('epoch', value));
        check.equal(await storage.read((r) => r.settings.get('epoch')), value, value);
      }
      check.equal(await storage.read((r) => r.settings.get('other')), null, 'another name');
    });

    test('give all callers at once the same value', 'putIfAbsent', async ({ storage, other, check }) => {
      const values = await atOnce(10, [storage, await other()], (handle, index) =>
        handle.transaction((transaction) => transaction.settings.putIfAbsent('secret', `value ${index}`)),
      );
      const stored = await storage.read((r) => r.settings.get('secret'));
      check.equal(
        values,
        Array.from({ length: 10 }, () => stored),
      );
    });
  });
}

function challengeTests({ describe, test }: Suite): void {
  describe('challenges', () => {
    test(
      'are given out once, as they were stored',
      ['consume', 'whole'],
      async ({ storage, inspect, check }) => {
        const plain = sampleChallenge('plain');
        const siwe = sampleChallenge('siwe', {
          format: 'siwe',
          action: 'revoke',
          keyId: 17,
          message: 'a\nb\n\nprüfe 验证 🎲',
        });
        await storage.transaction(async (transaction) => {
          await transaction.challenges.insert(plain);
          await transaction.challenges.insert(siwe);
        });
        if (inspect !== null) check.equal(await inspect.challengeExists(plain.nonce), true, 'row before');
        for (const challenge of [plain, siwe]) {
          const consume = () =>
            storage.transaction((transaction) => transaction.challenges.consume(challenge.nonce));
          check.equal(await consume(), challenge, 'first');
          check.equal(await consume(), null, 'second');
        }
        check.equal(
          await storage.transaction((transaction) => transaction.challenges.consume('0'.repeat(48))),
          null,
          'unknown',
        );
        if (inspect !== null) check.equal(await inspect.challengeExists(plain.nonce), false, 'row after');
      },
    );

    test(
      'are consumed by exactly one of many callers at once',
      'consume',
      async ({ storage, other, check }) => {
        const challenge = sampleChallenge('contested');
        await storage.transaction((transaction) => transaction.challenges.insert(challenge));
        const taken = await atOnce(20, [storage, await other()], (handle) =>
          handle.transaction((transaction) => transaction.challenges.consume(challenge.nonce)),
        );
        check.equal(
          taken.filter((found) => found !== null),
          [challenge],
        );
      },
    );

    test(
      'can be consumed again after the consuming transaction rolled back',
      ['consume', 'atomic'],
      async ({ storage, check }) => {
        const challenge = sampleChallenge('again');
        await storage.transaction((transaction) => transaction.challenges.insert(challenge));
        await rolledBack(storage, (transaction) => transaction.challenges.consume(challenge.nonce));
        check.equal(
          await storage.transaction((transaction) => transaction.challenges.consume(challenge.nonce)),
          challenge,
        );
      },
    );

    test('that have expired are removed, at most the limit', 'deleteExpired', async ({ storage, check }) => {
      const expiries = [NOW - 3, NOW - 2, NOW - 1, NOW, NOW + 1];
      const challenges = expiries.map((expiresAt) => sampleChallenge(`expires ${expiresAt}`, { expiresAt }));
      await storage.transaction(async (transaction) => {
        for (const challenge of challenges) await transaction.challenges.insert(challenge);
      });
      const counts = [];
      for (const limit of [2, 2, 2]) {
        counts.push(
          await storage.transaction((transaction) => transaction.challenges.deleteExpired(NOW, limit)),
        );
      }
      check.equal(counts, [2, 1, 0]);
      await storage.transaction(async (transaction) => {
        const left = [];
        for (const { nonce } of challenges)
          left.push((await transaction.challenges.consume(nonce))?.expiresAt ?? null);
        check.equal(left, [null, null, null, NOW, NOW + 1]);
      });
    });
  });
}

function creatorTests({ describe, test }: Suite): void {
  describe('creators', () => {
    test('are inserted, replaced and found', ['save', 'whole'], async ({ storage, check }) => {
      const creator = sampleCreator();
      check.equal(await storage.read((r) => r.creators.find(creator.address)), null, 'before');
      await storage.transaction((transaction) => transaction.creators.save(creator));
      check.equal(await storage.read((r) => r.creators.find(creator.address)), creator);
      const rejected = sampleCreator({
        status: 'rejected',
        displayName: null,
        statement: 'Zeilen\nund 文字',
        appliedAt: null,
        approvedAt: NOW + 1,
        rejectedReason: 'no',
        updatedAt: NOW + 2,
      });
      await storage.transaction((transaction) => transaction.creators.save(rejected));
      check.equal(await storage.read((r) => r.creators.find(creator.address)), rejected, 'replaced');
    });

    test(
      'are listed by newest change, then by address, page by page',
      ['creatorList', 'ordered'],
      async ({ storage, check }) => {
        const creators = [3, 1, 4, 2, 9, 5].map((number, index) =>
          sampleCreator({
            address: address(number),
            status: index % 2 === 0 ? 'approved' : 'pending',
            updatedAt: NOW + (index < 4 ? 0 : index),
          }),
        );
        await storage.transaction(async (transaction) => {
          for (const creator of creators) await transaction.creators.save(creator);
        });
        const list = async (query: {
          status?: 'approved' | 'pending' | 'rejected';
          limit: number;
          offset: number;
        }) => {
          const { creators: page, total } = await storage.read((r) => r.creators.list(query));
          return { page: page.map((creator) => Number(creator.address)), total };
        };
        check.equal(await list({ limit: 10, offset: 0 }), { page: [5, 9, 1, 2, 3, 4], total: 6 }, 'all');
        check.equal(await list({ limit: 2, offset: 3 }), { page: [2, 3], total: 6 }, 'a page');
        check.equal(await list({ limit: 2, offset: 6 }), { page: [], total: 6 }, 'past the end');
        check.equal(
          await list({ status: 'approved', limit: 10, offset: 0 }),
          { page: [9, 3, 4], total: 3 },
          'approved',
        );
        check.equal(
          await list({ status: 'pending', limit: 1, offset: 1 }),
          { page: [1], total: 3 },
          'pending',
        );
        check.equal(
          await list({ status: 'rejected', limit: 10, offset: 0 }),
          { page: [], total: 0 },
          'rejected',
        );
      },
    );

    test(
      'are held by their lock until the end of the transaction',
      'held',
      async ({ storage, other, check }) => {
        await storage.transaction((transaction) =>
          transaction.creators.save(sampleCreator({ displayName: '' })),
        );
        const { address: who } = sampleCreator();
        await atOnce(12, [storage, await other()], (handle) =>
          handle.transaction(async (transaction) => {
            const creator = await transaction.creators.lock(who);
            if (creator !== null)
              await transaction.creators.save({ ...creator, displayName: `${creator.displayName}x` });
          }),
        );
        check.equal((await storage.read((r) => r.creators.find(who)))?.displayName, 'x'.repeat(12));
        check.equal(
          await storage.transaction((transaction) => transaction.creators.lock(address(404))),
          null,
          'unknown',
        );
      },
    );
  });
}
