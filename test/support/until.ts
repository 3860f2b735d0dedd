import { setTimeout as pause } from 'node:timers/promises';

/** Waits for a condition that another process or a socket brings about; fails, naming what is missing, when the time is over. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  deadlineMs = 15_000,
  missing: () => string = () => String(condition),
): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${String(deadlineMs)} ms: ${missing()}`);
    await pause(5);
  }
}
