import { setTimeout as pause } from 'node:timers/promises';

export interface Wait {
  /** What is waited for, for the message of the failure; default: the source of the condition. */
  what?: string | (() => string);
  /** Default: far beyond what a slow machine needs. */
  withinMs?: number;
}

/**
 * Waits for a condition that another process, a socket or a background job brings about; rejects after the
 * deadline.
 */
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

/** For a time limit that callers are promised over real processes: rejects when the work has not ended by then. */
export async function within<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${String(limitMs)} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
