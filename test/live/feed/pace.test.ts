import { describe, expect, it } from '@jest/globals';
import { createPace } from '../../../src/live/feed/pace';
import { manualTimers, quiet } from '../../jobs/manual-timers';

function started() {
  const clock = { time: 1_000, now: () => clock.time };
  const timers = manualTimers();
  const pace = createPace(clock, timers);
  const state = { isRested: false };
  return {
    clock,
    timers,
    state,
    work: (milliseconds: number) => pace.work(() => void (clock.time += milliseconds)),
    async rest(): Promise<void> {
      state.isRested = false;
      void pace.rest().then(() => (state.isRested = true));
      await quiet();
    },
  };
}

describe('The pace of handing out', () => {
  it('rests three times as long as the work took', async () => {
    const { work, rest, timers, state } = started();
    work(6);
    await rest();
    expect([timers.delays(), state.isRested]).toEqual([[18], false]);
    await timers.fire();
    expect(state.isRested).toBe(true);
  });

  it('rests 25 ms at most', async () => {
    const { work, rest, timers } = started();
    work(400);
    await rest();
    expect(timers.delays()).toEqual([25]);
  });

  it('counts the time that has passed since the work', async () => {
    const { clock, work, rest, timers, state } = started();
    work(6);
    clock.time += 10;
    await rest();
    expect(timers.delays()).toEqual([8]);
    await timers.fire();
    work(6);
    clock.time += 17;
    await rest();
    expect(state.isRested).toBe(true);
  });

  it('does not rest after quick work, before any work, or twice for one', async () => {
    const { work, rest, timers, state } = started();
    await rest();
    expect(state.isRested).toBe(true);
    work(0.5);
    await rest();
    expect(state.isRested).toBe(true);
    work(6);
    await rest();
    await timers.fire();
    await rest();
    expect([timers.delays(), state.isRested]).toEqual([[], true]);
  });

  it('does not rest longer when the clock is set back', async () => {
    const { clock, work, rest, timers } = started();
    work(6);
    clock.time -= 60_000;
    await rest();
    expect(timers.delays()).toEqual([18]);
  });
});
