import type { Market } from '../../src/domain/types';
import { atOnce, rolledBack, type Suite } from './suite';
import type { Storage } from '../../src/ports/storage';
import { addMarket, ALICE, BEYOND_DOUBLE, CREATOR, GREATEST, HOUR, NOW } from './samples';

export function marketTotalTests({ describe, test }: Suite): void {
  const add = { status: 'open', category: 'crypto', markets: 1, exposure: 69n } as const;

  describe('totals of markets', () => {
    test('are added to, row by row', 'addTotals', async ({ storage, check }) => {
      check.equal(
        await storage.transaction((transaction) => transaction.markets.lockTotals()),
        [],
        'at first',
      );
      await storage.transaction((transaction) =>
        transaction.markets.addTotals([add, { ...add, category: 'other', markets: 2 }]),
      );
      await storage.transaction((transaction) =>
        transaction.markets.addTotals([
          { ...add, markets: -1, exposure: -69n },
          { ...add, status: 'resolved', exposure: 0n },
        ]),
      );
      const totals = await storage.transaction((transaction) => transaction.markets.lockTotals());
      const byName = Object.fromEntries(totals.map((total) => [`${total.status} ${total.category}`, total]));
      check.equal(byName, {
        'open crypto': { ...add, markets: 0, exposure: 0n },
        'open other': { ...add, category: 'other', markets: 2 },
        'resolved crypto': { ...add, status: 'resolved', exposure: 0n },
      });
    });

    test('are not touched by the insert of a market', 'insertTotals', async ({ storage, check }) => {
      await addMarket(storage);
      check.equal(await storage.transaction((transaction) => transaction.markets.lockTotals()), []);
      const list = await storage.read((r) =>
        r.markets.list({ sort: 'created_desc', now: NOW, limit: 0, offset: 0 }),
      );
      check.equal(list.markets, [], 'a page of nothing');
    });

    test(
      'are read while another holds them, as they were committed',
      'totals',
      async ({ storage, other, check }) => {
        await storage.transaction((transaction) => transaction.markets.addTotals([add]));
        const reading = await other();
        const seen = await storage.transaction(async (transaction) => {
          await transaction.markets.lockTotals();
          await transaction.markets.addTotals([add]);
          // If there can be no second handle, `reading` is the first one. A read would then wait for this
          // transaction, so the test does not read.
          if (reading === storage) return null;
          return reading.read((r) => r.markets.totals());
        });
        check.equal(seen ?? [add], [add], 'beside the transaction');
        check.equal(await storage.read((r) => r.markets.totals()), [{ ...add, markets: 2, exposure: 138n }]);
      },
    );

    test(
      'lose no addition, and are locked until the transaction ends',
      'lockTotals',
      async ({ storage, other, check }) => {
        await storage.transaction((transaction) =>
          transaction.markets.addTotals([{ ...add, markets: 0, exposure: 0n }]),
        );
        await rolledBack(storage, (transaction) => transaction.markets.addTotals([add]));
        const allowed = await atOnce(12, [storage, await other()], (handle) =>
          handle.transaction(async (transaction) => {
            const totals = await transaction.markets.lockTotals();
            if (totals.reduce((sum, total) => sum + total.markets, 0) >= 5) return false;
            await transaction.markets.addTotals([add]);
            return true;
          }),
        );
        check.equal(allowed.filter(Boolean).length, 5, 'admitted under a limit of five');
        const totals = await storage.transaction((transaction) => transaction.markets.lockTotals());
        check.equal(totals, [{ ...add, markets: 5, exposure: 345n }]);
      },
    );
  });
}

export function houseRiskTests({ describe, test }: Suite): void {
  const risk = { creator: CREATOR, liquidityParameter: BEYOND_DOUBLE, unresolved: 1, lost: 0n };
  const small = { ...risk, liquidityParameter: 100_000_000n };
  const of = (storage: Storage, creator = CREATOR) => storage.read((r) => r.markets.risksOf(creator));

  describe('what the house has at stake with a creator', () => {
    test('is added to, by liquidity parameter', 'risksOf', async ({ storage, check }) => {
      check.equal(await of(storage), [], 'at first');
      const cost = { ...risk, unresolved: -1, lost: -BEYOND_DOUBLE };
      for (const change of [risk, small, { ...small, lost: GREATEST }, risk, cost])
        await storage.transaction((transaction) => transaction.markets.addRisk(change));
      await storage.transaction((transaction) => transaction.markets.addRisk({ ...small, creator: ALICE }));
      const [lesser, greater] = [
        { ...small, unresolved: 2, lost: GREATEST },
        { ...risk, unresolved: 1, lost: -BEYOND_DOUBLE },
      ];
      check.equal(await of(storage), [lesser, greater]);
      check.equal(await of(storage, ALICE), [{ ...small, creator: ALICE }], 'of another creator');
    });

    test(
      'loses no addition, and keeps none that was rolled back',
      'addRisk',
      async ({ storage, other, check }) => {
        await rolledBack(storage, (transaction) => transaction.markets.addRisk(risk));
        check.equal(await of(storage), [], 'rolled back');
        await atOnce(12, [storage, await other()], (handle) =>
          handle.transaction((transaction) => transaction.markets.addRisk({ ...risk, lost: 5n })),
        );
        check.equal(await of(storage), [{ ...risk, unresolved: 12, lost: 60n }]);
      },
    );
  });
}

export function dueMarketTests({ describe, test }: Suite): void {
  const lease = { awaitsOracle: false, now: NOW, leaseUntil: NOW + HOUR, limit: 100 };

  describe('due markets', () => {
    test('are leased earliest first, at most the limit', 'leaseMarkets', async ({ storage, check }) => {
      const dues = [NOW - 1, NOW - 5, null, NOW, NOW + 1, NOW - 3];
      const markets: Market[] = [];
      for (const dueAt of dues) markets.push(await addMarket(storage, { dueAt, leaseToken: 3 }));
      const take = (limit: number) =>
        storage.transaction((transaction) => transaction.markets.leaseDue({ ...lease, limit }));
      const asLeased = (index: number) => ({ ...markets[index], dueAt: NOW + HOUR, leaseToken: 4 });
      check.equal(await take(2), [asLeased(1), asLeased(5)], 'the first two');
      check.equal(await take(10), [asLeased(0), asLeased(3)], 'the rest');
      check.equal(await take(10), [], 'none is left');
      check.equal(
        await storage.transaction((transaction) => transaction.markets.lock([markets[1]?.id ?? 0])),
        [asLeased(1)],
        'stored',
      );
    });

    test(
      'are leased for a round of the oracle, or for another step',
      'leaseMarkets',
      async ({ storage, check }) => {
        const forRound = await addMarket(storage, { dueAt: NOW, awaitsOracle: true });
        const forStep = await addMarket(storage, { dueAt: NOW });
        const take = async (awaitsOracle: boolean) =>
          (
            await storage.transaction((transaction) =>
              transaction.markets.leaseDue({ ...lease, awaitsOracle }),
            )
          ).map(({ id }) => id);
        check.equal(await take(true), [forRound.id], 'for a round');
        check.equal(await take(false), [forStep.id], 'for another step');
        await storage.transaction((transaction) =>
          transaction.markets.update([{ ...forStep, awaitsOracle: true }]),
        );
        check.equal([await take(false), await take(true)], [[], [forStep.id]], 'changed');
      },
    );

    test(
      'fall due again when the lease is over, with a higher token',
      'leaseMarkets',
      async ({ storage, check }) => {
        const { id } = await addMarket(storage, { dueAt: NOW });
        const tokens = [];
        for (let round = 0; round < 3; round += 1) {
          const now = NOW + round * HOUR;
          const taken = await storage.transaction((transaction) =>
            transaction.markets.leaseDue({ awaitsOracle: false, now, leaseUntil: now + HOUR, limit: 1 }),
          );
          tokens.push(...taken.map(({ leaseToken }) => leaseToken));
        }
        check.equal(tokens, [1, 2, 3]);
        const [market] = await storage.transaction((transaction) => transaction.markets.lock([id]));
        check.equal([market?.dueAt, market?.leaseToken], [NOW + 3 * HOUR, 3]);
      },
    );

    test('are never taken by two at once', 'leaseMarkets', async ({ storage, other, check }) => {
      const ids: number[] = [];
      for (let index = 0; index < 20; index += 1)
        ids.push((await addMarket(storage, { dueAt: NOW - index })).id);
      const taken: number[] = [];
      await atOnce(6, [storage, await other()], async (handle) => {
        // A caller may get fewer markets than are due while other callers take markets. So each caller repeats
        // until no market is left.
        for (let round = 0; round < 40; round += 1) {
          const mine = await handle.transaction((transaction) =>
            transaction.markets.leaseDue({ ...lease, limit: 2 }),
          );
          taken.push(...mine.map(({ id }) => id));
          if (taken.length >= ids.length) return;
        }
      });
      check.equal(
        taken.sort((a, b) => a - b),
        ids,
      );
      const markets = await storage.transaction((transaction) => transaction.markets.lock(ids));
      check.equal(
        markets.map(({ leaseToken }) => leaseToken),
        ids.map(() => 1),
        'tokens',
      );
    });
  });
}
