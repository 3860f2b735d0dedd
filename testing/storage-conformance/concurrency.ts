import { atOnce, dawdle, PlantedError, type Suite } from './suite';
import { addMarket, ALICE, BOB, NOW, volumeOf, walletOf } from './samples';

export function concurrencyTests(suite: Suite): void {
  suite.describe('concurrency', () => {
    lostUpdateTests(suite);
    lockOrderTests(suite);
    conflictTests(suite);
  });
}

function lostUpdateTests({ test }: Suite): void {
  test('no update of a locked market is lost', 'serial', async ({ storage, other, check }) => {
    const { id } = await addMarket(storage);
    const handles = [storage, await other()];
    await atOnce(16, handles, (handle) =>
      handle.transaction(async (transaction) => {
        const [market] = await transaction.markets.lock([id]);
        if (market === undefined) throw new Error('the market is gone');
        await transaction.markets.update([
          { ...market, volume: market.volume + 1n, tradeCount: market.tradeCount + 1 },
        ]);
      }),
    );
    const [market] = await storage.read((r) => r.markets.findByIds([id]));
    check.equal([market?.volume, market?.tradeCount], [16n, 16]);
  });

  test('no update of a locked account is lost', 'serial', async ({ storage, other, check }) => {
    await atOnce(16, [storage, await other()], (handle, index) =>
      handle.transaction(async (transaction) => {
        const [account] = await transaction.accounts.lock([walletOf(ALICE)], NOW);
        // `apply` adds. Each transaction adds the balance that it has read, plus one. If it has read an old
        // balance, the sum is wrong.
        await transaction.accounts.apply(
          [{ id: walletOf(ALICE), balance: (account?.balance ?? 0n) + 1n }],
          NOW + index,
        );
      }),
    );
    const account = await storage.read((r) => r.accounts.find(walletOf(ALICE)));
    check.equal(account?.balance, 2n ** 16n - 1n);
  });
}

function lockOrderTests({ test }: Suite): void {
  test(
    'transactions that lock the same rows run one after the other',
    'serial',
    async ({ storage, other, check }) => {
      const { id } = await addMarket(storage);
      let inside = 0;
      let most = 0;
      await atOnce(8, [storage, await other()], (handle) =>
        handle.transaction(async (transaction) => {
          await transaction.markets.lock([id]);
          inside += 1;
          most = Math.max(most, inside);
          try {
            await dawdle(transaction);
          } finally {
            inside -= 1;
          }
        }),
      );
      check.equal(most, 1);
    },
  );

  test('transactions on different rows all come through', 'serial', async ({ storage, other, check }) => {
    const [first, second] = [await addMarket(storage), await addMarket(storage)];
    await atOnce(12, [storage, await other()], (handle, index) =>
      handle.transaction(async (transaction) => {
        const [market] = await transaction.markets.lock([index % 3 === 0 ? first.id : second.id]);
        if (market !== undefined)
          await transaction.markets.update([{ ...market, volume: market.volume + 1n }]);
        await transaction.accounts.apply([{ id: walletOf(index % 2 === 0 ? ALICE : BOB), balance: 1n }], NOW);
      }),
    );
    check.equal(await storage.read((r) => volumeOf(r, first.id)), 4n);
    check.equal(await storage.read((r) => volumeOf(r, second.id)), 8n);
    check.equal((await storage.read((r) => r.accounts.find(walletOf(BOB))))?.balance, 6n);
  });

  test(
    'rows named in opposite orders are locked without a deadlock',
    'lockAccounts',
    async ({ storage, other, check }) => {
      const ids = [
        (await addMarket(storage)).id,
        (await addMarket(storage)).id,
        (await addMarket(storage)).id,
      ];
      const accounts = [walletOf(ALICE), walletOf(BOB), 'treasury', 'external'] as const;
      const locked = await atOnce(16, [storage, await other()], (handle, index) =>
        handle.transaction(async (transaction) => {
          const turned = index % 2 === 0;
          const markets = await transaction.markets.lock(turned ? [...ids].reverse() : ids);
          const held = await transaction.accounts.lock(turned ? [...accounts].reverse() : accounts, NOW);
          return markets.length + held.length;
        }),
      );
      check.equal(
        locked,
        Array.from({ length: 16 }, () => 7),
      );
    },
  );
}

function conflictTests({ test }: Suite): void {
  test('transactions that lock in opposite orders all commit, each whole and once', 'rerun', async (t) => {
    const { storage, check } = t;
    const [one, two] = [(await addMarket(storage)).id, (await addMarket(storage)).id];
    await atOnce(2, [storage, await t.other()], (handle, index) =>
      handle.transaction(async (transaction) => {
        await transaction.settings.putIfAbsent(`meeting ${index}`, 'written');
        // The two transactions lock in opposite orders, so a database may have to abort one of them.
        for (const id of index === 0 ? [one, two] : [two, one]) {
          const [market] = await transaction.markets.lock([id]);
          if (market !== undefined)
            await transaction.markets.update([{ ...market, volume: market.volume + 1n }]);
          await dawdle(transaction);
        }
      }),
    );
    const seen = await storage.read(async (r) => [
      await volumeOf(r, one),
      await volumeOf(r, two),
      await r.settings.get('meeting 0'),
      await r.settings.get('meeting 1'),
    ]);
    check.equal(seen, [2n, 2n, 'written', 'written'], 'what both have written');
  });

  test(
    'a transaction that fails does no harm to its neighbours',
    'atomic',
    async ({ storage, other, check }) => {
      const outcomes = await atOnce(10, [storage, await other()], (handle, index) =>
        handle
          .transaction(async (transaction) => {
            await transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW);
            await dawdle(transaction);
            if (index % 2 === 1) throw new PlantedError('every other one');
          })
          .then(
            () => 'committed',
            (error: unknown) => (error instanceof PlantedError ? 'rolled back' : String(error)),
          ),
      );
      check.equal(
        outcomes,
        Array.from({ length: 10 }, (_, index) => (index % 2 === 1 ? 'rolled back' : 'committed')),
      );
      check.equal((await storage.read((r) => r.accounts.find('treasury')))?.balance, 5n);
    },
  );
}
