import type { Position } from '../../src/domain/types';
import type { Suite } from './suite';
import {
  addMarket,
  ALICE,
  BOB,
  address,
  NOW,
  recordOf,
  sampleCreator,
  samplePosition,
  walletOf,
} from './samples';

export function positionTests(suite: Suite): void {
  suite.describe('positions', () => {
    storedPositionTests(suite);
    positionListTests(suite);
    unpaidPositionTests(suite);
  });
}

function storedPositionTests({ test }: Suite): void {
  test(
    'are inserted, replaced and found on both sides',
    ['savePositions', 'findPositions'],
    async ({ storage, check }) => {
      const [first, second] = [await addMarket(storage), await addMarket(storage)];
      const yes = samplePosition(first.id);
      const no = samplePosition(first.id, {
        side: 'NO',
        shares: 3n,
        realizedPnl: -7n,
        paidOut: true,
        updatedAt: NOW + 1,
      });
      const ofBob = samplePosition(second.id, { wallet: BOB });
      await storage.transaction((transaction) => transaction.positions.save([yes, no, ofBob]));
      const find = (...keys: { marketId: number; wallet: string }[]) =>
        storage.transaction(async (transaction) => inOrder(await transaction.positions.find(keys)));
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
      await storage.transaction((transaction) => transaction.positions.save([sold]));
      check.equal(await find(ofAlice), inOrder([sold, no]), 'replaced');
    },
  );
}

function positionListTests({ test }: Suite): void {
  test(
    'are listed by newest market, YES before NO, open or closed, page by page',
    ['positionOrder', 'openPositions', 'positionTotal'],
    async ({ storage, check }) => {
      const markets = [await addMarket(storage), await addMarket(storage), await addMarket(storage)];
      const [a = 0, b = 0, c = 0] = markets.map(({ id }) => id);
      await storage.transaction(async (transaction) => {
        await transaction.positions.save([
          samplePosition(b, { side: 'NO' }),
          samplePosition(b),
          samplePosition(a, { shares: 0n, paidOut: true }),
          samplePosition(c, { side: 'NO' }),
          samplePosition(c, { shares: 0n }),
          samplePosition(a, { side: 'NO' }),
          samplePosition(a, { wallet: BOB }),
        ]);
        await transaction.accounts.apply(
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
    },
  );

  test('that are open are walked through from any place on', 'walk', async ({ storage, check }) => {
    const markets = [await addMarket(storage), await addMarket(storage)];
    const [a = 0, b = 0] = markets.map(({ id }) => id);
    await storage.transaction((transaction) =>
      transaction.positions.save([
        samplePosition(a),
        samplePosition(a, { side: 'NO' }),
        samplePosition(b, { shares: 0n }),
        samplePosition(b, { side: 'NO' }),
        samplePosition(b, { wallet: BOB }),
      ]),
    );
    const walk = async (after: { marketId: number; side: 'YES' | 'NO' } | null, limit: number) => {
      const found = await storage.read((r) => r.positions.listOpenAfter({ wallet: ALICE, after, limit }));
      return found.map(({ side, market }) => `${market.id} ${side}`);
    };
    const open = [`${b} NO`, `${a} YES`, `${a} NO`];
    check.equal(await walk(null, 10), open, 'from the first');
    check.equal(await walk(null, 2), open.slice(0, 2), 'at most the limit');
    check.equal(await walk({ marketId: b, side: 'YES' }, 10), open, 'behind a place where nothing is open');
    check.equal(await walk({ marketId: b, side: 'NO' }, 10), open.slice(1), 'behind the first');
    check.equal(await walk({ marketId: a, side: 'YES' }, 10), open.slice(2), 'between two sides');
    check.equal(await walk({ marketId: a, side: 'NO' }, 10), [], 'behind the last');
  });

  test('are listed with their market', ['whole', 'displayName'], async ({ storage, check }) => {
    const market = await addMarket(storage, { volume: 5n });
    await storage.transaction(async (transaction) => {
      await transaction.creators.save(sampleCreator());
      await transaction.positions.save([samplePosition(market.id)]);
      await transaction.accounts.apply(
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
}

function unpaidPositionTests({ test }: Suite): void {
  test(
    'wait for their payout while they have shares and are not paid out',
    'unpaid',
    async ({ storage, check }) => {
      const [market, neighbour] = [await addMarket(storage), await addMarket(storage)];
      const wallets = [5, 3, 9, 1, 7].map(address);
      await storage.transaction(async (transaction) => {
        await transaction.positions.save(wallets.map((wallet) => samplePosition(market.id, { wallet })));
        await transaction.positions.save([
          samplePosition(market.id, { wallet: address(3), side: 'NO' }),
          samplePosition(market.id, { wallet: address(2), paidOut: true }),
          samplePosition(market.id, { wallet: address(4), shares: 0n }),
          samplePosition(neighbour.id, { wallet: address(6) }),
        ]);
      });
      const list = (limit: number) =>
        storage.transaction((transaction) => transaction.positions.listUnpaid(market.id, limit));
      const numbers = (positions: Position[]) => positions.map(({ wallet }) => Number(wallet));
      check.equal(numbers(await list(100)), [1, 3, 3, 5, 7, 9], 'by wallet');
      const chunk = await list(3);
      check.equal(numbers(chunk), [1, 3, 3], 'at most the limit');
      await storage.transaction((transaction) =>
        transaction.positions.save(chunk.map((position) => ({ ...position, shares: 0n, paidOut: true }))),
      );
      check.equal(numbers(await list(3)), [5, 7, 9], 'the next chunk');
    },
  );
}

const inOrder = (positions: Position[]): Position[] =>
  [...positions].sort((a, b) => a.marketId - b.marketId || (a.wallet + a.side < b.wallet + b.side ? -1 : 1));
