import { setTimeout as pause } from 'node:timers/promises';

export interface Wait {
  /** What is waited for, for the message of the failure; default: the source of the condition. */
  what?: string | (() => string);
  /** Default: far beyond what a slow machine needs. */
  withinMs?: number;
}

/** Waits for a condition that another process, a socket or a background job brings about; rejects after the deadline. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  { what = String(condition), withinMs = 30_000 }: Wait = {},
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > end) {
      throw new Error(`not within ${String(withinMs)} ms: ${typeof what === 'string' ? what : what()}`);
    }
    await pause(5);
  }
}
