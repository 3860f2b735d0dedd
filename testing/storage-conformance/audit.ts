import type { AuditDifference, Storage } from '../../src/ports/storage';
import { alice, endWithdrawal, pay, resolve, trade, withdraw } from './audit-books';
import { MARKET_FAULTS } from './audit-market-faults';
import { MONEY_FAULTS } from './audit-money-faults';
import type { StorageSentence } from './contract';
import type { Suite } from './suite';
import { address, NOW, walletOf } from './samples';

const audit = (storage: Storage) => storage.snapshot((r) => r.audit.run());

/** The sentence of the port that says what the audit checks for differences of a kind. */
const SENTENCE_OF_KIND: Readonly<Record<AuditDifference['kind'], StorageSentence>> = {
  account: 'auditAccounts',
  pool: 'auditPools',
  posting: 'auditPostings',
  position: 'auditPositions',
  market: 'auditMarkets',
  counter: 'auditCounters',
  candle: 'auditCandles',
  house: 'auditHouse',
};

export function auditTests(suite: Suite): void {
  cleanAuditTests(suite);
  plantedDifferenceTests(suite);
}

function cleanAuditTests({ describe, test }: Suite): void {
  describe('the audit of books that are right', () => {
    test('finds nothing in an empty storage', 'audit', async ({ storage, check }) => {
      const checked = { wallets: 0, markets: 0, positions: 0, entries: 0 };
      check.equal(await audit(storage), { checked, treasury: 0n, external: 0n, differences: [] });
    });

    test(
      'is clean after a trade, a resolution and its payout, and between them',
      'audit',
      async ({ storage, other, check }) => {
        const id = await trade(storage);
        const checked = { wallets: 2, markets: 1, positions: 1, entries: 5 };
        const external = -100_000_000n;
        check.equal(await audit(storage), { checked, treasury: 0n, external, differences: [] }, 'traded');
        await resolve(storage, id);
        const treasury = -2_413_000n;
        check.equal(
          await audit(storage),
          { checked: { ...checked, entries: 7 }, treasury, external, differences: [] },
          'resolved',
        );
        await pay(storage, id);
        const paid = { checked: { ...checked, entries: 9 }, treasury, external, differences: [] };
        check.equal(await audit(await other()), paid, 'paid, from the other handle');
      },
    );

    test(
      'is clean while withdrawals are reserved, sent, paid and given back',
      'audit',
      async ({ storage, check }) => {
        await trade(storage);
        const differences = async () => (await audit(storage)).differences;
        const first = await withdraw(storage, 7_000_000n);
        const second = await withdraw(storage, 2_000_000n);
        check.equal(await differences(), [], 'reserved');
        await storage.transaction((transaction) =>
          transaction.withdrawals.update({ ...first, status: 'sent' }),
        );
        check.equal(await differences(), [], 'sent');
        await endWithdrawal(storage, first, 'confirmed');
        check.equal(await differences(), [], 'paid');
        await endWithdrawal(storage, second, 'failed');
        check.equal(await differences(), [], 'given back');
        const account = await storage.read((r) => r.accounts.find(alice));
        check.equal([account?.balance, account?.reserved], [90_400_000n, 0n], 'what is left');
      },
    );
  });
}

function plantedDifferenceTests({ describe, test }: Suite): void {
  describe('the audit of books that are wrong', () => {
    for (const { kind, name, plant, subject, stored, computed } of [...MONEY_FAULTS, ...MARKET_FAULTS]) {
      test(`finds ${name}`, SENTENCE_OF_KIND[kind], async ({ storage, check }) => {
        const id = await trade(storage);
        await storage.transaction((transaction) => plant(transaction, id));
        const { differences } = await audit(storage);
        const found = differences.find(
          (difference) =>
            difference.kind === kind &&
            difference.subject.includes(subject(id)) &&
            difference.stored === stored,
        );
        check.equal(
          [found?.kind, found?.stored, found?.computed],
          [kind, stored, computed],
          JSON.stringify(differences),
        );
      });
    }

    test('finds a hundred differences at most', 'auditLimit', async ({ storage, check }) => {
      await storage.transaction((transaction) =>
        transaction.accounts.apply(
          Array.from({ length: 130 }, (_, index) => ({ id: walletOf(address(index + 1)), balance: 1n })),
          NOW,
        ),
      );
      const { differences, checked } = await audit(storage);
      check.equal([differences.length, checked.wallets], [100, 130]);
      check.equal(new Set(differences.map(({ subject }) => subject)).size, 100, 'different subjects');
    });
  });
}
