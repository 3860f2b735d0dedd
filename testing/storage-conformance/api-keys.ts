import type { Scope } from '../../src/domain/types';
import { atOnce, type Suite } from './suite';
import { ALICE, BOB, MINUTE, NOW, address, sampleKey } from './samples';

export function apiKeyTests(suite: Suite): void {
  suite.describe('API keys', () => {
    storedKeyTests(suite);
    revokedKeyTests(suite);
    changedKeyTests(suite);
  });
}

function storedKeyTests({ test }: Suite): void {
  test('come back as they were stored, under ascending ids', 'whole', async ({ storage, check }) => {
    const plain = sampleKey('plain');
    const full = sampleKey('full', {
      label: 'bot ≠ человек 🎲',
      scopes: ['account:withdraw', 'markets:read'],
      rateLimit: 6000,
      lastUsedAt: NOW + 5,
    });
    const [first, second] = await storage.transaction(async (transaction) => [
      await transaction.apiKeys.insert(plain),
      await transaction.apiKeys.insert(full),
    ]);
    check.equal(first, { id: first?.id, ...plain });
    check.equal(second, { id: second?.id, ...full });
    check.equal((first?.id ?? 0) < (second?.id ?? 0), true, 'ascending ids');
    check.equal(await storage.read((r) => r.apiKeys.find(second?.id ?? 0)), second, 'find');
    check.equal(await storage.read((r) => r.apiKeys.find(999_999)), null, 'unknown');
    check.equal(await storage.read((r) => r.apiKeys.findActiveByHashes([full.hash])), [second], 'by hash');
  });

  test(
    'are listed by id for their wallet, without the revoked ones',
    'keysById',
    async ({ storage, check }) => {
      const ids = await storage.transaction(async (transaction) => {
        const made: number[] = [];
        for (const name of ['a', 'b', 'c', 'd'])
          made.push((await transaction.apiKeys.insert(sampleKey(name))).id);
        await transaction.apiKeys.insert(sampleKey('of bob', { wallet: BOB }));
        await transaction.apiKeys.revoke(made[1] ?? 0, ALICE, NOW);
        return made;
      });
      const listed = await storage.read((r) => r.apiKeys.listActive(ALICE));
      check.equal(
        listed.map(({ id }) => id),
        [ids[0], ids[2], ids[3]],
      );
      check.equal(await storage.read((r) => r.apiKeys.listActive(address(404))), [], 'no keys');
    },
  );

  test('are found by hash unless unknown or revoked', 'keysByHash', async ({ storage, check }) => {
    const keys = await storage.transaction(async (transaction) => [
      await transaction.apiKeys.insert(sampleKey('one')),
      await transaction.apiKeys.insert(sampleKey('two', { wallet: BOB })),
      await transaction.apiKeys.insert(sampleKey('three')),
    ]);
    await storage.transaction((transaction) => transaction.apiKeys.revoke(keys[2]?.id ?? 0, ALICE, NOW));
    const hashes = [...keys.map(({ hash }) => hash), 'f'.repeat(64)];
    const found = await storage.read((r) => r.apiKeys.findActiveByHashes(hashes));
    check.equal(
      found.map(({ id }) => id).sort((a, b) => a - b),
      [keys[0]?.id, keys[1]?.id],
    );
    check.equal(await storage.read((r) => r.apiKeys.findActiveByHashes([])), [], 'nothing asked');
  });
}

function revokedKeyTests({ test }: Suite): void {
  test(
    'are revoked once, by their wallet only, and returned as they were',
    'revoke',
    async ({ storage, other, check }) => {
      const key = await storage.transaction((transaction) =>
        transaction.apiKeys.insert(sampleKey('short-lived')),
      );
      const revoke = (id: number, wallet: string) =>
        storage.transaction((transaction) => transaction.apiKeys.revoke(id, wallet, NOW + 7));
      check.equal(await revoke(key.id, BOB), null, 'another wallet');
      check.equal(await revoke(999_999, ALICE), null, 'unknown id');
      check.equal(await revoke(key.id, ALICE), key);
      check.equal(await revoke(key.id, ALICE), null, 'again');
      for (const handle of [storage, await other()]) {
        check.equal(
          await handle.read((r) => r.apiKeys.findActiveByHashes([key.hash])),
          [],
          'revoked at once, everywhere',
        );
        check.equal((await handle.read((r) => r.apiKeys.find(key.id)))?.revokedAt, NOW + 7);
      }
    },
  );

  test(
    'are revoked by exactly one of many callers at once',
    'revokeOnce',
    async ({ storage, other, check }) => {
      const key = await storage.transaction((transaction) =>
        transaction.apiKeys.insert(sampleKey('contested')),
      );
      const answers = await atOnce(20, [storage, await other()], (handle) =>
        handle.transaction((transaction) => transaction.apiKeys.revoke(key.id, ALICE, NOW)),
      );
      check.equal(
        answers.filter((answer) => answer !== null),
        [key],
      );
    },
  );
}

function changedKeyTests({ test }: Suite): void {
  test('change their quota and scopes while they are active', 'updateKey', async ({ storage, check }) => {
    const key = await storage.transaction((transaction) => transaction.apiKeys.insert(sampleKey('changing')));
    const update = (change: { rateLimit?: number; scopes?: Scope[] }) =>
      storage.transaction((transaction) => transaction.apiKeys.update(key.id, change));
    check.equal(await update({ rateLimit: 600 }), { ...key, rateLimit: 600 }, 'quota');
    check.equal(
      await update({ scopes: ['account:read'] }),
      { ...key, rateLimit: 600, scopes: ['account:read'] },
      'scopes',
    );
    const both = { ...key, rateLimit: 7, scopes: [] };
    check.equal(await update({ rateLimit: 7, scopes: [] }), both, 'both');
    check.equal(await storage.read((r) => r.apiKeys.find(key.id)), both, 'stored');
    check.equal(
      await storage.transaction((transaction) => transaction.apiKeys.update(999_999, { rateLimit: 1 })),
      null,
      'unknown',
    );
    await storage.transaction((transaction) => transaction.apiKeys.revoke(key.id, ALICE, NOW));
    check.equal(await update({ rateLimit: 1 }), null, 'revoked');
  });

  test('move their last use forward, never back', 'touch', async ({ storage, check }) => {
    const [one, two] = await storage.transaction(async (transaction) => [
      await transaction.apiKeys.insert(sampleKey('one')),
      await transaction.apiKeys.insert(sampleKey('two', { lastUsedAt: NOW + MINUTE })),
    ]);
    if (one === undefined || two === undefined) throw new Error('insert returned nothing');
    const lastUses = async () => [
      (await storage.read((r) => r.apiKeys.find(one.id)))?.lastUsedAt,
      (await storage.read((r) => r.apiKeys.find(two.id)))?.lastUsedAt,
    ];
    const touch = (first: number, second: number) =>
      storage.transaction((transaction) =>
        transaction.apiKeys.touch([
          { id: one.id, usedAt: first },
          { id: two.id, usedAt: second },
        ]),
      );
    await touch(NOW + 5, NOW + 5);
    check.equal(await lastUses(), [NOW + 5, NOW + MINUTE]);
    await touch(NOW + 4, NOW + 2 * MINUTE);
    check.equal(await lastUses(), [NOW + 5, NOW + 2 * MINUTE]);
  });
}
