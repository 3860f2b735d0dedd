import { decideWithdrawal } from '../../../src/usecases/withdrawals/decide-withdrawal';
import type { Payout } from '../../../src/ports/payout';
import { processWithdrawals } from '../../../src/usecases/withdrawals/process-withdrawals';
import { newWithdrawalMemory } from '../../../src/usecases/withdrawals/withdrawal-memory';
import { requestWithdrawal } from '../../../src/usecases/withdrawals/request-withdrawal';
import { addressOf, createWorld } from '../resolution/world';
import { outside, USD, withdrawalWorld } from './world';

const SECOND_MS = 1_000;
const POLL_SECONDS = 5;
const HOUR_SECONDS = 3_600;

async function worldOf(payoutOf: (payout: Payout, now: () => number) => Payout) {
  const world = await createWorld();
  const payout = payoutOf(outside().payout, () => world.clock.now());
  const context = { ...world.context, payout };
  let wallets = 0;
  return {
    context,
    async request(): Promise<void> {
      const wallet = addressOf((wallets += 1));
      await world.fund(wallet, 1n);
      await requestWithdrawal(context, { wallet, amount: USD, idempotencyKey: null });
    },
    advance: (milliseconds: number) => world.clock.advance(milliseconds),
    statusOf: async (id: number) =>
      (await world.storage.read((reader) => reader.withdrawals.find(id)))?.status,
  };
}

it('a withdrawal that could not be prepared once is paid, although new ones keep coming', async () => {
  let isAway = true;
  const world = await worldOf((payout) => ({
    ...payout,
    async prepare(order, outstanding) {
      if (order.id !== 1 || !isAway) return payout.prepare(order, outstanding);
      isAway = false;
      return { status: 'unavailable', reason: 'the node was away once' };
    },
  }));
  const memory = newWithdrawalMemory();
  for (let run = 0; run < 10; run += 1) {
    await world.request();
    await processWithdrawals(world.context, { owner: 'worker', memory });
    world.advance(POLL_SECONDS * SECOND_MS);
  }
  expect(await world.statusOf(1)).toBe('confirmed');
  expect(await world.statusOf(9)).toBe('confirmed');
});

it('a withdrawal that could not be prepared once is paid beside new ones, though the payout takes one at a time', async () => {
  let isAway = true;
  const sentAt = new Map<string, number>();
  const world = await worldOf((payout, now) => ({
    ...payout,
    async prepare(order, outstanding) {
      if (outstanding.length > 0) return { status: 'busy' };
      if (order.id !== 1 || !isAway) return payout.prepare(order, outstanding);
      isAway = false;
      return { status: 'unavailable', reason: 'the node was away once' };
    },
    async submit(state) {
      sentAt.set(state, sentAt.get(state) ?? now());
      return payout.submit(state);
    },
    check: async (state) =>
      now() - (sentAt.get(state) ?? now()) < 3 * SECOND_MS ? { status: 'pending' } : payout.check(state),
  }));
  const memory = newWithdrawalMemory();
  for (let poll = 0; poll < 20; poll += 1) {
    await world.request();
    // The job runs again at once after a run that took a step, and so does this loop.
    while ((await processWithdrawals(world.context, { owner: 'worker', memory })).progressed);
    world.advance(POLL_SECONDS * SECOND_MS);
  }
  expect(await world.statusOf(1)).toBe('confirmed');
});

it('a withdrawal for which alone the payout is too busy does not keep new ones waiting', async () => {
  const world = await worldOf((payout) => ({
    ...payout,
    prepare: async (order, outstanding) =>
      order.id === 2 ? { status: 'busy' } : payout.prepare(order, outstanding),
  }));
  const memory = newWithdrawalMemory();
  for (let run = 0; run < 20; run += 1) {
    await world.request();
    await processWithdrawals(world.context, { owner: 'worker', memory });
    world.advance(POLL_SECONDS * SECOND_MS);
  }
  for (const id of [1, 3, 10, 15]) expect(await world.statusOf(id)).toBe('confirmed');
});

it('withdrawals that cannot be prepared do not keep those after them waiting', async () => {
  const world = await worldOf((payout) => ({
    ...payout,
    prepare: async (order, outstanding) =>
      order.id <= 30
        ? { status: 'unavailable', reason: 'the wallet is blocked' }
        : payout.prepare(order, outstanding),
  }));
  for (let id = 1; id <= 40; id += 1) await world.request();
  const memory = newWithdrawalMemory();
  for (let run = 0; run < 20; run += 1) {
    await processWithdrawals(world.context, { owner: 'worker', memory });
    world.advance(POLL_SECONDS * SECOND_MS);
  }
  for (let id = 31; id <= 40; id += 1) expect(await world.statusOf(id)).toBe('confirmed');
});

describe('an instance whose payout does not work', () => {
  const failing = async () => {
    throw new Error('the node does not answer');
  };
  const away = async () => ({ status: 'unavailable', reason: 'the node does not answer' }) as const;

  it.each<[string, Partial<Payout>]>([
    ['rejects', { submit: failing, check: failing }],
    ['is unavailable', { prepare: away }],
  ])('gives another instance a turn after some minutes, if it %s', async (_how, fault) => {
    const world = await worldOf((payout) => payout);
    const broken = { ...world.context, payout: { ...world.context.payout, ...fault } };
    for (let id = 1; id <= 3; id += 1) await world.request();
    const memories = { broken: newWithdrawalMemory(), whole: newWithdrawalMemory() };
    for (let poll = 0; poll < 40; poll += 1) {
      await processWithdrawals(broken, { owner: 'broken', memory: memories.broken });
      await processWithdrawals(world.context, { owner: 'whole', memory: memories.whole });
      world.advance(POLL_SECONDS * SECOND_MS);
    }
    for (let id = 1; id <= 3; id += 1) expect(await world.statusOf(id)).toBe('confirmed');
  });

  it('keeps its alarms while two such instances take turns, until the withdrawal has ended', async () => {
    const world = await worldOf((payout) => payout);
    const inTrouble = async () => ({ status: 'pending', trouble: 'no node shows it' }) as const;
    const payout = { ...world.context.payout, submit: failing, check: inTrouble };
    await world.request();
    const instances = ['a', 'b'].map((owner) => ({ owner, memory: newWithdrawalMemory() }));
    let withoutAlarm = 0;
    for (let poll = 0; poll < 200; poll += 1) {
      for (const instance of instances) await processWithdrawals({ ...world.context, payout }, instance);
      world.advance(POLL_SECONDS * SECOND_MS);
      if (instances.every(({ memory }) => memory.troubles.size === 0)) withoutAlarm += 1;
    }
    expect(withoutAlarm).toBeLessThan(3);
    await decideWithdrawal({ ...world.context, payout }, { id: 1, verdict: 'failed', reason: 'By hand.' });
    for (const instance of instances) await processWithdrawals({ ...world.context, payout }, instance);
    expect(instances.map(({ memory }) => memory.troubles.size)).toEqual([0, 0]);
  });
});

it('a payout that an operator has ended while it was prepared is not outstanding for the next one', async () => {
  const seen: (readonly string[])[] = [];
  const world = await worldOf((payout) => ({
    ...payout,
    async prepare(order, outstanding) {
      seen.push([...outstanding]);
      const prepared = await payout.prepare(order, outstanding);
      if (order.id === 1)
        await decideWithdrawal(world.context, {
          id: 1,
          verdict: 'failed',
          reason: 'The payer asked for it.',
        });
      return prepared;
    },
  }));
  await world.request();
  await world.request();
  await processWithdrawals(world.context, { owner: 'worker', memory: newWithdrawalMemory() });
  expect(await world.statusOf(1)).toBe('failed');
  expect(seen).toEqual([[], []]);
});

describe('two instances whose payouts are slow', () => {
  it.each([14, 18, 21, 25, 40])('pay a new withdrawal while each call takes %i s', async (seconds) => {
    const world = await withdrawalWorld();
    const { payout } = world.outside;
    const calls = new Set<{ at: number; end: () => void }>();
    let isSlow = false;
    const call = (): Promise<void> =>
      isSlow
        ? new Promise((end) => calls.add({ at: world.clock.now() + seconds * SECOND_MS, end }))
        : Promise.resolve();
    const slow: Payout = {
      ...payout,
      prepare: (order, outstanding) => call().then(() => payout.prepare(order, outstanding)),
      submit: (state) => call().then(() => payout.submit(state)),
      async check(state) {
        await call();
        return /withdrawal [12]$/.test(state) ? { status: 'pending' } : payout.check(state);
      },
    };
    const context = { ...world.withPayout, payout: slow };
    const instances = ['a', 'b'].map((owner) => ({ owner, memory: newWithdrawalMemory(), isBusy: false }));
    const runs: Promise<void>[] = [];
    const poll = (): void => {
      for (const instance of instances.filter(({ isBusy }) => !isBusy)) {
        instance.isBusy = true;
        const run = processWithdrawals(context, instance).then(() => undefined);
        runs.push(run.finally(() => (instance.isBusy = false)));
      }
    };
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const endCalls = (isDue: (at: number) => boolean): void => {
      for (const entry of [...calls].filter(({ at }) => isDue(at))) {
        calls.delete(entry);
        entry.end();
      }
    };

    for (const amount of [10n, 20n]) await world.request(amount * USD);
    await processWithdrawals(context, { owner: 'a' });
    isSlow = true;
    await world.request(30n * USD);
    let second = 0;
    for (; second < HOUR_SECONDS && (await world.status(3)) !== 'confirmed'; second += 1) {
      if (second % POLL_SECONDS === 0) poll();
      world.clock.advance(SECOND_MS);
      endCalls((at) => at <= world.clock.now());
      await turns();
    }
    isSlow = false;
    while (instances.some(({ isBusy }) => isBusy)) {
      endCalls(() => true);
      await turns();
    }
    await Promise.all(runs);
    expect(second).toBeLessThan(HOUR_SECONDS);
  });
});
