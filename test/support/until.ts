import { setTimeout as pause } from 'node:timers/promises';

export interface Wait {
  /** The awaited condition, for the failure message. Default: the source text of the condition. */
  what?: string | (() => string);
  withinMs?: number;
}

/** In milliseconds. A check may be a request to a server, so the pauses grow with the time waited. */
const SHORTEST_PAUSE = 5;
const LONGEST_PAUSE = 25;

export async function until(
  condition: () => Promise<boolean> | boolean,
  { what = String(condition), withinMs = 30_000 }: Wait = {},
): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - start;
    if (waited > withinMs) {
      throw new Error(`not within ${String(withinMs)} ms: ${typeof what === 'string' ? what : what()}`);
    }
    await pause(Math.min(Math.max(waited / 10, SHORTEST_PAUSE), LONGEST_PAUSE));
  }
}

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
