import { describe, expect, it } from '@jest/globals';
import { deposit } from '../../../src/usecases/accounts/deposit';
import { getAccount } from '../../../src/usecases/accounts/get-account';
import { getBalance } from '../../../src/usecases/accounts/get-balance';
import { listPositions } from '../../../src/usecases/accounts/list-positions';
import { listWalletHistory } from '../../../src/usecases/accounts/list-wallet-history';
import { createTradeQueue } from '../../../src/usecases/trading/trade-queue';
import type { PositionView } from '../../../src/views/position';
import { createWorld, HOUR, order, outcomeOf, START, wallet, type World } from '../trading/support';

const page = { limit: 20, offset: 0 };
const TRADER = wallet(1);

async function tradingWorld(): Promise<{
  world: World;
  place: ReturnType<typeof createTradeQueue>['place'];
}> {
  const world = await createWorld();
  await world.openMarket();
  await world.openMarket({ question: 'Will it snow?' });
  await world.fund(TRADER, 1000);
  return { world, place: createTradeQueue(world.context).place };
}

async function positions(world: World, status: 'open' | 'closed' | 'all' = 'open'): Promise<PositionView[]> {
  return (await listPositions(world.context, { wallet: TRADER, status, ...page })).positions;
}

describe('Positions', () => {
  it('show profit and loss by average cost, net of fees', async () => {
    const { world, place } = await tradingWorld();
    const first = (await place(order({ wallet: TRADER, size: { shares: 20_000_000n } }))).view;
    const second = (await place(order({ wallet: TRADER, size: { shares: 20_000_000n } }))).view;
    const cost = first.totalCost + second.totalCost;
    const [position] = await positions(world);
    expect(position).toMatchObject({
      marketId: 1,
      tickerId: 'PM-0001',
      status: 'open',
      side: 'YES',
      shares: 40,
    });
    expect(position?.costBasis).toBeCloseTo(cost, 6);
    expect(position?.avgPrice).toBeCloseTo(cost / 40, 6);
    expect(position?.currentPrice).toBe(second.yesPrice);
    expect(position?.feesPaid).toBeCloseTo(first.fee + second.fee, 6);
    expect(position?.maxPayout).toBe(40);
    expect(second.position).toEqual({
      side: 'YES',
      shares: 40,
      avgPrice: position?.avgPrice,
      costBasis: position?.costBasis,
    });
    const sold = (await place(order({ wallet: TRADER, action: 'sell', size: { shares: 10_000_000n } }))).view;
    const [after] = await positions(world);
    expect(after?.costBasis).toBeCloseTo(cost * 0.75, 5);
    expect(after?.realizedPnl).toBeCloseTo(sold.totalCost - cost / 4, 5);
    expect(after?.avgPrice).toBeCloseTo(cost / 40, 5);
  });

  it('are worth exactly what selling all of it then yields', async () => {
    const { world, place } = await tradingWorld();
    await place(order({ wallet: TRADER, side: 'NO', size: { amount: 123_456_789n } }));
    const [position] = await positions(world);
    const { view } = await place(order({ wallet: TRADER, side: 'NO', action: 'sell', size: 'all' }));
    expect(position?.currentValue).toBe(view.totalCost);
    expect(position?.unrealizedPnl).toBeCloseTo(view.totalCost - 123.456789, 5);
    expect(await positions(world)).toEqual([]);
    const [closed] = await positions(world, 'closed');
    expect(closed).toMatchObject({ status: 'closed', shares: 0, avgPrice: 0, costBasis: 0, currentValue: 0 });
    expect(closed?.unrealizedPnl).toBe(0);
  });

  it('are listed newest market first, YES before NO, and counted by status', async () => {
    const { world, place } = await tradingWorld();
    await place(order({ wallet: TRADER, side: 'NO' }));
    await place(order({ wallet: TRADER, side: 'YES' }));
    await place(order({ wallet: TRADER, market: '2' }));
    await place(order({ wallet: TRADER, market: '2', action: 'sell', size: 'all' }));
    const list = (status: 'open' | 'closed' | 'all') =>
      listPositions(world.context, { wallet: TRADER, status, limit: 1, offset: 0 });
    expect((await positions(world, 'all')).map(({ marketId, side }) => `${marketId} ${side}`)).toEqual([
      '2 YES',
      '1 YES',
      '1 NO',
    ]);
    expect([(await list('open')).total, (await list('closed')).total, (await list('all')).total]).toEqual([
      2, 1, 3,
    ]);
    await place(order({ wallet: TRADER, market: '2' }));
    expect([(await list('open')).total, (await list('closed')).total]).toEqual([3, 0]);
  });
});

describe('The history of a wallet', () => {
  it('shows its trades newest first, its address whole, with what each realized', async () => {
    const { world, place } = await tradingWorld();
    const bought = (await place(order({ wallet: TRADER }))).view;
    const sold = (await place(order({ wallet: TRADER, action: 'sell', size: 'all' }))).view;
    const history = await listWalletHistory(world.context, { wallet: TRADER, ...page });
    expect(history.total).toBe(2);
    expect(history.trades.map(({ id }) => id)).toEqual([sold.id, bought.id]);
    expect(history.trades[0]).toMatchObject({ type: 'trade', action: 'sell', traderAddress: TRADER });
    expect(history.trades[0]?.realizedPnl).toBeCloseTo(sold.totalCost - bought.totalCost, 6);
    expect(history.trades[1]?.realizedPnl).toBe(0);
    const empty = await listWalletHistory(world.context, { wallet: wallet(8), ...page });
    expect(empty).toEqual({ trades: [], total: 0, limit: 20, offset: 0 });
  });
});

describe('The balance of a wallet', () => {
  it('has the money and the worth of the open positions, of one moment', async () => {
    const { world, place } = await tradingWorld();
    world.advance(HOUR);
    await place(order({ wallet: TRADER }));
    await place(order({ wallet: TRADER, market: '2', side: 'NO' }));
    const value = (await positions(world)).reduce((sum, { currentValue }) => sum + currentValue, 0);
    const balance = await getBalance(world.context, { wallet: TRADER });
    expect(balance).toMatchObject({ address: TRADER, currency: 'USDC', reserved: 0 });
    expect(balance.balance).toBe(balance.available);
    expect(balance.positionsValue).toBeCloseTo(value, 6);
    expect(balance.updatedAt).toBe(new Date(START + HOUR).toISOString());
  });

  it('is all zeros for an unknown wallet, and reading it creates no account', async () => {
    const { world } = await tradingWorld();
    expect(await getBalance(world.context, { wallet: wallet(8) })).toEqual({
      address: wallet(8),
      currency: 'USDC',
      balance: 0,
      reserved: 0,
      available: 0,
      positionsValue: 0,
      updatedAt: new Date(START).toISOString(),
    });
    const zeros = { address: wallet(8), balance: 0, reserved: 0, available: 0 };
    expect(await getAccount(world.context, { address: wallet(8) })).toEqual(zeros);
    const stored = await world.storage.read((reader) => reader.accounts.find(`wallet:${wallet(8)}`));
    expect(stored).toBeNull();
  });

  it('adds up more positions than fit into a page', async () => {
    const world = await createWorld({ exposureLimit: 1_000_000 });
    await world.fund(TRADER, 10_000);
    const queue = createTradeQueue(world.context);
    for (let market = 1; market <= 1001; market += 1) await world.openMarket();
    const shares = { shares: 1_000_000n };
    await Promise.all(
      Array.from({ length: 1001 }, (_, index) =>
        queue.place(order({ wallet: TRADER, market: String(index + 1), size: shares })),
      ),
    );
    const [one] = await positions(world);
    const { positionsValue } = await getBalance(world.context, { wallet: TRADER });
    expect(positionsValue).toBeCloseTo(1001 * Number(one?.currentValue), 3);
  });
});

describe('Deposits', () => {
  const command = { address: TRADER, amount: 25_000_000n, reference: 'wire 1' };

  it('credit a reference once, however many copies come at once', async () => {
    const world = await createWorld();
    const wakeUps = world.wakeUps();
    const views = await Promise.all(Array.from({ length: 50 }, () => deposit(world.context, command)));
    expect(new Set(views.map((view) => JSON.stringify(view))).size).toBe(1);
    expect(views[0]).toEqual({
      address: TRADER,
      balance: 25,
      reserved: 0,
      available: 25,
      amount: 25,
      reference: 'wire 1',
    });
    expect((await getAccount(world.context, { address: TRADER })).balance).toBe(25);
    expect(world.wakeUps()).toBe(wakeUps + 1);
    const events = await world.events();
    expect(events.map(({ event }) => event)).toEqual(['account.balance']);
    expect(events[0]).toMatchObject({
      marketSeq: null,
      data: { address: TRADER, balance: 25, reason: 'deposit' },
    });
    const findings = await world.audit();
    expect(findings).toMatchObject({ external: -25_000_000n, differences: [] });
  });

  it('answer a repetition as before, although the balance has moved on', async () => {
    const world = await createWorld();
    const first = await deposit(world.context, command);
    await world.fund(TRADER, 100);
    expect(await deposit(world.context, command)).toEqual(first);
    expect((await getAccount(world.context, { address: TRADER })).balance).toBe(125);
  });

  it('refuse a reference with other values, over all wallets', async () => {
    const world = await createWorld();
    await deposit(world.context, command);
    for (const change of [{ amount: 25_000_001n }, { address: wallet(2) }]) {
      expect(await outcomeOf(deposit(world.context, { ...command, ...change }))).toEqual({
        code: 'IDEMPOTENCY_CONFLICT',
      });
    }
    expect((await getAccount(world.context, { address: wallet(2) })).balance).toBe(0);
  });
});
