import { createJobs } from '../../../src/jobs';
import { fakePayout } from '../../../testing/fake-payout';
import { processWithdrawals } from '../../../src/usecases/withdrawals/process-withdrawals';
import { newWithdrawalMemory } from '../../../src/usecases/withdrawals/withdrawal-memory';
import { requestWithdrawal } from '../../../src/usecases/withdrawals/request-withdrawal';
import type { PayoutProgress } from '../../../src/ports/payout';
import { manualTimers, quiet } from '../../jobs/manual-timers';
import { noWebhooks } from '../../jobs/no-webhooks';
import { addressOf, createWorld, type World } from '../resolution/world';
import { ALICE, LEASE_OVER_MS, USD, withdrawalWorld } from './world';

async function crowd(count: number) {
  const world = await createWorld();
  const payout = fakePayout();
  const context = { ...world.context, payout };
  for (let number = 1; number <= count; number += 1) {
    await world.fund(addressOf(number), 1n);
    const command = { wallet: addressOf(number), amount: USD, idempotencyKey: null };
    await requestWithdrawal(context, command);
  }
  return { world, payout, context };
}

const openOf = (world: World): Promise<number> =>
  world.storage.read(
    async (reader) => (await reader.withdrawals.listOpen({ afterId: 0, limit: 1_000 })).length,
  );

describe('requests for withdrawals', () => {
  it('are refused while a wallet has five open ones, and taken again when one has ended', async () => {
    const world = await withdrawalWorld();
    for (let count = 0; count < 5; count += 1) await world.request(USD);
    await expect(world.request(USD)).rejects.toMatchObject({ code: 'WITHDRAWAL_LIMIT', status: 409 });
    expect(await world.account()).toEqual({ balance: 100n * USD, reserved: 5n * USD });
    await world.process();
    await world.request(USD);
    await world.expectCleanAudit();
  });

  it('are counted rightly when many come at once, and are answered at the limit when they are repeated', async () => {
    const world = await withdrawalWorld();
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) => world.request(USD, `key-${number}`)),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const first = asked.findIndex(({ status }) => status === 'fulfilled');
    await world.request(USD, `key-${first}`);
    expect((await world.account()).reserved).toBe(5n * USD);
  });
});

describe('a run over withdrawals', () => {
  it('is bounded in time, and every withdrawal has its turn over the runs', async () => {
    const { world, payout, context } = await crowd(40);
    const slow = {
      ...context,
      payout: {
        ...payout,
        async prepare(...given: Parameters<typeof payout.prepare>) {
          world.clock.advance(6_000);
          return payout.prepare(...given);
        },
      },
    };
    const memory = newWithdrawalMemory();
    let runs = 0;
    while ((await openOf(world)) > 0 && runs < 100) {
      const { open } = await processWithdrawals(slow, { owner: 'worker', memory });
      expect(open).toBeLessThan(20);
      runs += 1;
    }
    expect(await openOf(world)).toBe(0);
    await world.expectCleanAudit();
  });

  it('does not let withdrawals that cannot be paid keep others waiting', async () => {
    const { world, payout, context } = await crowd(60);
    const choosy = {
      ...context,
      payout: {
        ...payout,
        prepare: (...[order, outstanding]: Parameters<typeof payout.prepare>) =>
          order.id <= 50
            ? Promise.resolve({ status: 'unavailable' as const, reason: 'the treasury is short' })
            : payout.prepare(order, outstanding),
      },
    };
    const memory = newWithdrawalMemory();
    for (let run = 0; run < 30; run += 1) await processWithdrawals(choosy, { owner: 'worker', memory });
    expect(await openOf(world)).toBe(50);
  });

  it('checks several at once where the payout allows it, and prepares one at a time', async () => {
    const { payout, context } = await crowd(40);
    const most = { check: 0, prepare: 0 };
    const now = { check: 0, prepare: 0 };
    async function watched<T>(name: 'check' | 'prepare', call: () => Promise<T>): Promise<T> {
      now[name] += 1;
      most[name] = Math.max(most[name], now[name]);
      await quiet();
      now[name] -= 1;
      return call();
    }
    const wide = {
      ...context,
      payout: {
        ...payout,
        atOnce: 8,
        prepare: (...given: Parameters<typeof payout.prepare>) =>
          watched('prepare', () => payout.prepare(...given)),
        check: (state: string) => watched('check', () => payout.check(state)),
      },
    };
    while ((await processWithdrawals(wide, { owner: 'worker' })).progressed);
    expect(most).toEqual({ check: 8, prepare: 1 });
  });

  it('prepares no more when the payout is busy, and goes on when it is not', async () => {
    const { world, payout, context } = await crowd(10);
    const narrow = {
      ...context,
      payout: {
        ...payout,
        prepare: (...[order, outstanding]: Parameters<typeof payout.prepare>) =>
          outstanding.length >= 3
            ? Promise.resolve({ status: 'busy' as const })
            : payout.prepare(order, outstanding),
      },
    };
    const logged = world.logged.length;
    expect((await processWithdrawals(narrow, { owner: 'worker' })).progressed).toBe(true);
    expect(payout.submitted).toHaveLength(3);
    while ((await processWithdrawals(narrow, { owner: 'worker' })).progressed);
    expect(await openOf(world)).toBe(0);
    expect(world.logged.length).toBe(logged);
  });

  it('sends no more than a hundred, also while their checks fail', async () => {
    const { payout, context } = await crowd(130);
    const unknown = { ...payout, check: () => Promise.reject(new Error('the node lacks its archive')) };
    const memory = newWithdrawalMemory();
    for (let run = 0; run < 6; run += 1)
      await processWithdrawals({ ...context, payout: unknown }, { owner: 'worker', memory });
    expect(payout.orders).toHaveLength(100);
  });

  it('that takes long and gets on is healthy, and one that stands still is not', async () => {
    const { world, payout, context } = await crowd(30);
    let prepared = 0;
    let isHealthy = (): boolean => true;
    const slow = {
      ...payout,
      async prepare(...given: Parameters<typeof payout.prepare>) {
        expect(isHealthy()).toBe(true);
        world.clock.advance(15_000);
        prepared += 1;
        return prepared === 30 ? new Promise<never>(() => undefined) : payout.prepare(...given);
      },
    };
    const relay = { run: async () => false, onWake: () => undefined, pollMs: () => 1_000 };
    const jobs = createJobs(
      { ...context, payout: slow },
      relay,
      { reconcile: async () => false },
      noWebhooks,
      manualTimers(),
    );
    isHealthy = () => jobs.health().ok;
    jobs.start();
    for (let turn = 0; turn < 100 && prepared < 30; turn += 1) await quiet();
    expect(prepared).toBe(30);
    expect(isHealthy()).toBe(true);
    world.clock.advance(120_001);
    expect(isHealthy()).toBe(false);
  });
});

describe('an alarm', () => {
  const inTrouble: PayoutProgress = { status: 'pending', trouble: 'no node shows it' };

  it('stands while a payout is in trouble, is logged once, and nothing is paid again', async () => {
    const { world, payout, context } = await crowd(2);
    const memory = newWithdrawalMemory();
    const run = () => processWithdrawals(context, { owner: 'worker', memory });
    await run();
    payout.progressWith(inTrouble);
    for (let look = 0; look < 5; look += 1) await run();
    expect(context.alarms.list()).toMatchObject([
      { name: 'payout', subject: 'withdrawal 1', reason: 'no node shows it' },
      { name: 'payout', subject: 'withdrawal 2', reason: 'no node shows it' },
    ]);
    expect(world.logged.filter((message) => message === 'alarm')).toHaveLength(2);
    expect(payout.orders).toHaveLength(2);
    payout.progressWith(null);
    await run();
    expect(context.alarms.list()).toEqual([]);
    expect(await openOf(world)).toBe(0);
  });

  it('moves with the lease to the instance that looks after the payout, and ends on the other one after ten minutes', async () => {
    const world = await withdrawalWorld();
    const payout = fakePayout();
    await world.request(USD);
    const [first, second] = [world.instance().context, world.instance().context].map((context) => ({
      ...context,
      payout,
    }));
    if (first === undefined || second === undefined) throw new Error('Two instances are needed');
    const memories = [newWithdrawalMemory(), newWithdrawalMemory()] as const;
    await processWithdrawals(first, { owner: 'first', memory: memories[0] });
    payout.progressWith(inTrouble);
    await processWithdrawals(first, { owner: 'first', memory: memories[0] });
    expect(first.alarms.list()).toHaveLength(1);
    world.clock.advance(LEASE_OVER_MS);
    await processWithdrawals(second, { owner: 'second', memory: memories[1] });
    const alarms = () => [first.alarms.list().length, second.alarms.list().length];
    await processWithdrawals(first, { owner: 'first', memory: memories[0] });
    expect(alarms()).toEqual([1, 1]);
    for (let minute = 0; minute < 10; minute += 1) {
      world.clock.advance(60_000 - 1);
      await processWithdrawals(second, { owner: 'second', memory: memories[1] });
      await processWithdrawals(first, { owner: 'first', memory: memories[0] });
    }
    expect(alarms()).toEqual([0, 1]);
    expect(payout.orders).toMatchObject([{ to: ALICE }]);
  });
});
