import { describe, expect, it } from '@jest/globals';
import { FairShare } from '../../../src/live/feed/fair-share';

function started() {
  const clock = { time: 1_000, now: () => clock.time };
  const share = new FairShare(clock);
  const work = (milliseconds: number): Promise<void> =>
    share.work(async () => {
      clock.time += milliseconds;
    });
  return { clock, share, work };
}

describe('The fair share of a client', () => {
  it('lets the client wait twice as long as its work took', async () => {
    const { share, work } = started();
    await work(5);
    await work(10);
    expect([share.takePause(), share.takePause()]).toEqual([30, 0]);
  });

  it('adds short work up until the pause is worth a timer', async () => {
    const { share, work } = started();
    const pauses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      await work(0.25);
      pauses.push(share.takePause());
    }
    expect(pauses).toEqual([0, 1, 0, 1, 0, 1]);
  });

  it('counts work that failed, and no other time', async () => {
    const { clock, share } = started();
    const failed = share.work(async () => {
      clock.time += 4;
      throw new Error('refused');
    });
    await expect(failed).rejects.toThrow('refused');
    clock.time += 1_000;
    expect(share.takePause()).toBe(8);
  });

  it('pauses for at most a quarter of a second, and forgets the rest', async () => {
    const { share, work } = started();
    await work(60_000);
    expect([share.takePause(), share.takePause()]).toEqual([250, 0]);
  });

  it('owes no less when the clock is set back', async () => {
    const { share, work } = started();
    await work(3);
    await work(-60_000);
    expect(share.takePause()).toBe(6);
  });
});
