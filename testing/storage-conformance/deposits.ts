import { atOnce, dawdle, PlantedError, rolledBack, type Suite } from './suite';
import { address, ALICE, BOB, depositPosting, GREATEST, NOW, sampleDeposit, walletOf } from './samples';
import { balanceOfAlice } from './state';
import type { Address } from '../../src/domain/types';

export function depositTests({ describe, test }: Suite): void {
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
        check.equal(await balanceOfAlice(storage), 25_000_000n);
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
        check.equal(await balanceOfAlice(storage), 1n);
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
