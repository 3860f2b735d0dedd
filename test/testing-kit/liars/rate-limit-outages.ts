/** Rate limits that fail when their server does. */
import type { RollingWindow } from '../../../src/ports/rate-limit';
import { createLocalWindow } from '../../../src/rate-limit/counters';
import { shared, type RateLimitFault } from './count-server';
import { windows } from './rate-limits';

/** Takes an answer without `allowed: false`, such as an error page, for a permission. */
export const letsInAtAnError = windows(({ hit }, _length, world) => ({
  hit: (subject, limit, now) =>
    world.fails === 'status' ? { allowed: true, remaining: limit, resetAt: now } : hit(subject, limit, now),
}));
/** Catches only time-outs of its server. */
export const rejectsWhenRefused = windows(({ hit }, _length, world) => ({
  async hit(subject, limit, now) {
    if (world.fails === 'refused') throw new Error('connect ECONNREFUSED');
    return hit(subject, limit, now);
  },
}));
/** While the server is away, refused requests count. */
export const countsRefusalsWhenItIsAway = windows(({ hit }, _length, world) => ({
  async hit(subject, limit, now) {
    const decision = await hit(subject, limit, now);
    if (world.isCut && !decision.allowed) await hit(subject, Infinity, now);
    return decision;
  },
}));
/** Counts alone, like an instance whose first call took longer than its time limit. */
export const countsAloneAfterASlowCall: RateLimitFault = windows((_window, length) => {
  const alone = createLocalWindow(length);
  const slow = new Promise((resolve) => setTimeout(resolve, 150));
  return {
    async hit(...input) {
      await slow;
      return alone.hit(...input);
    },
  };
});
/** Its time limit covers the headers of an answer, but not the body. */
export const waitsForTheBody = windows(({ hit }, _length, world) => ({
  hit: (...input) => (world.isCut && world.isHalf ? new Promise(() => undefined) : hit(...input)),
}));
/** Uses each answer that is JSON, without a check of its fields. */
export const usesNonsense = windows(({ hit }, _length, world) => ({
  async hit(...input) {
    const decision = await hit(...input);
    return world.nonsense === null ? decision : read(world.nonsense(JSON.stringify(decision)), decision);
  },
}));
function read<T>(body: string, otherwise: T): T {
  try {
    return JSON.parse(body) as T;
  } catch {
    return otherwise;
  }
}
/** Takes an answer that it cannot use for a permission. */
export const letsInAtNonsense = windows(({ hit }, _length, world) => ({
  hit(subject, limit, now) {
    if (world.nonsense === null) return hit(subject, limit, now);
    world.nonsense('{"allowed":true}');
    return { allowed: true, remaining: limit, resetAt: now };
  },
}));

export const waitsForTheServer: RateLimitFault = (_sound, world) => ({
  start: () => (world.isCut ? new Promise<void>(() => undefined) : Promise.resolve()),
});
export const startsWithTheServerOnly: RateLimitFault = (_sound, world) => ({
  async start() {
    if (world.fails === 'refused') throw new Error('connect ECONNREFUSED');
  },
});
/** `close` deletes its counts. */
export const forgetsAtItsEnd: RateLimitFault = () => {
  const windows = new Map<number, RollingWindow>();
  return {
    window(length) {
      const current = () => shared(windows, length, () => createLocalWindow(length));
      return { hit: (...input) => current().hit(...input), peek: (...input) => current().peek(...input) };
    },
    close: async () => windows.clear(),
  };
};
