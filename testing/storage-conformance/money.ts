import type { Suite } from './suite';
import {
  addMarket,
  ALICE,
  BEYOND_DOUBLE,
  depositPosting,
  GREATEST,
  NOW,
  sampleCandle,
  sampleDeposit,
  samplePosition,
  sampleSettlement,
  sampleTrade,
  walletOf,
} from './samples';

/** Amounts that are too large for a double or for a signed 32-bit integer. */
const AMOUNTS = [BEYOND_DOUBLE, GREATEST, GREATEST - 1n, 2n ** 31n];

export function moneyTests(suite: Suite): void {
  suite.describe('money is exact', () => {
    accountMoneyTests(suite);
    marketMoneyTests(suite);
    entryMoneyTests(suite);
    positionMoneyTests(suite);
    tradeMoneyTests(suite);
    depositMoneyTests(suite);
    auditMoneyTests(suite);
  });
}

function accountMoneyTests({ test }: Suite): void {
  test('on accounts', 'exact', async ({ storage, inspect, check }) => {
    const wallet = walletOf(ALICE);
    await storage.transaction((transaction) =>
      transaction.accounts.apply(
        [
          { id: wallet, balance: BEYOND_DOUBLE, reserved: BEYOND_DOUBLE - 2n },
          { id: 'external', balance: -BEYOND_DOUBLE },
        ],
        NOW,
      ),
    );
    const account = await storage.read((r) => r.accounts.find(wallet));
    check.equal([account?.balance, account?.reserved], [BEYOND_DOUBLE, BEYOND_DOUBLE - 2n]);
    const rest = GREATEST - BEYOND_DOUBLE;
    await storage.transaction((transaction) =>
      transaction.accounts.apply(
        [
          { id: wallet, balance: rest, reserved: rest },
          { id: 'external', balance: -rest },
        ],
        NOW,
      ),
    );
    const locked = await storage.transaction((transaction) =>
      transaction.accounts.lock([wallet, 'external'], NOW),
    );
    check.equal(
      locked.map(({ balance }) => balance),
      [-GREATEST, GREATEST],
    );
    check.equal(locked[1]?.reserved, GREATEST - 2n);
    if (inspect === null) return;
    check.equal(
      await inspect.account(wallet),
      { balance: `${GREATEST}`, reserved: `${GREATEST - 2n}` },
      'row',
    );
    check.equal(await inspect.account('external'), { balance: `-${GREATEST}`, reserved: '0' }, 'row');
  });
}

function marketMoneyTests({ test }: Suite): void {
  test('on markets', 'exact', async ({ storage, inspect, check }) => {
    for (const amount of AMOUNTS) {
      const figures = {
        liquidityParameter: amount,
        sharesYes: amount,
        sharesNo: amount - 1n,
        pool: amount,
        volume: amount,
        creatorFees: amount - 2n,
      };
      const market = await addMarket(storage, { slug: `market-of-${amount}`, ...figures });
      const [found] = await storage.read((r) => r.markets.findByIds([market.id]));
      check.equal(
        { ...found, creatorDisplayName: undefined },
        { ...market, creatorDisplayName: undefined },
        'inserted',
      );
      const changed = {
        ...market,
        sharesYes: amount - 2n,
        sharesNo: amount,
        pool: amount - 4n,
        volume: amount - 6n,
        creatorFees: amount - 7n,
      };
      await storage.transaction((transaction) => transaction.markets.update([changed]));
      check.equal(
        await storage.transaction((transaction) => transaction.markets.lock([market.id])),
        [changed],
        'updated',
      );
      if (inspect === null) continue;
      const { sharesYes, sharesNo, pool, volume, creatorFees } = changed;
      const row = { liquidityParameter: amount, sharesYes, sharesNo, pool, volume, creatorFees };
      check.equal(await inspect.market(market.id), asText(row), 'row');
    }
  });

  test('in the totals of markets', 'exact', async ({ storage, check }) => {
    for (const exposure of [BEYOND_DOUBLE, GREATEST - BEYOND_DOUBLE]) {
      await storage.transaction((transaction) =>
        transaction.markets.addTotals([{ status: 'open', category: 'crypto', markets: 1, exposure }]),
      );
    }
    const totals = await storage.transaction((transaction) => transaction.markets.lockTotals());
    check.equal(totals, [{ status: 'open', category: 'crypto', markets: 2, exposure: GREATEST }]);
  });
}

function entryMoneyTests({ test }: Suite): void {
  test('on postings', 'exact', async ({ storage, inspect, check }) => {
    for (const amount of AMOUNTS) {
      const posting = depositPosting(`deposit:${amount}`, ALICE, amount);
      await storage.transaction((transaction) => transaction.postings.insert([posting]));
      check.equal(await storage.read((r) => r.postings.find(posting.reference)), posting);
      if (inspect === null) continue;
      const rows = posting.entries.map((entry) => ({ account: entry.account, amount: `${entry.amount}` }));
      check.equal(await inspect.entries(posting.reference), rows, 'rows');
    }
  });

  test('tells a posting that is one base unit off', 'exact', async ({ storage, check }) => {
    const posting = depositPosting('deposit:off', ALICE, BEYOND_DOUBLE);
    const entries = [
      { account: 'external' as const, amount: 1n - BEYOND_DOUBLE },
      ...posting.entries.slice(1),
    ];
    await check.rejects(
      storage.transaction((transaction) => transaction.postings.insert([{ ...posting, entries }])),
    );
    check.equal(await storage.read((r) => r.postings.find('deposit:off')), null);
  });
}

function positionMoneyTests({ test }: Suite): void {
  test('on positions', 'exact', async ({ storage, inspect, check }) => {
    const { id } = await addMarket(storage);
    for (const amount of AMOUNTS) {
      const figures = {
        shares: amount,
        costBasis: amount - 1n,
        realizedPnl: -amount,
        feesPaid: amount - 2n,
      };
      const position = samplePosition(id, figures);
      await storage.transaction((transaction) => transaction.positions.save([position]));
      check.equal(await storage.transaction((transaction) => transaction.positions.find([position])), [
        position,
      ]);
      const listed = await storage.read((r) =>
        r.positions.list({ wallet: ALICE, status: 'open', limit: 1, offset: 0 }),
      );
      check.equal(listed.positions[0]?.shares, amount, 'listed');
      if (inspect !== null) check.equal(await inspect.position(id, ALICE, 'YES'), asText(figures), 'row');
    }
  });
}

function tradeMoneyTests({ test }: Suite): void {
  test('on trades', 'exact', async ({ storage, inspect, check }) => {
    const { id: marketId } = await addMarket(storage);
    for (const amount of AMOUNTS) {
      const figures = {
        shares: amount,
        notional: amount - 1n,
        fee: amount - 2n,
        totalCost: amount,
        realizedPnl: -amount,
      };
      const [id = 0] = await storage.transaction((transaction) =>
        transaction.trades.insert([sampleTrade(marketId, figures)]),
      );
      const [trade] = await storage.read((r) => r.trades.listByMarket({ marketId, limit: 1, offset: 0 }));
      check.equal(trade, { id, ...sampleTrade(marketId, figures) });
      if (inspect !== null) check.equal(await inspect.trade(id), asText(figures), 'row');
    }
  });

  test('on settlements', 'exact', async ({ storage, check }) => {
    const { id: marketId } = await addMarket(storage);
    const figures = {
      shares: GREATEST,
      notional: GREATEST,
      totalCost: GREATEST,
      realizedPnl: BEYOND_DOUBLE,
    };
    await storage.transaction((transaction) =>
      transaction.trades.insert([sampleSettlement(marketId, figures)]),
    );
    const { trades } = await storage.read((r) =>
      r.trades.listByWallet({ wallet: ALICE, limit: 1, offset: 0 }),
    );
    check.equal([trades[0]?.totalCost, trades[0]?.realizedPnl], [GREATEST, BEYOND_DOUBLE]);
  });

  test('in candles', 'exact', async ({ storage, check }) => {
    const { id: marketId } = await addMarket(storage);
    const volumes = [BEYOND_DOUBLE, GREATEST - BEYOND_DOUBLE];
    for (const volume of volumes) {
      await storage.transaction((transaction) =>
        transaction.candles.merge([sampleCandle(marketId, { volume })]),
      );
      if (volume !== volumes[0]) continue;
      const first = await storage.read((r) =>
        r.candles.lastBefore({ marketId, lengthMs: 60_000, time: NOW + 1 }),
      );
      check.equal(first?.volume, BEYOND_DOUBLE, 'inserted');
    }
    const query = { marketId, lengthMs: 60_000, from: 0, to: NOW + 1, limit: 10 };
    check.equal((await storage.read((r) => r.candles.list(query)))[0]?.volume, GREATEST, 'joined');
  });
}

function depositMoneyTests({ test }: Suite): void {
  test('on deposits', 'exact', async ({ storage, check }) => {
    const deposit = sampleDeposit('big', {
      amount: BEYOND_DOUBLE,
      balanceAfter: GREATEST - 1n,
      reservedAfter: GREATEST - 2n,
    });
    await storage.transaction((transaction) => transaction.deposits.insert(deposit));
    check.equal(await storage.transaction((transaction) => transaction.deposits.find('big')), deposit);
    const after = { balance: GREATEST, reserved: GREATEST - 3n };
    await storage.transaction((transaction) => transaction.deposits.setFundsAfter('big', after));
    const found = await storage.transaction((transaction) => transaction.deposits.find('big'));
    check.equal([found?.balanceAfter, found?.reservedAfter], [after.balance, after.reserved], 'filled in');
  });
}

function auditMoneyTests({ test }: Suite): void {
  test('in the audit', 'exact', async ({ storage, check }) => {
    await storage.transaction(async (transaction) => {
      await transaction.deposits.insert(sampleDeposit('audit', { amount: BEYOND_DOUBLE }));
      await transaction.postings.insert([depositPosting('deposit:audit', ALICE, BEYOND_DOUBLE)]);
      await transaction.accounts.apply(
        [
          { id: walletOf(ALICE), balance: BEYOND_DOUBLE },
          { id: 'external', balance: -BEYOND_DOUBLE },
        ],
        NOW,
      );
    });
    const findings = await storage.snapshot((r) => r.audit.run());
    check.equal([findings.external, findings.differences], [-BEYOND_DOUBLE, []]);
    await storage.transaction((transaction) =>
      transaction.accounts.apply([{ id: walletOf(ALICE), balance: 1n }], NOW),
    );
    const [found] = (await storage.snapshot((r) => r.audit.run())).differences;
    check.equal(
      [found?.stored, found?.computed],
      [`${BEYOND_DOUBLE + 1n}`, `${BEYOND_DOUBLE}`],
      'one base unit off',
    );
  });
}

function asText<Field extends string>(figures: Record<Field, bigint>): Record<string, string> {
  return Object.fromEntries(Object.entries<bigint>(figures).map(([field, value]) => [field, `${value}`]));
}
