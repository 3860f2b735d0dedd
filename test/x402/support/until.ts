import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 20_000;

/** Waits for a condition that comes true by itself; rejects when it has not within the deadline. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + DEADLINE_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('the condition did not come true');
    await delay(5);
  }
}
