import { processWithdrawals } from '../../../src/usecases/withdrawals/process-withdrawals';
import { getWithdrawal, listWithdrawals } from '../../../src/usecases/withdrawals/list-withdrawals';
import { newWithdrawalMemory } from '../../../src/usecases/withdrawals/withdrawal-memory';
import { requestWithdrawal } from '../../../src/usecases/withdrawals/request-withdrawal';
import { fakePayout } from '../../../testing/fake-payout';
import { BOB } from '../resolution/world';
import { ALICE, dying, LEASE_OVER_MS, USD, withdrawalWorld } from './world';

describe('requesting', () => {
  it('reserves the amount, which can be neither withdrawn nor spent again', async () => {
    const world = await withdrawalWorld();
    const market = await world.open();
    await world.request(95n * USD);
    expect(await world.account()).toEqual({ balance: 100n * USD, reserved: 95n * USD });
    await expect(world.request(6n * USD)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    await expect(world.trade(market, ALICE, 'YES', 20n * USD)).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    });
    await world.request(5n * USD);
    await world.expectCleanAudit();
  });

  it('never reserves more than there is, however many ask at once', async () => {
    const world = await withdrawalWorld();
    const config = { ...world.withPayout.config, withdrawalLimit: 100 };
    const command = { wallet: ALICE, amount: 7n * USD, idempotencyKey: null };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () => requestWithdrawal({ ...world.withPayout, config }, command)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(14);
    expect(await world.account()).toEqual({ balance: 100n * USD, reserved: 98n * USD });
  });

  it('reserves once for one idempotency key, and refuses the key for anything else', async () => {
    const world = await withdrawalWorld();
    const ask = (amount: bigint) =>
      requestWithdrawal(world.withPayout, { wallet: ALICE, amount, idempotencyKey: 'once' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(10n * USD)));
    expect(new Set(answers.map(({ view }) => JSON.stringify(view))).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect((await world.account()).reserved).toBe(10n * USD);
    await expect(ask(11n * USD)).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    await world.process();
    expect((await ask(10n * USD)).view.status).toBe('pending');
    expect(world.outside.arrived()).toBe(10n * USD);
  });

  it('is refused where the host has no payout', async () => {
    const world = await withdrawalWorld();
    const command = { wallet: ALICE, amount: USD, idempotencyKey: null };
    await expect(requestWithdrawal(world.context, command)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Withdrawals are not paid here; the host can give the option payout',
    });
    expect(await world.account()).toEqual({ balance: 100n * USD, reserved: 0n });
  });
});

describe('paying', () => {
  it('pays to the wallet, then books it: wallet to external', async () => {
    const world = await withdrawalWorld();
    const { id } = await world.request(40n * USD);
    await world.process();
    expect(world.outside.arrived()).toBe(40n * USD);
    expect(await world.account()).toEqual({ balance: 60n * USD, reserved: 0n });
    expect(await world.storage.read((reader) => reader.postings.find(`withdrawal:${id}`))).toMatchObject({
      kind: 'withdrawal',
      entries: [
        { account: `wallet:${ALICE}`, amount: -40n * USD },
        { account: 'external', amount: 40n * USD },
      ],
    });
    const view = await getWithdrawal(world.context, { wallet: ALICE, id });
    expect(view).toMatchObject({ id, amount: 40, status: 'confirmed' });
    expect(view.transaction).toContain('hash of');
    await world.expectCleanAudit();
  });

  it('tells of the balance when it is reserved and when it is paid', async () => {
    const world = await withdrawalWorld();
    await world.request(40n * USD);
    await world.process();
    const events = await world.storage.read((reader) => reader.events.after(0, 100));
    const told = events.filter(({ data }) => data.reason === 'withdrawal').map(({ data }) => data);
    expect(told).toMatchObject([
      { wallet: ALICE, balance: 100, reserved: 40, available: 60 },
      { wallet: ALICE, balance: 60, reserved: 0, available: 60 },
    ]);
  });

  it('waits while the payout is unavailable, and lets others pass', async () => {
    const world = await withdrawalWorld();
    const payout = fakePayout();
    const context = { ...world.context, payout };
    const { id } = await world.request(40n * USD);
    payout.prepareWith({ status: 'unavailable', reason: 'the treasury is empty' });
    await world.process(context);
    expect(await world.status(id)).toBe('pending');
    expect((await world.account()).reserved).toBe(40n * USD);
    payout.prepareWith(null);
    await world.process(context);
    expect(await world.status(id)).toBe('confirmed');
  });

  it.each(['refused', 'failed'] as const)('gives the reservation back when it is %s', async (how) => {
    const world = await withdrawalWorld();
    const payout = fakePayout();
    const context = { ...world.context, payout };
    const { id } = await world.request(40n * USD);
    if (how === 'refused') payout.prepareWith({ status: 'refused', reason: 'blocked' });
    else payout.progressWith({ status: 'failed', transaction: '0xab', reason: 'reverted' });
    await world.process(context);
    expect(await world.status(id)).toBe('failed');
    expect(await world.account()).toEqual({ balance: 100n * USD, reserved: 0n });
    await world.expectCleanAudit();
    await world.process(context);
    expect(await world.account()).toEqual({ balance: 100n * USD, reserved: 0n });
  });

  it('prepares afresh what is lost, and stores a renewed offer before it is sent', async () => {
    const world = await withdrawalWorld();
    const payout = fakePayout();
    const context = { ...world.context, payout };
    const { id } = await world.request(40n * USD);
    payout.progressWith({ status: 'pending' });
    await world.process(context);
    payout.progressWith({ status: 'renewed', state: 'dearer', transaction: '0xcd' });
    await processWithdrawals(context, { owner: 'worker' });
    const stored = await world.storage.read((reader) => reader.withdrawals.find(id));
    expect(stored).toMatchObject({ status: 'sent', payoutState: 'dearer', transaction: '0xcd' });
    expect(payout.submitted.at(-1)).toBe('dearer');
    payout.progressWith({ status: 'lost', reason: 'its nonce was used' });
    await processWithdrawals(context, { owner: 'worker' });
    expect(await world.status(id)).toBe('pending');
    payout.progressWith(null);
    await world.process(context);
    expect(await world.status(id)).toBe('confirmed');
    expect(payout.orders).toHaveLength(2);
  });

  it.each([
    { status: 'renewed', state: 'anew', transaction: null },
    { status: 'lost', reason: 'a fault of the adapter' },
  ] as const)('is worked on again after a pause when its payout is $status', async (progress) => {
    const world = await withdrawalWorld();
    const payout = fakePayout();
    const context = { ...world.context, payout };
    await world.request(40n * USD);
    payout.progressWith(progress);
    const memory = newWithdrawalMemory();
    let runs = 0;
    // The job runs again at once after a run that took a step, and so does this loop.
    while ((await processWithdrawals(context, { owner: 'worker', memory })).progressed && runs < 20)
      runs += 1;
    expect(runs).toBeLessThan(3);
  });

  it('goes on with the others when one cannot be looked up', async () => {
    const world = await withdrawalWorld();
    const payout = fakePayout();
    const { id: first } = await world.request(1n * USD);
    const { id: second } = await world.request(2n * USD);
    const context = {
      ...world.context,
      payout: {
        ...payout,
        prepare: (order: Parameters<typeof payout.prepare>[0]) =>
          order.id === first ? Promise.reject(new Error('no answer')) : payout.prepare(order, []),
      },
    };
    await world.process(context);
    expect([await world.status(first), await world.status(second)]).toEqual(['pending', 'confirmed']);
  });

  it('is the work of one instance at a time, and another takes over when the lease has run out', async () => {
    const world = await withdrawalWorld();
    await processWithdrawals(world.withPayout, { owner: 'first' });
    const { id } = await world.request(3n * USD);
    expect((await processWithdrawals(world.withPayout, { owner: 'second' })).open).toBe(0);
    expect(await world.status(id)).toBe('pending');
    world.clock.advance(LEASE_OVER_MS);
    await world.process(world.withPayout, 'second');
    expect(await world.status(id)).toBe('confirmed');
    expect(world.outside.arrived()).toBe(3n * USD);
  });

  it('writes nothing for an instance that was paused and has lost the lease', async () => {
    const world = await withdrawalWorld();
    const { id } = await world.request(3n * USD);
    const paused = {
      ...world.withPayout,
      payout: {
        ...world.outside.payout,
        async prepare(...values: Parameters<typeof world.outside.payout.prepare>) {
          const prepared = await world.outside.payout.prepare(...values);
          world.clock.advance(LEASE_OVER_MS);
          await world.process(world.withPayout, 'second');
          world.clock.advance(LEASE_OVER_MS);
          return prepared;
        },
      },
    };
    expect(await processWithdrawals(paused, { owner: 'first' })).toEqual({ open: 1, progressed: false });
    expect(await world.status(id)).toBe('confirmed');
    expect(world.outside.arrived()).toBe(3n * USD);
    expect(world.outside.sent.size).toBe(1);
  });
});

describe('a process that dies', () => {
  const REQUESTS = [10n * USD, 20n * USD, 30n * USD];

  async function callsOfOneRun(): Promise<number> {
    const world = await withdrawalWorld();
    for (const amount of REQUESTS) await world.request(amount);
    const { context, calls } = dying(world.withPayout, Number.MAX_SAFE_INTEGER, 'before');
    await world.process(context);
    expect(world.outside.arrived()).toBe(60n * USD);
    return calls();
  }

  it('at any call, before or after its effect, leaves every withdrawal to be paid once', async () => {
    const total = await callsOfOneRun();
    expect(total).toBeGreaterThan(15);
    for (const when of ['before', 'after'] as const) {
      for (let at = 1; at <= total; at += 1) {
        const world = await withdrawalWorld();
        for (const amount of REQUESTS) await world.request(amount);
        await world.process(dying(world.withPayout, at, when).context, 'mortal').catch(() => undefined);
        world.clock.advance(LEASE_OVER_MS);
        await world.process(world.withPayout, 'survivor');
        const outcome = { at, when, arrived: world.outside.arrived(), account: await world.account() };
        expect(outcome).toEqual({
          at,
          when,
          arrived: 60n * USD,
          account: { balance: 40n * USD, reserved: 0n },
        });
        await world.expectCleanAudit();
      }
    }
  });
});

describe('listing withdrawals', () => {
  it('shows each wallet its own, newest first', async () => {
    const world = await withdrawalWorld();
    for (let number = 1n; number <= 3n; number += 1n) await world.request(number * USD);
    const page = { limit: 2, offset: 0 };
    const list = await listWithdrawals(world.context, { wallet: ALICE, ...page });
    expect(list).toMatchObject({ total: 3, limit: 2, offset: 0 });
    expect(list.withdrawals.map(({ amount }) => amount)).toEqual([3, 2]);
    const ofBob = await listWithdrawals(world.context, { wallet: BOB, ...page });
    expect(ofBob).toEqual({ withdrawals: [], total: 0, limit: 2, offset: 0 });
    const theirs = { wallet: BOB, id: list.withdrawals[0]?.id ?? 0 };
    await expect(getWithdrawal(world.context, theirs)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
