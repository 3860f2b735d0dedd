import type { AccountChange } from '../../src/domain/types';
import { atOnce, type Suite } from './suite';
import { ALICE, BOB, depositPosting, MINUTE, NOW, walletOf } from './samples';

const alice = walletOf(ALICE);
const bob = walletOf(BOB);

export function ledgerTests(suite: Suite): void {
  accountTests(suite);
  walletLimitTests(suite);
  postingTests(suite);
}

function accountTests({ describe, test }: Suite): void {
  const empty = { balance: 0n, reserved: 0n, activityCount: 0, openPositions: 0, totalPositions: 0 };

  describe('accounts', () => {
    test(
      'are created empty by their lock and returned in ascending order',
      'lockAccounts',
      async ({ storage, check }) => {
        check.equal(await storage.read((r) => r.accounts.find(alice)), null, 'before');
        await storage.transaction((transaction) =>
          transaction.accounts.apply([{ id: alice, balance: 7n }], NOW),
        );
        const locked = await storage.transaction((transaction) =>
          transaction.accounts.lock([bob, 'treasury', alice, 'external'], NOW + 1),
        );
        const created = { ...empty, updatedAt: NOW + 1 };
        check.equal(locked, [
          { id: 'external', ...created },
          { id: 'treasury', ...created },
          { id: bob, ...created },
          { id: alice, ...empty, balance: 7n, updatedAt: NOW },
        ]);
        check.equal(await storage.read((r) => r.accounts.find(bob)), { id: bob, ...created }, 'stored');
        check.equal(
          await storage.transaction((transaction) => transaction.accounts.lock([], NOW)),
          [],
          'nothing asked',
        );
      },
    );

    test('are added to, and created as needed', 'apply', async ({ storage, inspect, check }) => {
      const counters = { activityCount: 3, openPositions: 2, totalPositions: 4 };
      await storage.transaction((transaction) =>
        transaction.accounts.apply(
          [
            { id: alice, balance: 10n, reserved: 4n, ...counters },
            { id: bob, balance: 1n },
            { id: 'treasury', balance: -5n },
            { id: 'external', balance: -6n },
          ],
          NOW,
        ),
      );
      await storage.transaction((transaction) =>
        transaction.accounts.apply(
          [{ id: alice, balance: -2n, reserved: -1n, activityCount: 1, openPositions: -1 }],
          NOW + 5,
        ),
      );
      const account = await storage.read((r) => r.accounts.find(alice));
      const sums = { balance: 8n, reserved: 3n, activityCount: 4, openPositions: 1, totalPositions: 4 };
      check.equal(account, { id: alice, ...sums, updatedAt: NOW + 5 });
      const others = await storage.read(async (r) => [
        await r.accounts.find(bob),
        await r.accounts.find('treasury'),
        await r.accounts.find('external'),
      ]);
      check.equal(
        others.map((other) => other?.balance),
        [1n, -5n, -6n],
        'the others',
      );
      if (inspect !== null) check.equal(await inspect.account(alice), { balance: '8', reserved: '3' }, 'row');
    });

    test('lose no addition that many make at once', 'apply', async ({ storage, other, check }) => {
      await atOnce(20, [storage, await other()], (handle) =>
        handle.transaction((transaction) =>
          transaction.accounts.apply(
            [
              { id: 'external', balance: -3n },
              { id: alice, balance: 3n, activityCount: 1 },
            ],
            NOW,
          ),
        ),
      );
      const found = await storage.read(async (r) => [
        await r.accounts.find(alice),
        await r.accounts.find('external'),
      ]);
      check.equal(
        found.map((account) => account?.balance),
        [60n, -60n],
      );
      check.equal(found[0]?.activityCount, 20);
    });
  });
}

function walletLimitTests({ describe, test }: Suite): void {
  describe('wallets', () => {
    test(
      'never fall below zero, nor below what is reserved',
      'overdraft',
      async ({ storage, inspect, check }) => {
        const change = (...changes: AccountChange[]) =>
          storage.transaction((transaction) => transaction.accounts.apply(changes, NOW));
        await change({ id: alice, balance: 10n, reserved: 4n });
        await check.rejects(change({ id: alice, balance: -11n }), 'below zero');
        await check.rejects(change({ id: alice, balance: -7n }), 'below what is reserved');
        await check.rejects(change({ id: alice, balance: 0n, reserved: 7n }), 'more reserved than there is');
        await check.rejects(change({ id: bob, balance: -1n }), 'a new wallet');
        await check.rejects(change({ id: bob, balance: 5n }, { id: alice, balance: -7n }), 'one of two');
        const account = await storage.read((r) => r.accounts.find(alice));
        check.equal([account?.balance, account?.reserved], [10n, 4n], 'unchanged');
        check.equal(await storage.read((r) => r.accounts.find(bob)), null, 'not created');
        if (inspect !== null) check.equal(await inspect.account(bob), null, 'row');
        await change({ id: alice, balance: -6n });
        await change({ id: alice, balance: -4n, reserved: -4n });
        check.equal(
          (await storage.read((r) => r.accounts.find(alice)))?.balance,
          0n,
          'spent to the last unit',
        );
      },
    );

    test('are not overdrawn by many who spend at once', 'overdraft', async ({ storage, other, check }) => {
      await storage.transaction((transaction) =>
        transaction.accounts.apply([{ id: alice, balance: 10n }], NOW),
      );
      const spent = await atOnce(16, [storage, await other()], (handle) =>
        handle
          .transaction((transaction) => transaction.accounts.apply([{ id: alice, balance: -2n }], NOW))
          .then(
            () => true,
            () => false,
          ),
      );
      check.equal(spent.filter(Boolean).length, 5);
      check.equal((await storage.read((r) => r.accounts.find(alice)))?.balance, 0n);
    });
  });
}

function postingTests({ describe, test }: Suite): void {
  describe('postings', () => {
    test(
      'of a posting come back in the order in which they were written',
      'posting',
      async ({ storage, inspect, check }) => {
        const posting = {
          kind: 'trade' as const,
          reference: 'trade:17 ≠ 文字',
          createdAt: NOW + MINUTE,
          entries: [
            { account: bob, amount: -1_000n },
            { account: 'market:3' as const, amount: 900n },
            { account: alice, amount: 60n },
            { account: 'market:3' as const, amount: 39n },
            { account: alice, amount: 1n },
          ],
        };
        await storage.transaction((transaction) =>
          transaction.postings.insert([depositPosting('deposit:x', ALICE, 5n), posting]),
        );
        check.equal(await storage.read((r) => r.postings.find(posting.reference)), posting);
        check.equal(await storage.read((r) => r.postings.find('trade:18')), null, 'unknown');
        if (inspect === null) return;
        const rows = posting.entries.map(({ account, amount }) => ({ account, amount: `${amount}` }));
        check.equal(await inspect.entries(posting.reference), rows, 'rows');
      },
    );

    test(
      'that do not sum to zero are rejected, with all that came with them',
      'badPosting',
      async ({ storage, check }) => {
        const good = depositPosting('deposit:good', ALICE, 5n);
        const bad = {
          ...depositPosting('deposit:bad', ALICE, 5n),
          entries: [{ account: alice, amount: 5n }],
        };
        await check.rejects(
          storage.transaction((transaction) => transaction.postings.insert([bad])),
          'alone',
        );
        await check.rejects(
          storage.transaction((transaction) => transaction.postings.insert([good, bad])),
          'beside a good one',
        );
        // Each of the two postings is wrong, although their sums cancel out.
        const opposite = { ...bad, reference: 'deposit:opposite', entries: [{ account: bob, amount: -5n }] };
        await check.rejects(
          storage.transaction((transaction) => transaction.postings.insert([bad, opposite])),
          'beside its opposite',
        );
        const found = await storage.read(async (r) => [
          await r.postings.find('deposit:good'),
          await r.postings.find('deposit:bad'),
        ]);
        check.equal(found, [null, null]);
      },
    );

    test('under a reference that exists are rejected', 'badPosting', async ({ storage, check }) => {
      const first = depositPosting('deposit:once', ALICE, 5n);
      await storage.transaction((transaction) => transaction.postings.insert([first]));
      const again = depositPosting('deposit:once', BOB, 6n);
      const free = depositPosting('deposit:free', BOB, 6n);
      await check.rejects(
        storage.transaction((transaction) => transaction.postings.insert([free, again])),
        'in a later transaction',
      );
      await check.rejects(
        storage.transaction((transaction) => transaction.postings.insert([free, free])),
        'in one call',
      );
      check.equal(await storage.read((r) => r.postings.find('deposit:once')), first, 'unchanged');
      check.equal(await storage.read((r) => r.postings.find('deposit:free')), null, 'not written');
    });

    test(
      'are written once when many write one reference at once',
      'badPosting',
      async ({ storage, other, check }) => {
        const written = await atOnce(10, [storage, await other()], (handle, index) =>
          handle
            .transaction((transaction) =>
              transaction.postings.insert([depositPosting('deposit:contested', ALICE, BigInt(index + 1))]),
            )
            .then(
              () => index + 1,
              () => 0,
            ),
        );
        const winners = written.filter((amount) => amount > 0);
        check.equal(winners.length, 1);
        const posting = await storage.read((r) => r.postings.find('deposit:contested'));
        check.equal(posting?.entries[1]?.amount, BigInt(winners[0] ?? 0));
      },
    );
  });
}
