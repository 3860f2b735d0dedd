import type { Timers } from '../../src/ports/timers';

export interface ManualTimers extends Timers {
  /** The delays of the pending timers, soonest first. */
  delays(): number[];
  /** Fires the soonest timer, or the first one with `delay`, and waits until its callbacks have run. */
  fire(delay?: number): Promise<void>;
}

export function manualTimers(): ManualTimers {
  let waiting: { delay: number; callback: () => void }[] = [];
  return {
    after(delay, callback) {
      const timer = { delay, callback };
      waiting = [...waiting, timer].sort((left, right) => left.delay - right.delay);
      return () => {
        waiting = waiting.filter((other) => other !== timer);
      };
    },
    yieldTurn: () => Promise.resolve(),
    delays: () => waiting.map(({ delay }) => delay),
    async fire(delay = waiting[0]?.delay) {
      const timer = waiting.find((other) => other.delay === delay);
      if (timer === undefined) throw new Error('No timer waits');
      waiting = waiting.filter((other) => other !== timer);
      timer.callback();
      await quiet();
    },
  };
}

/** Waits until pending promises have settled. The time of the timers stands still meanwhile. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
