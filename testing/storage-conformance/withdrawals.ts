import type { Withdrawal } from '../../src/domain/withdrawals';
import type { NewWithdrawal, Storage } from '../../src/ports/storage';
import { atOnce, rolledBack, type Suite } from './suite';
import { ALICE, BOB, GREATEST, NOW, sampleWithdrawal, walletOf } from './samples';

/** Inserts a withdrawal as the service does: under the lock of the wallet's account. */
const insert = (storage: Storage, fields: Partial<NewWithdrawal> = {}): Promise<Withdrawal> =>
  storage.transaction(async (transaction) => {
    await transaction.accounts.lock([walletOf(fields.wallet ?? ALICE)], NOW);
    return transaction.withdrawals.insert(sampleWithdrawal(fields));
  });

export function withdrawalTests(suite: Suite): void {
  suite.describe('withdrawals', () => {
    withdrawalListTests(suite);
    withdrawalLifeTests(suite);
  });
}

function withdrawalListTests({ test }: Suite): void {
  test(
    'are kept whole, and counted for each wallet',
    ['whole', 'withdrawalIds'],
    async ({ storage, check }) => {
      const fields = {
        amount: GREATEST,
        payoutState: '{"raw":"0x00 ≠ 文字"}',
        transaction: '0xab',
        reason: 'why',
      };
      const first = await insert(storage, fields);
      check.equal(first, { ...sampleWithdrawal(fields), id: first.id, walletSeq: 1 });
      check.equal(await storage.read((r) => r.withdrawals.find(first.id)), first, 'found');
      check.equal(await storage.read((r) => r.withdrawals.find(first.id + 1_000)), null, 'unknown');
      check.equal((await insert(storage)).walletSeq, 2, 'second');
      check.equal((await insert(storage, { wallet: BOB })).walletSeq, 1, 'of the other wallet');
    },
  );

  test(
    'are listed newest first, each wallet for itself',
    ['newestFirst', 'withdrawalTotal'],
    async ({ storage, check }) => {
      const ids: number[] = [];
      for (let number = 0; number < 5; number += 1) ids.push((await insert(storage)).id);
      await insert(storage, { wallet: BOB });
      const page = await storage.read((r) => r.withdrawals.list({ wallet: ALICE, limit: 2, offset: 1 }));
      check.equal(page.total, 5, 'total');
      check.equal(
        page.withdrawals.map(({ id }) => id),
        [...ids].reverse().slice(1, 3),
      );
      const none = await storage.read((r) =>
        r.withdrawals.list({ wallet: walletOf(ALICE).slice(-40), limit: 2, offset: 0 }),
      );
      check.equal(none, { withdrawals: [], total: 0 }, 'of a wallet without any');
    },
  );

  test('are open while pending or sent, oldest first', 'openWithdrawals', async ({ storage, check }) => {
    const made: Withdrawal[] = [];
    for (const status of ['pending', 'sent', 'confirmed', 'failed', 'pending', 'sent'] as const)
      made.push(await insert(storage, { status }));
    const open = (afterId: number, limit: number): Promise<number[]> =>
      storage.read(async (r) => (await r.withdrawals.listOpen({ afterId, limit })).map(({ id }) => id));
    const expected = [0, 1, 4, 5].map((at) => made[at]?.id ?? 0);
    check.equal(await open(0, 10), expected, 'all');
    check.equal(await open(0, 3), expected.slice(0, 3), 'limited');
    check.equal(await open(expected[1] ?? 0, 10), expected.slice(2), 'after one');
  });

  test(
    'are listed by one status, and counted by wallet, while open',
    ['openOfStatus', 'countOpen'],
    async ({ storage, check }) => {
      const made: Withdrawal[] = [];
      for (const status of ['pending', 'sent', 'confirmed', 'failed', 'pending', 'sent'] as const)
        made.push(await insert(storage, { status }));
      await insert(storage, { wallet: BOB, status: 'sent' });
      const open = (status: 'pending' | 'sent', afterId: number, limit: number): Promise<number[]> =>
        storage.read(async (r) =>
          (await r.withdrawals.listOpen({ status, afterId, limit })).map(({ id }) => id),
        );
      const ids = (...at: number[]): number[] => at.map((index) => made[index]?.id ?? 0);
      check.equal(await open('pending', 0, 10), ids(0, 4), 'pending');
      check.equal(await open('pending', ids(0)[0] ?? 0, 10), ids(4), 'pending after one');
      check.equal(await open('sent', 0, 2), ids(1, 5), 'sent, limited');
      check.equal(await storage.read((r) => r.withdrawals.countOpen(ALICE)), 4, 'open');
      check.equal(await storage.read((r) => r.withdrawals.countOpen(BOB)), 1, 'of the other wallet');
      const last = made[5];
      if (last === undefined) throw new Error('There is no last withdrawal');
      await storage.transaction((transaction) =>
        transaction.withdrawals.update({ ...last, status: 'confirmed' }),
      );
      check.equal(await storage.read((r) => r.withdrawals.countOpen(ALICE)), 3, 'after an end');
      check.equal(await open('sent', 0, 1), ids(1), 'sent after an end');
    },
  );
}

function withdrawalLifeTests({ test }: Suite): void {
  test(
    'change in what belongs to their life, and in nothing else',
    'updateWithdrawal',
    async ({ storage, check }) => {
      const { id, walletSeq } = await insert(storage);
      const changed = {
        ...sampleWithdrawal({
          status: 'confirmed',
          payoutState: 'state',
          transaction: '0xcd',
          reason: 'r',
        }),
        updatedAt: NOW + 5,
      };
      await storage.transaction(async (transaction) => {
        const locked = await transaction.withdrawals.lock(id);
        check.equal(locked, { ...sampleWithdrawal(), id, walletSeq }, 'locked');
        await transaction.withdrawals.update({
          ...changed,
          id,
          walletSeq: 77,
          wallet: BOB,
          amount: 1n,
          createdAt: 1,
        });
      });
      check.equal(await storage.read((r) => r.withdrawals.find(id)), { ...changed, id, walletSeq });
      await check.rejects(
        storage.transaction((transaction) =>
          transaction.withdrawals.update({ ...changed, id: id + 1_000, walletSeq }),
        ),
        'an unknown one',
      );
    },
  );

  test(
    'of one wallet at the same time get numbers in a row',
    'withdrawalIds',
    async ({ storage, other, check }) => {
      const made = await atOnce(10, [storage, await other()], (handle) => insert(handle));
      const ascending = [...made].sort((a, b) => a.id - b.id);
      check.equal(
        ascending.map(({ walletSeq }) => walletSeq),
        Array.from({ length: 10 }, (_, index) => index + 1),
      );
    },
  );

  test('that were rolled back were never there', 'atomic', async ({ storage, check }) => {
    await rolledBack(storage, (transaction) => transaction.withdrawals.insert(sampleWithdrawal()));
    check.equal(await storage.read((r) => r.withdrawals.listOpen({ afterId: 0, limit: 5 })), []);
    check.equal((await insert(storage)).walletSeq, 1);
  });
}
