import { describe, expect, it } from '@jest/globals';
import { createPace } from '../../../src/live/feed/pace';
import { manualTimers, quiet } from '../../jobs/manual-timers';

function started() {
  const clock = { time: 1_000, now: () => clock.time };
  const loop = { active: 0, idle: 0 };
  const timers = manualTimers();
  const pace = createPace(clock, timers, () => ({ ...loop }));
  const state = { isRested: false };
  async function rest(): Promise<void> {
    state.isRested = false;
    void pace.rest().then(() => (state.isRested = true));
    await quiet();
  }
  return {
    clock,
    timers,
    state,
    count: pace.count,
    expect: pace.expect,
    work(milliseconds: number): void {
      pace.work(() => void (clock.time += milliseconds));
      loop.active += milliseconds;
    },
    /** 100 ms pass. For `milliseconds` of them, the event loop has other work than the feed. */
    otherWork(milliseconds: number): void {
      loop.active += milliseconds;
      loop.idle += 100 - milliseconds;
    },
    rest,
    async restToItsEnd(committed: readonly number[] = []): Promise<number> {
      const begunAt = clock.time;
      await rest();
      for (let part = 0; !state.isRested; part += 1) {
        pace.expect(committed[part] ?? 0);
        clock.time += timers.delays()[0] ?? 0;
        await timers.fire();
      }
      return Math.round(clock.time - begunAt);
    },
  };
}

describe('The pace of handing out', () => {
  it('rests as long as all parts of the work took while nothing else is at work', async () => {
    const { work, rest, timers, state } = started();
    work(2);
    work(4);
    await rest();
    expect([timers.delays(), state.isRested]).toEqual([[6], false]);
    await timers.fire();
    expect(state.isRested).toBe(true);
  });

  it.each([
    [15, 7],
    [30, 21],
    [100, 21],
  ])('rests longer where other work takes %d of 100 ms', async (milliseconds, longer) => {
    const { otherWork, work, rest, timers } = started();
    otherWork(milliseconds);
    work(3);
    await rest();
    expect(Math.round(timers.delays()[0] ?? 0)).toBe(longer);
  });

  it('rests less when the other work has ended', async () => {
    const { otherWork, work, rest, timers } = started();
    const delays: number[] = [];
    for (const milliseconds of [100, 0, 0, 0, 0, 0]) {
      otherWork(milliseconds);
      work(4);
      await rest();
      delays.push(...timers.delays());
      await timers.fire();
    }
    expect(delays).toEqual([...delays].sort((left, right) => right - left));
    expect(delays.at(-1)).toBeLessThan(6);
  });

  it.each([
    [7, 17],
    [30, 30],
    [400, 130],
  ])('takes 24 ms with its work, or as long as the work: %d ms, then %d', async (took, longest) => {
    const { otherWork, work, rest, timers } = started();
    otherWork(100);
    work(took);
    await rest();
    expect(timers.delays()).toEqual([longest]);
  });

  it.each([
    [40, 10, 10],
    [80, 10, 20],
    [120, 10, 55],
    [400, 10, 90],
    [400, 30, 120],
    [400, 50, 100],
  ])('rests longer where many facts come: %d facts, %d ms of work', async (facts, took, longest) => {
    const { otherWork, count, work, restToItsEnd } = started();
    otherWork(0);
    count(facts);
    work(took);
    expect(await restToItsEnd()).toBe(longest);
  });

  // A page has room for 1,100 facts. At the rate of 1,210 facts in 110 ms, 85 % of a page are filled after 85 ms.
  it.each([
    [1_210, 10, 75],
    [5_000, 10, 10],
  ])('ends the rest before a page is full: %d facts, %d ms of work', async (facts, took, longest) => {
    const { otherWork, count, work, restToItsEnd } = started();
    otherWork(0);
    count(facts);
    work(took);
    expect(await restToItsEnd()).toBe(longest);
  });

  it('rests less when no more facts come', async () => {
    const { otherWork, count, work, restToItsEnd } = started();
    const rests: number[] = [];
    for (const facts of [200, 0, 0]) {
      otherWork(0);
      count(facts);
      work(4);
      rests.push(await restToItsEnd());
    }
    expect(rests).toEqual([36, 4, 4]);
  });

  // 400 facts in 110 ms are many, so `rest` can take 90 ms after 10 ms of work. Without more facts it takes 10 ms.
  it.each([
    ['none', [], 10],
    ['as many', [80, 0], 90],
    ['a third', [24, 0], 90],
    ['a sixth', [12, 0], 15],
  ])('ends early when %s of the facts before are committed after a page', async (_name, committed, took) => {
    const { otherWork, count, expect: committedBefore, work, restToItsEnd } = started();
    otherWork(0);
    committedBefore(400);
    count(400);
    work(10);
    expect(await restToItsEnd(committed)).toBe(took);
  });

  it('counts the time that has passed since the work', async () => {
    const { clock, work, rest, timers, state } = started();
    work(6);
    clock.time += 3;
    await rest();
    expect(timers.delays()).toEqual([3]);
    await timers.fire();
    work(6);
    clock.time += 5;
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
    expect(timers.delays()).toEqual([6]);
  });
});
