import { atOnce, type Suite } from './suite';
import {
  addMarket,
  ALICE,
  BOB,
  address,
  NOW,
  recordOf,
  sampleCreator,
  sampleSettlement,
  sampleTrade,
  walletOf,
} from './samples';
import { balanceOfAlice } from './state';

export function tradeTests({ describe, test }: Suite): void {
  describe('trades', () => {
    test('get ascending ids in the order given', 'tradeIds', async ({ storage, check }) => {
      const [first, second] = [await addMarket(storage), await addMarket(storage)];
      const trades = [second, first, second, first].map(({ id }, index) =>
        sampleTrade(id, { createdAt: NOW - index }),
      );
      const ids = await storage.transaction((transaction) => transaction.trades.insert(trades));
      const more = await storage.transaction((transaction) =>
        transaction.trades.insert([sampleTrade(first.id)]),
      );
      const all = [...ids, ...more];
      check.equal(
        all,
        [...new Set(all)].sort((a, b) => a - b),
        'ascending',
      );
      const { trades: stored } = await storage.read((r) =>
        r.trades.listByWallet({ wallet: ALICE, limit: 10, offset: 1 }),
      );
      const found = stored.map(({ id, marketId, createdAt }) => [id, marketId, createdAt]);
      check.equal(
        found,
        trades.map(({ marketId, createdAt }, index) => [ids[index], marketId, createdAt]).reverse(),
      );
      check.equal(await storage.transaction((transaction) => transaction.trades.insert([])), [], 'none');
    });

    test(
      'of a market are listed newest first, settlements left out, page by page',
      ['tradesOfMarket', 'ordered'],
      async ({ storage, check }) => {
        const [market, neighbour] = [await addMarket(storage), await addMarket(storage)];
        const sell = sampleTrade(market.id, {
          wallet: BOB,
          side: 'NO',
          action: 'sell',
          realizedPnl: -4n,
          createdAt: NOW + 9,
        });
        const rows = [
          sampleTrade(market.id),
          sell,
          sampleSettlement(market.id),
          sampleTrade(neighbour.id),
          sampleTrade(market.id),
        ];
        const [first, second, , , last] = await storage.transaction((transaction) =>
          transaction.trades.insert(rows),
        );
        const list = async (query: { side?: 'YES' | 'NO'; limit: number; offset: number }) =>
          (await storage.read((r) => r.trades.listByMarket({ marketId: market.id, ...query }))).map(
            ({ id }) => id,
          );
        check.equal(await list({ limit: 10, offset: 0 }), [last, second, first], 'all');
        check.equal(await list({ limit: 1, offset: 1 }), [second], 'a page');
        check.equal(await list({ limit: 10, offset: 3 }), [], 'past the end');
        check.equal(await list({ side: 'YES', limit: 10, offset: 0 }), [last, first], 'YES');
        check.equal(await list({ side: 'NO', limit: 10, offset: 0 }), [second], 'NO');
        const no = await storage.read((r) =>
          r.trades.listByMarket({ marketId: market.id, side: 'NO', limit: 1, offset: 0 }),
        );
        check.equal(no, [{ id: second, ...sell }], 'as it was stored');
      },
    );

    test(
      'of a wallet are listed with settlements and markets, newest first',
      ['tradesOfWallet', 'tradeTotal'],
      async ({ storage, check }) => {
        const market = await addMarket(storage);
        const rows = [
          sampleTrade(market.id),
          sampleTrade(market.id, { wallet: BOB }),
          sampleSettlement(market.id),
        ];
        const ids = await storage.transaction(async (transaction) => {
          await transaction.creators.save(sampleCreator());
          await transaction.accounts.apply([{ id: walletOf(ALICE), balance: 0n, activityCount: 2 }], NOW);
          return transaction.trades.insert(rows);
        });
        const record = recordOf(market, 'Ada');
        const list = (wallet: string, offset: number) =>
          storage.read((r) => r.trades.listByWallet({ wallet, limit: 10, offset }));
        const buy = { id: ids[0], ...sampleTrade(market.id), market: record };
        const settlement = { id: ids[2], ...sampleSettlement(market.id), market: record };
        check.equal(await list(ALICE, 0), { trades: [settlement, buy], total: 2 });
        check.equal(await list(ALICE, 1), { trades: [buy], total: 2 }, 'the next page');
        check.equal(await list(address(404), 0), { trades: [], total: 0 }, 'of a wallet without an account');
      },
    );
  });
}

export function settlementTests({ describe, test }: Suite): void {
  describe('settlements', () => {
    test('of one position are rejected the second time', 'secondSettlement', async ({ storage, check }) => {
      const [market, neighbour] = [await addMarket(storage), await addMarket(storage)];
      const settle = (...fields: Parameters<typeof sampleSettlement>[1][]) =>
        storage.transaction((transaction) =>
          transaction.trades.insert(fields.map((field) => sampleSettlement(market.id, field))),
        );
      await check.rejects(settle({}, {}), 'twice in one call');
      await settle({});
      await check.rejects(settle({ createdAt: NOW + 1, totalCost: 1n }), 'again');
      await check.rejects(settle({ side: 'NO' }, {}), 'again, beside another');
      await settle({ side: 'NO' }, { wallet: BOB }, { marketId: neighbour.id });
      await storage.transaction((transaction) =>
        transaction.trades.insert([sampleTrade(market.id), sampleTrade(market.id)]),
      );
      const { trades } = await storage.read((r) =>
        r.trades.listByWallet({ wallet: ALICE, limit: 10, offset: 0 }),
      );
      const kinds = trades.map(({ type, marketId, side }) => `${type} ${marketId} ${side}`).sort();
      const trade = `trade ${market.id} YES`;
      check.equal(kinds, [
        ...[
          `settlement ${market.id} NO`,
          `settlement ${market.id} YES`,
          `settlement ${neighbour.id} YES`,
        ].sort(),
        ...[trade, trade],
      ]);
    });

    test('are paid once by many payers at once', 'secondSettlement', async ({ storage, other, check }) => {
      const { id } = await addMarket(storage);
      const paid = await atOnce(8, [storage, await other()], (handle) =>
        handle
          .transaction(async (transaction) => {
            await transaction.accounts.apply([{ id: walletOf(ALICE), balance: 5_000_000n }], NOW);
            await transaction.trades.insert([sampleSettlement(id)]);
          })
          .then(
            () => true,
            () => false,
          ),
      );
      check.equal(paid.filter(Boolean).length, 1);
      check.equal(await balanceOfAlice(storage), 5_000_000n);
    });
  });
}
