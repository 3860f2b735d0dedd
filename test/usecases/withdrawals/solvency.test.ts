import type { Payout, PayoutProgress } from '../../../src/ports/payout';
import { depositToTreasury } from '../../../src/usecases/accounts/deposit';
import { getTreasury } from '../../../src/usecases/accounts/get-treasury';
import { resolveMarket } from '../../../src/usecases/resolution/resolve-market';
import { PLAY_BALANCES_SETTING } from '../../../src/usecases/payments/money-of-books';
import { requestWithdrawal } from '../../../src/usecases/withdrawals/request-withdrawal';
import { processWithdrawals } from '../../../src/usecases/withdrawals/process-withdrawals';
import { newWithdrawalMemory } from '../../../src/usecases/withdrawals/withdrawal-memory';
import { fakePayout } from '../../../testing/fake-payout';
import { addressOf } from '../resolution/world';
import { ALICE, USD, withdrawalWorld, type WithdrawalWorld } from './world';

const alarmsOf = ({ withPayout }: WithdrawalWorld): string[] =>
  withPayout.alarms.list().map(({ name, subject }) => `${name}: ${subject}`);
const RAISED = ['insolvency: treasury'];

/** Alice buys one side. The returned function resolves the market in her favour. */
async function knownMarket(world: WithdrawalWorld): Promise<() => Promise<unknown>> {
  const id = await world.open();
  await world.trade(id, ALICE, 'YES', 100n * USD);
  return () => resolveMarket(world.context, { market: String(id), outcome: 'YES', note: null });
}

const refill = (world: WithdrawalWorld): Promise<unknown> =>
  depositToTreasury(world.context, { amount: 70n * USD, reference: 'capital' });

/** The first 100 of `count` withdrawals are sent and have the given progress. Then the house loses its money. */
async function crowded(count: number, progress: PayoutProgress) {
  const world = await withdrawalWorld();
  const lose = await knownMarket(world);
  const payout = fakePayout();
  payout.progressWith(progress);
  const context = { ...world.withPayout, payout };
  const memory = newWithdrawalMemory();
  const run = () => processWithdrawals(context, { owner: 'worker', memory });
  for (let number = 1; number <= count; number += 1) {
    const wallet = addressOf(0x1000 + number);
    await world.fund(wallet, 1n);
    await requestWithdrawal(context, { wallet, amount: USD, idempotencyKey: null });
    if (number === 50 || number === 100) await run();
  }
  await lose();
  return { world, payout, run };
}

describe('a withdrawal', () => {
  it('waits with an alarm while the house has lost more than it holds, and goes on when operators put it in', async () => {
    const world = await withdrawalWorld();
    await (
      await knownMarket(world)
    )();
    expect(await getTreasury(world.context)).toMatchObject({ solvent: false });
    const { id } = await world.request(50n * USD);
    const other = await world.request(5n * USD);
    await world.process();
    expect([await world.status(id), await world.status(other.id)]).toEqual(['pending', 'pending']);
    expect(world.outside.sent.size).toBe(0);
    await world.process();
    expect(alarmsOf(world)).toEqual(RAISED);
    expect(world.logged.filter((message) => message === 'alarm')).toHaveLength(1);
    await refill(world);
    await world.process();
    expect([await world.status(id), await world.status(other.id)]).toEqual(['confirmed', 'confirmed']);
    expect(alarmsOf(world)).toEqual([]);
    expect(world.outside.arrived()).toBe(55n * USD);
    await world.expectCleanAudit();
  });

  it('is named once in the log while it waits', async () => {
    const world = await withdrawalWorld();
    const memory = newWithdrawalMemory();
    const run = () => processWithdrawals(world.withPayout, { owner: 'worker', memory });
    const WAITS = 'a withdrawal waits: the treasury has too little money';
    const lines = () => world.logged.filter((message) => message === WAITS).length;
    await (
      await knownMarket(world)
    )();
    await world.request(5n * USD);
    await world.request(5n * USD);
    for (let count = 0; count < 3; count += 1) await run();
    expect(lines()).toBe(1);
    await refill(world);
    for (let count = 0; count < 3; count += 1) await run();
    expect(memory.waitsForMoney).toBeNull();
    expect(lines()).toBe(1);
  });

  it('is named again in the log when it waits for another reason, such as play balances', async () => {
    const world = await withdrawalWorld();
    const memory = newWithdrawalMemory();
    const context = { ...world.withPayout, payout: { ...fakePayout(), playMoney: false } };
    const run = () => processWithdrawals(context, { owner: 'worker', memory });
    await (
      await knownMarket(world)
    )();
    await world.request(5n * USD);
    await run();
    await world.storage.transaction(({ settings }) =>
      settings.putIfAbsent(PLAY_BALANCES_SETTING, 'payment 1'),
    );
    await refill(world);
    for (let count = 0; count < 3; count += 1) await run();
    expect(world.logged.filter((message) => message.startsWith('a withdrawal waits'))).toEqual([
      'a withdrawal waits: the treasury has too little money',
      'a withdrawal waits: this payout must not pay out play money',
    ]);
  });

  it('is not sent when the loss is booked while it is being prepared', async () => {
    const world = await withdrawalWorld();
    const lose = await knownMarket(world);
    const { id } = await world.request(5n * USD);
    const { payout } = world.outside;
    const losing: Payout = {
      ...payout,
      async prepare(order, outstanding) {
        await lose();
        return payout.prepare(order, outstanding);
      },
    };
    await world.process({ ...world.withPayout, payout: losing });
    expect(await world.status(id)).toBe('pending');
    expect(world.outside.sent.size).toBe(0);
    expect(alarmsOf(world)).toEqual(RAISED);
    await refill(world);
    await world.process();
    expect(await world.status(id)).toBe('confirmed');
  });

  it('keeps its alarm while so many others are under way that it is not prepared', async () => {
    const { world, payout, run } = await crowded(101, { status: 'pending', trouble: 'no node shows it' });
    await run();
    expect(alarmsOf(world)).toContain(RAISED[0]);
    payout.progressWith({ status: 'pending' });
    for (let count = 0; count < 2; count += 1) await run();
    expect(payout.orders).toHaveLength(100);
    expect(alarmsOf(world)).toEqual(RAISED);
    await refill(world);
    await run();
    expect(alarmsOf(world)).toEqual([]);
  });

  it('raises its alarm while so many others are under way that it is not prepared', async () => {
    const { world, run } = await crowded(101, { status: 'pending' });
    await run();
    expect(alarmsOf(world)).toEqual(RAISED);
  });

  it('that does not exist raises no alarm, however many others are under way', async () => {
    const { world, payout, run } = await crowded(100, { status: 'pending' });
    await run();
    expect(payout.orders).toHaveLength(100);
    expect(alarmsOf(world)).toEqual([]);
  });

  it('that was sent before is finished', async () => {
    const world = await withdrawalWorld();
    const lose = await knownMarket(world);
    const { id } = await world.request(5n * USD);
    const { payout } = world.outside;
    const slow: Payout = { ...payout, check: async () => ({ status: 'pending' }) };
    await world.process({ ...world.withPayout, payout: slow });
    expect(await world.status(id)).toBe('sent');
    await lose();
    await world.process();
    expect(await world.status(id)).toBe('confirmed');
    expect(alarmsOf(world)).toEqual([]);
  });

  it('does not wait for losses that the limit allows and that are not made yet', async () => {
    const world = await withdrawalWorld();
    await knownMarket(world);
    const { id } = await world.request(5n * USD);
    await world.process();
    expect(await world.status(id)).toBe('confirmed');
  });
});
