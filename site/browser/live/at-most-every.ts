import type { Timers } from '../../../src/client/live/link';

/**
 * Runs the work at the first call, and not again before the time is over. If there are calls within this time, the work
 * runs once when the time is over. A rejection of the work is ignored: work that has to report a failure does so
 * itself.
 */
export function atMostEvery(timers: Timers, milliseconds: number, work: () => Promise<void>): () => void {
  let isResting = false;
  let wished = false;
  function run(): void {
    isResting = true;
    wished = false;
    work().catch(() => undefined);
    timers.after(milliseconds, () => {
      isResting = false;
      if (wished) run();
    });
  }
  return () => {
    if (isResting) wished = true;
    else run();
  };
}
