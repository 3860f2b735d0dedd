import type { Candle, Position } from '../../domain/types';
import { atOnce, type Suite } from './suite';
import {
  addMarket,
  ALICE,
  BOB,
  address,
  HOUR,
  MINUTE,
  NOW,
  recordOf,
  sampleCandle,
  sampleCreator,
  samplePosition,
  sampleSettlement,
  sampleTrade,
  walletOf,
} from './samples';

export function tradingTests(suite: Suite): void {
  positionTests(suite);
  tradeTests(suite);
  settlementTests(suite);
  candleTests(suite);
}

function positionTests({ describe, test }: Suite): void {
  describe('positions', () => {
    test('are inserted, replaced and found on both sides', async ({ storage, check }) => {
      const [first, second] = [await addMarket(storage), await addMarket(storage)];
      const yes = samplePosition(first.id);
      const no = samplePosition(first.id, {
        side: 'NO',
        shares: 3n,
        realizedPnl: -7n,
        settled: true,
        updatedAt: NOW + 1,
      });
      const ofBob = samplePosition(second.id, { wallet: BOB });
      await storage.transaction((tx) => tx.positions.save([yes, no, ofBob]));
      const find = (...keys: { marketId: number; wallet: string }[]) =>
        storage.transaction(async (tx) => inOrder(await tx.positions.find(keys)));
      const ofAlice = { marketId: first.id, wallet: ALICE };
      check.equal(await find(ofAlice), inOrder([yes, no]), 'both sides');
      check.equal(
        await find(ofAlice, { marketId: second.id, wallet: ALICE }),
        inOrder([yes, no]),
        'those that exist',
      );
      check.equal(
        await find({ marketId: second.id, wallet: BOB }, ofAlice),
        inOrder([yes, no, ofBob]),
        'several',
      );
      check.equal(await find(), [], 'nothing asked');
      const sold = { ...yes, shares: 0n, costBasis: 0n, realizedPnl: 5n, feesPaid: 9n, updatedAt: NOW + 2 };
      await storage.transaction((tx) => tx.positions.save([sold]));
      check.equal(await find(ofAlice), inOrder([sold, no]), 'replaced');
    });

    test('are listed by newest market, YES before NO, open or closed, page by page', async ({
      storage,
      check,
    }) => {
      const markets = [await addMarket(storage), await addMarket(storage), await addMarket(storage)];
      const [a = 0, b = 0, c = 0] = markets.map(({ id }) => id);
      await storage.transaction(async (tx) => {
        await tx.positions.save([
          samplePosition(b, { side: 'NO' }),
          samplePosition(b),
          samplePosition(a, { shares: 0n, settled: true }),
          samplePosition(c, { side: 'NO' }),
          samplePosition(c, { shares: 0n }),
          samplePosition(a, { side: 'NO' }),
          samplePosition(a, { wallet: BOB }),
        ]);
        await tx.accounts.apply(
          [{ id: walletOf(ALICE), balance: 0n, openPositions: 4, totalPositions: 6 }],
          NOW,
        );
      });
      const list = async (status: 'open' | 'closed' | 'all', limit: number, offset: number) => {
        const { positions, total } = await storage.read((r) =>
          r.positions.list({ wallet: ALICE, status, limit, offset }),
        );
        return { page: positions.map(({ marketId, side }) => `${marketId} ${side}`), total };
      };
      const open = [`${c} NO`, `${b} YES`, `${b} NO`, `${a} NO`];
      const all = [`${c} YES`, `${c} NO`, `${b} YES`, `${b} NO`, `${a} YES`, `${a} NO`];
      check.equal(await list('open', 10, 0), { page: open, total: 4 }, 'open');
      check.equal(await list('open', 2, 1), { page: open.slice(1, 3), total: 4 }, 'a page');
      check.equal(await list('closed', 10, 0), { page: [`${c} YES`, `${a} YES`], total: 2 }, 'closed');
      check.equal(await list('all', 10, 0), { page: all, total: 6 }, 'all');
      check.equal(await list('all', 10, 4), { page: all.slice(4), total: 6 }, 'the last page');
    });

    test('are listed with their market', async ({ storage, check }) => {
      const market = await addMarket(storage, { volume: 5n });
      await storage.transaction(async (tx) => {
        await tx.creators.save(sampleCreator());
        await tx.positions.save([samplePosition(market.id)]);
        await tx.accounts.apply(
          [{ id: walletOf(ALICE), balance: 0n, openPositions: 1, totalPositions: 1 }],
          NOW,
        );
      });
      const query = { status: 'open', limit: 10, offset: 0 } as const;
      const { positions } = await storage.read((r) => r.positions.list({ ...query, wallet: ALICE }));
      check.equal(positions, [{ ...samplePosition(market.id), market: recordOf(market, 'Ada') }]);
      const stranger = await storage.read((r) => r.positions.list({ ...query, wallet: address(404) }));
      check.equal(stranger, { positions: [], total: 0 }, 'of a wallet without an account');
    });

    test('are unsettled while they have shares and no payout', async ({ storage, check }) => {
      const [market, neighbour] = [await addMarket(storage), await addMarket(storage)];
      const wallets = [5, 3, 9, 1, 7].map(address);
      await storage.transaction(async (tx) => {
        await tx.positions.save(wallets.map((wallet) => samplePosition(market.id, { wallet })));
        await tx.positions.save([
          samplePosition(market.id, { wallet: address(3), side: 'NO' }),
          samplePosition(market.id, { wallet: address(2), settled: true }),
          samplePosition(market.id, { wallet: address(4), shares: 0n }),
          samplePosition(neighbour.id, { wallet: address(6) }),
        ]);
      });
      const list = (limit: number) =>
        storage.transaction((tx) => tx.positions.listUnsettled(market.id, limit));
      const numbers = (positions: Position[]) => positions.map(({ wallet }) => Number(wallet));
      check.equal(numbers(await list(100)), [1, 3, 3, 5, 7, 9], 'by wallet');
      const chunk = await list(3);
      check.equal(numbers(chunk), [1, 3, 3], 'at most as many as told');
      await storage.transaction((tx) =>
        tx.positions.save(chunk.map((position) => ({ ...position, shares: 0n, settled: true }))),
      );
      check.equal(numbers(await list(3)), [5, 7, 9], 'the next chunk');
    });
  });
}

const inOrder = (positions: Position[]): Position[] =>
  [...positions].sort((a, b) => a.marketId - b.marketId || (a.wallet + a.side < b.wallet + b.side ? -1 : 1));

function tradeTests({ describe, test }: Suite): void {
  describe('trades', () => {
    test('get ascending ids in the order given', async ({ storage, check }) => {
      const [first, second] = [await addMarket(storage), await addMarket(storage)];
      const trades = [second, first, second, first].map(({ id }, index) =>
        sampleTrade(id, { createdAt: NOW - index }),
      );
      const ids = await storage.transaction((tx) => tx.trades.insert(trades));
      const more = await storage.transaction((tx) => tx.trades.insert([sampleTrade(first.id)]));
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
      check.equal(await storage.transaction((tx) => tx.trades.insert([])), [], 'none');
    });

    test('of a market are listed newest first, settlements left out, page by page', async ({
      storage,
      check,
    }) => {
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
      const [first, second, , , last] = await storage.transaction((tx) => tx.trades.insert(rows));
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
    });

    test('of a wallet are listed with settlements and markets, newest first', async ({ storage, check }) => {
      const market = await addMarket(storage);
      const rows = [
        sampleTrade(market.id),
        sampleTrade(market.id, { wallet: BOB }),
        sampleSettlement(market.id),
      ];
      const ids = await storage.transaction(async (tx) => {
        await tx.creators.save(sampleCreator());
        await tx.accounts.apply([{ id: walletOf(ALICE), balance: 0n, activityCount: 2 }], NOW);
        return tx.trades.insert(rows);
      });
      const record = recordOf(market, 'Ada');
      const list = (wallet: string, offset: number) =>
        storage.read((r) => r.trades.listByWallet({ wallet, limit: 10, offset }));
      const buy = { id: ids[0], ...sampleTrade(market.id), market: record };
      const settlement = { id: ids[2], ...sampleSettlement(market.id), market: record };
      check.equal(await list(ALICE, 0), { trades: [settlement, buy], total: 2 });
      check.equal(await list(ALICE, 1), { trades: [buy], total: 2 }, 'the next page');
      check.equal(await list(address(404), 0), { trades: [], total: 0 }, 'of a wallet without an account');
    });
  });
}

function settlementTests({ describe, test }: Suite): void {
  describe('settlements', () => {
    test('of one position are rejected the second time', async ({ storage, check }) => {
      const [market, neighbour] = [await addMarket(storage), await addMarket(storage)];
      const settle = (...fields: Parameters<typeof sampleSettlement>[1][]) =>
        storage.transaction((tx) =>
          tx.trades.insert(fields.map((field) => sampleSettlement(market.id, field))),
        );
      await check.rejects(settle({}, {}), 'twice in one call');
      await settle({});
      await check.rejects(settle({ createdAt: NOW + 1, totalCost: 1n }), 'again');
      await check.rejects(settle({ side: 'NO' }, {}), 'again, beside another');
      await settle({ side: 'NO' }, { wallet: BOB }, { marketId: neighbour.id });
      await storage.transaction((tx) => tx.trades.insert([sampleTrade(market.id), sampleTrade(market.id)]));
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

    test('are paid once by many payers at once', async ({ storage, other, check }) => {
      const { id } = await addMarket(storage);
      const paid = await atOnce(8, [storage, await other()], (handle) =>
        handle
          .transaction(async (tx) => {
            await tx.accounts.apply([{ id: walletOf(ALICE), balance: 5_000_000n }], NOW);
            await tx.trades.insert([sampleSettlement(id)]);
          })
          .then(
            () => true,
            () => false,
          ),
      );
      check.equal(paid.filter(Boolean).length, 1);
      check.equal((await storage.read((r) => r.accounts.find(walletOf(ALICE))))?.balance, 5_000_000n);
    });
  });
}

function candleTests({ describe, test }: Suite): void {
  const start = NOW - (NOW % HOUR);
  const at = (marketId: number, minute: number, fields: Partial<Candle> = {}): Candle =>
    sampleCandle(marketId, { time: start + minute * MINUTE, ...fields });

  describe('candles', () => {
    test('join into the stored bucket', async ({ storage, check }) => {
      const { id } = await addMarket(storage);
      const list = () =>
        storage.read((r) =>
          r.candles.list({ marketId: id, resolutionMs: MINUTE, from: 0, to: NOW * 2, limit: 10 }),
        );
      const merge = (fields: Partial<Candle>) =>
        storage.transaction((tx) => tx.candles.merge([at(id, 0, fields)]));
      await merge({ open: 500_000, high: 520_000, low: 490_000, close: 510_000, volume: 10n, trades: 3 });
      await merge({ open: 1, high: 515_000, low: 495_000, close: 500_001, volume: 5n, trades: 1 });
      const inner = { open: 500_000, high: 520_000, low: 490_000, close: 500_001, volume: 15n, trades: 4 };
      check.equal(await list(), [at(id, 0, inner)], 'within the range');
      await merge({ open: 2, high: 600_000, low: 400_000, close: 450_000, volume: 0n, trades: 0 });
      check.equal(
        await list(),
        [at(id, 0, { ...inner, high: 600_000, low: 400_000, close: 450_000 })],
        'beyond the range',
      );
    });

    test('are kept apart by market and resolution', async ({ storage, check }) => {
      const [first, second] = [await addMarket(storage), await addMarket(storage)];
      const candles = [
        at(first.id, 0),
        at(second.id, 0, { close: 7 }),
        at(first.id, 0, { resolutionMs: HOUR, close: 8 }),
      ];
      await storage.transaction((tx) => tx.candles.merge(candles));
      for (const candle of candles) {
        const { marketId, resolutionMs } = candle;
        const query = { marketId, resolutionMs, from: 0, to: NOW * 2, limit: 10 };
        check.equal(await storage.read((r) => r.candles.list(query)), [candle]);
      }
    });

    test('are listed ascending from an instant to before another, the newest of them', async ({
      storage,
      check,
    }) => {
      const { id } = await addMarket(storage);
      await storage.transaction((tx) => tx.candles.merge([4, 0, 9, 2, 7].map((minute) => at(id, minute))));
      const minutes = async (from: number, to: number, limit: number) => {
        const query = {
          marketId: id,
          resolutionMs: MINUTE,
          from: start + from * MINUTE,
          to: start + to * MINUTE,
          limit,
        };
        return (await storage.read((r) => r.candles.list(query))).map(({ time }) => (time - start) / MINUTE);
      };
      check.equal(await minutes(0, 100, 10), [0, 2, 4, 7, 9], 'all');
      check.equal(await minutes(2, 9, 10), [2, 4, 7], 'from inclusive, to exclusive');
      check.equal(await minutes(0, 100, 2), [7, 9], 'the newest two');
      check.equal(await minutes(0, 9, 2), [4, 7], 'the newest two before an instant');
      check.equal(await minutes(5, 7, 10), [], 'none');
    });

    test('have a last one before an instant', async ({ storage, check }) => {
      const { id } = await addMarket(storage);
      await storage.transaction((tx) => tx.candles.merge([at(id, 2), at(id, 5, { close: 7 })]));
      const last = (time: number) =>
        storage.read((r) => r.candles.lastBefore({ marketId: id, resolutionMs: MINUTE, time }));
      check.equal(await last(start + 100 * MINUTE), at(id, 5, { close: 7 }), 'long after');
      check.equal(await last(start + 5 * MINUTE), at(id, 2), 'at the start of a bucket');
      check.equal(await last(start + 2 * MINUTE), null, 'before all');
    });
  });
}
