import { developmentPayout } from '../../../adapters/payout/development';
import type { Payout } from '../../../src/ports/payout';
import { processWithdrawals } from '../../../src/usecases/withdrawals/process-withdrawals';
import { newWithdrawalMemory } from '../../../src/usecases/withdrawals/withdrawal-memory';
import { requestWithdrawal } from '../../../src/usecases/withdrawals/request-withdrawal';
import { fakePayout } from '../../../testing/fake-payout';
import { addressOf } from '../resolution/world';
import { USD, withdrawalWorld, type WithdrawalWorld } from './world';

const MINUTE_MS = 60_000;

async function askFor(world: WithdrawalWorld, count: number, from = 1): Promise<void> {
  for (let number = from; number < from + count; number += 1) {
    const wallet = addressOf(0x1000 + number);
    await world.fund(wallet, 1n);
    await requestWithdrawal(world.withPayout, { wallet, amount: USD, idempotencyKey: null });
  }
}

const statuses = (world: WithdrawalWorld, from: number, to: number): Promise<Set<string | undefined>> =>
  Promise.all(Array.from({ length: to - from + 1 }, (_, index) => world.status(from + index))).then(
    (found) => new Set(found),
  );

describe('after the payout adapter was replaced', () => {
  async function replaced(next: (made: Payout) => Payout) {
    const world = await withdrawalWorld();
    await askFor(world, 100);
    const before = { ...world.context, payout: fakePayout() };
    before.payout.prepareWith(null);
    const foreign: Payout = {
      ...before.payout,
      prepare: async ({ id }) => ({ status: 'prepared', state: `{"foreign":${id}}`, transaction: null }),
      check: async () => ({ status: 'pending' }),
    };
    for (let run = 0; run < 2; run += 1)
      await processWithdrawals({ ...before, payout: foreign }, { owner: 'worker' });
    expect(await statuses(world, 1, 100)).toEqual(new Set(['sent']));
    await askFor(world, 10, 101);
    const context = { ...world.context, payout: next(developmentPayout()) };
    const memory = newWithdrawalMemory();
    const run = () => processWithdrawals(context, { owner: 'worker', memory });
    return { world, context, run };
  }

  it('only what the old one had sent waits, with an alarm; none of it counts as paid', async () => {
    const { world, context, run } = await replaced((payout) => payout);
    for (let count = 0; count < 3; count += 1) await run();
    expect(await statuses(world, 101, 110)).toEqual(new Set(['confirmed']));
    expect(await statuses(world, 1, 100)).toEqual(new Set(['sent']));
    expect(context.alarms.list().filter(({ name }) => name === 'payout')).toHaveLength(100);
    await world.expectCleanAudit();
  });

  it('by one that rejects states it does not know, they raise alarms within 15 minutes, and the others go on', async () => {
    const { world, context, run } = await replaced((payout) => ({
      ...payout,
      check: (state) =>
        state.includes('foreign') ? Promise.reject(new Error('unreadable')) : payout.check(state),
    }));
    world.clock.advance(15 * MINUTE_MS);
    for (let count = 0; count < 3; count += 1) await run();
    expect(await statuses(world, 101, 110)).toEqual(new Set(['confirmed']));
    expect(context.alarms.list().filter(({ name }) => name === 'payout')).toHaveLength(100);
  });
});

it('1,000 withdrawals in trouble hold up all others, so a broken payout cannot add to them without bound', async () => {
  const world = await withdrawalWorld();
  const payout = fakePayout();
  payout.progressWith({ status: 'pending', trouble: 'no node shows it' });
  const context = { ...world.context, payout };
  await askFor(world, 1_050);
  const memory = newWithdrawalMemory();
  for (let run = 0; run < 40; run += 1) await processWithdrawals(context, { owner: 'worker', memory });
  const listed = await world.storage.read((reader) =>
    reader.withdrawals.listOpen({ status: 'sent', afterId: 0, limit: 2_000 }),
  );
  expect(listed).toHaveLength(1_000);
});

describe('the alarm of a withdrawal that waits', () => {
  async function waiting(payout: Payout | null) {
    const world = await withdrawalWorld();
    const { id } = await world.request(10n * USD);
    const context = { ...world.context, payout };
    const memory = newWithdrawalMemory();
    const run = () => processWithdrawals(context, { owner: 'worker', memory });
    const alarms = () => context.alarms.list().map(({ name, subject }) => `${name}: ${subject}`);
    return { world, id, run, alarms };
  }

  it('is raised after 15 minutes without gas or tokens, and is over when it is paid', async () => {
    const payout = fakePayout();
    payout.prepareWith({ status: 'unavailable', reason: 'the treasury has no gas' });
    const { world, id, run, alarms } = await waiting(payout);
    await run();
    world.clock.advance(15 * MINUTE_MS - 1);
    await run();
    expect(alarms()).toEqual([]);
    world.clock.advance(1);
    await run();
    await run();
    expect(alarms()).toEqual([`waiting: withdrawal ${id}`]);
    expect(world.logged.filter((message) => message === 'alarm')).toHaveLength(1);
    payout.prepareWith(null);
    await run();
    expect(alarms()).toEqual([]);
  });

  it('is raised where the payout was taken away', async () => {
    const { world, id, run, alarms } = await waiting(null);
    world.clock.advance(15 * MINUTE_MS);
    await run();
    expect(alarms()).toEqual([`waiting: withdrawal ${id}`]);
  });

  it('is raised for one that was asked for by a clock that was a day ahead', async () => {
    const payout = fakePayout();
    payout.prepareWith({ status: 'unavailable', reason: 'the treasury has no gas' });
    const { world, id, run, alarms } = await waiting(payout);
    world.clock.advance(-24 * 60 * MINUTE_MS);
    await run();
    expect(alarms()).toEqual([`waiting: withdrawal ${id}`]);
  });
});

describe('a withdrawal that was sent, and of which the payout says only that it is under way', () => {
  const underWay = { status: 'pending' } as const;

  it('raises an alarm after an hour, which is over when it is paid', async () => {
    const world = await withdrawalWorld();
    const payout = fakePayout();
    payout.progressWith(underWay);
    const context = { ...world.context, payout };
    const memory = newWithdrawalMemory();
    const run = () => processWithdrawals(context, { owner: 'worker', memory });
    const alarms = () => context.alarms.list().map(({ name, subject }) => `${name}: ${subject}`);
    const { id } = await world.request(10n * USD);
    await run();
    world.clock.advance(60 * MINUTE_MS - 1);
    await run();
    expect(alarms()).toEqual([]);
    world.clock.advance(1);
    for (let count = 0; count < 3; count += 1) await run();
    expect(alarms()).toEqual([`payout: withdrawal ${id}`]);
    expect(world.logged.filter((message) => message === 'alarm')).toHaveLength(1);
    payout.progressWith(null);
    await run();
    expect(alarms()).toEqual([]);
  });

  it('holds up no others after an hour, also beside 99 such ones', async () => {
    const world = await withdrawalWorld();
    const payout = fakePayout();
    const check: Payout['check'] = async (state) =>
      [...new Set(payout.submitted)].indexOf(state) < 100
        ? underWay
        : { status: 'confirmed', transaction: state };
    const context = { ...world.context, payout: { ...payout, check } };
    const memory = newWithdrawalMemory();
    const run = () => processWithdrawals(context, { owner: 'worker', memory });
    await askFor(world, 100);
    await run();
    await run();
    await askFor(world, 1, 101);
    await run();
    expect(await statuses(world, 1, 101)).toEqual(new Set(['sent', 'pending']));
    world.clock.advance(61 * MINUTE_MS);
    for (let count = 0; count < 4; count += 1) await run();
    expect(await world.status(101)).toBe('confirmed');
  });
});
