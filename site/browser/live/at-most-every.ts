import type { Timers } from '../../../src/client/live/link';

/**
 * Runs `work` at a call, and then not again for `milliseconds`. Calls meanwhile lead to one more run at the end of this
 * time. Rejections are ignored.
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
