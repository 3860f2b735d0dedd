import fc from 'fast-check';
import type { Payout, PayoutProgress } from '../../../src/ports/payout';
import { decideWithdrawal } from '../../../src/usecases/withdrawals/decide-withdrawal';
import { processWithdrawals } from '../../../src/usecases/withdrawals/process-withdrawals';
import { newWithdrawalMemory } from '../../../src/usecases/withdrawals/withdrawal-memory';
import { fakePayout } from '../../../testing/fake-payout';
import { manualTimers, quiet } from '../../jobs/manual-timers';
import { ALICE, USD, withdrawalWorld } from './world';

const PAID = `0x${'Ab'.repeat(32)}`;
const OTHER = `0x${'cd'.repeat(32)}`;
const REASON = 'Nonce 7 of the old key was used by another transaction, in a final block.';
const STUCK: PayoutProgress = { status: 'pending', trouble: 'its key was replaced' };
const HOUR_MS = 3_600_000;

const confirm = (id: number, transaction = PAID) => ({ id, verdict: 'confirmed' as const, transaction });
const fail = (id: number, reason = REASON) => ({ id, verdict: 'failed' as const, reason });

async function requested() {
  const world = await withdrawalWorld();
  const payout = fakePayout();
  const context = { ...world.context, payout };
  const memory = newWithdrawalMemory();
  const run = () => processWithdrawals(context, { owner: 'worker', memory });
  const { id } = await world.request(10n * USD);
  const decide = (command: Parameters<typeof decideWithdrawal>[1]) => decideWithdrawal(context, command);
  const stored = () => world.storage.read((reader) => reader.withdrawals.find(id));
  return { world, payout, context, run, id, decide, stored };
}

async function stuck() {
  const made = await requested();
  await made.run();
  made.payout.progressWith(STUCK);
  await made.run();
  return made;
}

describe('a withdrawal that is stuck', () => {
  it('is confirmed by the transaction that paid it: the money leaves the books once', async () => {
    const { world, id, decide, run, payout, context } = await stuck();
    expect(context.alarms.list()).toHaveLength(1);
    expect(await decide(confirm(id))).toMatchObject({ id, status: 'confirmed', transaction: PAID });
    expect(await decide(confirm(id, PAID.toLowerCase()))).toMatchObject({ status: 'confirmed' });
    expect(await world.account()).toEqual({ balance: 90n * USD, reserved: 0n });
    await run();
    expect(context.alarms.list()).toEqual([]);
    await expect(decide(confirm(id, OTHER))).rejects.toMatchObject({ code: 'ALREADY_RESOLVED', status: 409 });
    await expect(decide(fail(id))).rejects.toMatchObject({ code: 'ALREADY_RESOLVED' });
    expect(await world.account()).toEqual({ balance: 90n * USD, reserved: 0n });
    expect(payout.orders).toHaveLength(1);
    await world.expectCleanAudit();
  });

  it('is given back with a reason, once, and never sent again', async () => {
    const { world, id, decide, run, stored, payout } = await stuck();
    expect(await decide(fail(id))).toMatchObject({ id, status: 'failed' });
    expect(await decide(fail(id, 'once more'))).toMatchObject({ status: 'failed' });
    expect(await stored()).toMatchObject({ status: 'failed', reason: REASON, payoutState: null });
    expect(await world.account()).toEqual({ balance: 100n * USD, reserved: 0n });
    await expect(decide(confirm(id))).rejects.toMatchObject({ code: 'ALREADY_RESOLVED' });
    const submitted = payout.submitted.length;
    payout.progressWith(null);
    await run();
    expect(payout.submitted).toHaveLength(submitted);
    expect(await world.account()).toEqual({ balance: 100n * USD, reserved: 0n });
    await world.expectCleanAudit();
  });

  it('is decided also when its payout was replaced by one that cannot read it, or by none', async () => {
    const { world, id, context } = await stuck();
    const silent: Payout = { ...context.payout, check: () => Promise.reject(new Error('not mine')) };
    const decide = () => decideWithdrawal({ ...context, payout: silent }, fail(id));
    await expect(decide()).rejects.toMatchObject({ code: 'WITHDRAWAL_UNDER_WAY' });
    world.clock.advance(HOUR_MS);
    expect(await decide()).toMatchObject({ status: 'failed' });
    const again = await stuck();
    const none = { ...again.context, payout: null };
    expect(await decideWithdrawal(none, confirm(again.id))).toMatchObject({ status: 'confirmed' });
  });

  it('waits an hour for a failure when the payout adapter says that it cannot find out the progress', async () => {
    const { world, id, context } = await stuck();
    const notKnown: PayoutProgress = { status: 'pending', trouble: 'another adapter', unknown: true };
    const other: Payout = { ...context.payout, check: () => Promise.resolve(notKnown) };
    const decide = () => decideWithdrawal({ ...context, payout: other }, fail(id));
    await expect(decide()).rejects.toMatchObject({ code: 'WITHDRAWAL_UNDER_WAY' });
    world.clock.advance(HOUR_MS);
    expect(await decide()).toMatchObject({ status: 'failed' });
    const again = await stuck();
    const confirmed = decideWithdrawal({ ...again.context, payout: other }, confirm(again.id));
    expect(await confirmed).toMatchObject({ status: 'confirmed' });
  });

  it('is not submitted once more by a worker that read it before the operator gave it back', async () => {
    const { id, context, payout } = await stuck();
    const submitted = payout.submitted.length;
    const late: Payout = {
      ...payout,
      async check() {
        await decideWithdrawal(context, fail(id));
        return STUCK;
      },
    };
    await processWithdrawals({ ...context, payout: late }, { owner: 'worker' });
    expect(payout.submitted).toHaveLength(submitted);
  });
});

it('a payout that never answers, or throws at once, keeps no operator waiting', async () => {
  const { world, id, context } = await stuck();
  world.clock.advance(HOUR_MS);
  const timers = manualTimers();
  const silent: Payout = { ...context.payout, check: () => new Promise(() => undefined) };
  const decided = decideWithdrawal({ ...context, payout: silent }, fail(id), timers);
  await quiet();
  await timers.fire(10_000);
  expect(await decided).toMatchObject({ status: 'failed' });
  const again = await stuck();
  again.world.clock.advance(HOUR_MS);
  const throwing: Payout = {
    ...again.context.payout,
    check: () => {
      throw new Error('not mine');
    },
  };
  expect(await decideWithdrawal({ ...again.context, payout: throwing }, fail(again.id))).toMatchObject({
    status: 'failed',
  });
});

describe('refused are', () => {
  it('decisions on what may still end by itself', async () => {
    const { world, id, decide, run, payout } = await requested();
    await expect(decide(confirm(id))).rejects.toMatchObject({ code: 'WITHDRAWAL_UNDER_WAY', status: 409 });
    payout.progressWith({ status: 'pending' });
    await run();
    const underWay: PayoutProgress[] = [
      { status: 'pending' },
      { status: 'renewed', state: 'anew', transaction: null },
      { status: 'lost', reason: 'overtaken' },
      { status: 'failed', transaction: null, reason: 'reverted' },
      { status: 'confirmed', transaction: OTHER },
    ];
    for (const progress of underWay) {
      payout.progressWith(progress);
      for (const command of [confirm(id), fail(id)])
        await expect(decide(command)).rejects.toMatchObject({ code: 'WITHDRAWAL_UNDER_WAY' });
    }
    expect(await world.account()).toEqual({ balance: 100n * USD, reserved: 10n * USD });
    payout.progressWith({ status: 'confirmed', transaction: PAID.toLowerCase() });
    world.clock.advance(2 * HOUR_MS);
    await expect(decide(fail(id))).rejects.toMatchObject({ code: 'WITHDRAWAL_UNDER_WAY' });
    expect(await decide(confirm(id))).toMatchObject({ status: 'confirmed' });
  });

  it('a failure of what will soon end by itself, however long ago it was sent', async () => {
    const { world, id, decide, payout } = await stuck();
    payout.progressWith({ status: 'pending', ending: true });
    world.clock.advance(48 * HOUR_MS);
    await expect(decide(fail(id))).rejects.toMatchObject({ code: 'WITHDRAWAL_UNDER_WAY' });
    expect(await world.account()).toEqual({ balance: 100n * USD, reserved: 10n * USD });
    expect(await decide(confirm(id))).toMatchObject({ status: 'confirmed' });
  });

  it('unknown withdrawals', async () => {
    const { decide } = await requested();
    await expect(decide(fail(99))).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });

  it('a decision on a withdrawal that has moved on while the payout was asked', async () => {
    const { id, context, run, payout, world } = await stuck();
    const moving: Payout = {
      ...payout,
      async check() {
        payout.progressWith({ status: 'renewed', state: 'anew', transaction: null });
        await run();
        return STUCK;
      },
    };
    await expect(decideWithdrawal({ ...context, payout: moving }, fail(id))).rejects.toMatchObject({
      code: 'WITHDRAWAL_UNDER_WAY',
    });
    expect(await world.account()).toEqual({ balance: 100n * USD, reserved: 10n * USD });
  });
});

it('a withdrawal that nothing was sent for is given back at once', async () => {
  const { world, id, decide, run, payout } = await requested();
  expect(await decide(fail(id))).toMatchObject({ status: 'failed' });
  await run();
  expect(payout.orders).toEqual([]);
  expect(await world.account()).toEqual({ balance: 100n * USD, reserved: 0n });
  await world.expectCleanAudit();
});

const ACTIONS = ['run', 'confirm', 'fail', 'stuck', 'pending', 'renewed', 'lost', 'failed', 'paid'] as const;
const PROGRESS: Partial<Record<(typeof ACTIONS)[number], PayoutProgress>> = {
  stuck: STUCK,
  pending: { status: 'pending' },
  lost: { status: 'lost', reason: 'overtaken' },
  failed: { status: 'failed', transaction: null, reason: 'reverted' },
  paid: { status: 'confirmed', transaction: PAID },
};

it('our books pay a withdrawal or give it back, never both, in any order of events', async () => {
  const pairs = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.constantFrom(...ACTIONS)), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(pairs, async (steps) => {
      const { world, payout, id, decide, run, stored } = await requested();
      let offers = 0;
      const act = async (action: (typeof ACTIONS)[number]): Promise<unknown> => {
        if (action === 'run') return run();
        if (action === 'confirm') return decide(confirm(id)).catch(() => null);
        if (action === 'fail') return decide(fail(id)).catch(() => null);
        const renewed = { status: 'renewed', state: `offer ${(offers += 1)}`, transaction: null } as const;
        return payout.progressWith(PROGRESS[action] ?? renewed);
      };
      const ends: string[] = [];
      for (const [one, other] of steps) {
        await Promise.all([act(one), act(other)]);
        const { status } = (await stored()) ?? { status: 'gone' };
        if (status === 'confirmed' || status === 'failed') ends.push(status);
        expect(new Set(ends).size).toBeLessThan(2);
        const paid = status === 'confirmed' ? 10n : 0n;
        const reserved = status === 'pending' || status === 'sent' ? 10n : 0n;
        expect(await world.account()).toEqual({ balance: (100n - paid) * USD, reserved: reserved * USD });
      }
      expect(payout.orders.every(({ to }) => to === ALICE)).toBe(true);
      await world.expectCleanAudit();
    }),
    { numRuns: 150 },
  );
});
