import { setTimeout as pause } from 'node:timers/promises';

/** Waits for a condition that another process or a socket brings about; fails when the time is over. */
export async function until(condition: () => Promise<boolean> | boolean, deadlineMs = 15_000): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${String(deadlineMs)} ms: ${String(condition)}`);
    await pause(5);
  }
}
