import type { Payout } from '../../../src/ports/payout';
import { processWithdrawals } from '../../../src/usecases/withdrawals/process-withdrawals';
import { newWithdrawalMemory } from '../../../src/usecases/withdrawals/withdrawal-memory';
import { PAYOUT_TIME_LIMIT_MS } from '../../../src/usecases/withdrawals/timed-payout';
import { manualTimers, quiet } from '../../jobs/manual-timers';
import { createGate } from '../../support/gate';
import { USD, withdrawalWorld } from './world';

it.each(['prepare', 'submit', 'check'] as const)(
  'whose %s never ends stops a run for the time limit only, and every withdrawal is paid once later',
  async (call) => {
    const world = await withdrawalWorld();
    const gate = createGate();
    let isSilent = true;
    const { payout } = world.outside;
    const silent: Payout = {
      ...payout,
      async [call](...given: never[]) {
        if (isSilent) await gate.opened;
        return (payout[call] as (...all: never[]) => Promise<never>)(...given);
      },
    };
    const context = { ...world.withPayout, payout: silent };
    const timers = manualTimers();
    const memory = newWithdrawalMemory();
    const run = () => processWithdrawals(context, { owner: 'worker', memory, timers });
    for (const amount of [10n, 20n]) await world.request(amount * USD);

    let hasEnded = false;
    const untilSilent = async (): Promise<void> => {
      while ((await run()).progressed);
      hasEnded = true;
    };
    const first = untilSilent();
    for (let turn = 0; turn < 10 && !hasEnded; turn += 1) {
      await quiet();
      if (timers.delays().includes(PAYOUT_TIME_LIMIT_MS)) await timers.fire(PAYOUT_TIME_LIMIT_MS);
    }
    await first;
    expect(hasEnded).toBe(true);

    isSilent = false;
    gate.open(); // The late answers arrive now and change nothing.
    await quiet();
    await world.process(context);
    expect(world.outside.arrived()).toBe(30n * USD);
    expect(await world.account()).toEqual({ balance: 70n * USD, reserved: 0n });
    await world.expectCleanAudit();
  },
);

it('whose check of one withdrawal never ends keeps no later withdrawal waiting', async () => {
  const world = await withdrawalWorld();
  const { payout } = world.outside;
  const silent: Payout = {
    ...payout,
    check: (state) =>
      state.endsWith('withdrawal 1') ? new Promise<never>(() => undefined) : payout.check(state),
  };
  const context = { ...world.withPayout, payout: silent };
  const timers = manualTimers();
  const memory = newWithdrawalMemory();
  async function run(): Promise<void> {
    const running = processWithdrawals(context, { owner: 'worker', memory, timers });
    await quiet();
    while (timers.delays().includes(PAYOUT_TIME_LIMIT_MS)) {
      world.clock.advance(PAYOUT_TIME_LIMIT_MS);
      await timers.fire(PAYOUT_TIME_LIMIT_MS);
    }
    await running;
  }
  await world.request(10n * USD);
  await run();
  await world.request(20n * USD);
  await run();
  expect(await world.status(2)).toBe('sent');
});

it('whose call never ends does not keep the service from closing', async () => {
  const world = await withdrawalWorld();
  const silent: Payout = { ...world.outside.payout, prepare: () => new Promise<never>(() => undefined) };
  await world.request(10n * USD);
  const closing = new AbortController();
  const timers = manualTimers();
  const running = processWithdrawals(
    { ...world.withPayout, payout: silent },
    { owner: 'worker', timers, signal: closing.signal },
  );
  await quiet();
  closing.abort();
  expect(await running).toMatchObject({ progressed: false });
  expect([timers.delays(), await world.status(1)]).toEqual([[], 'pending']);
});
