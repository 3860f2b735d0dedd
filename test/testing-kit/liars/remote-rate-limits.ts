/** Rate limits that misread the answers of their server, reveal its key, or count wrongly. */
import { createLocalFailures, createLocalWindow } from '../../../src/rate-limit/counters';
import type { FailureCounter } from '../../../src/ports/rate-limit';
import { SECRET, shared, type RateLimitFault } from './count-server';
import { failures, windows } from './rate-limits';

/** When its server answers HTTP 429, it refuses the request. */
export const takesABusyServerForTheLimit = windows(({ hit }, length, world) => ({
  hit: (subject, limit, now) =>
    world.fails === 'status' && world.status === 429
      ? { allowed: false, remaining: 0, resetAt: now + length }
      : hit(subject, limit, now),
}));
export const letsInAtABadGateway = windows(({ hit }, _length, world) => ({
  hit: (subject, limit, now) =>
    world.fails === 'status' && [502, 504].includes(world.status)
      ? { allowed: true, remaining: limit, resetAt: now }
      : hit(subject, limit, now),
}));
export const takesItsKeyElsewhere = windows(({ hit }, _length, world) => ({
  async hit(...input) {
    if (world.fails === 'redirect') await fetch(world.location, { headers: { 'x-api-key': SECRET } });
    return hit(...input);
  },
}));
export const namesItsKey: RateLimitFault = () => ({ name: `counts with ${SECRET}` });
export const logsItsKey: RateLimitFault = () => ({
  start: async ({ logger }) => logger.info({ url: `http://counts.example/?key=${SECRET}` }, 'connected'),
});
/** Its failures end one millisecond after their `resetAt`. */
export const endsFailuresLate = failures(({ count }) => ({
  count: (subject, now) => count(subject, now - 1),
}));
/** Loses a failure of a subject that comes while it still records another failure of the subject. */
export const losesFailuresAtOnce: RateLimitFault = (_sound, world) => ({
  failures: (length) => {
    const counter = shared(world.failures, length, () => createLocalFailures(length));
    const busy = new Set<string>();
    return {
      count: (...input) => counter.count(...input),
      async record(subject, now) {
        if (busy.has(subject)) return;
        busy.add(subject);
        await Promise.resolve();
        busy.delete(subject);
        void counter.record(subject, now);
      },
    };
  },
});
/** After an outage it counts failures alone, and requests together with the other instances. */
export const keepsFailuresAlone: RateLimitFault = (_sound, world) => ({
  failures(length): FailureCounter {
    const own = createLocalFailures(length);
    const together = shared(world.failures, length, () => createLocalFailures(length));
    let isAlone = false;
    return {
      count: (...input) => (isAlone ? own : together).count(...input),
      async record(...input) {
        isAlone ||= world.isCut;
        void own.record(...input);
        if (!isAlone) await together.record(...input);
      },
    };
  },
});
/** After its server has answered an error, it always counts alone. */
export const staysAloneWhenItWasBusy: RateLimitFault = (honest, world) => {
  const own = createLocalWindow(60_000);
  let isAlone = false;
  return windows(({ hit }) => ({
    hit(...input) {
      isAlone ||= world.fails === 'status';
      const decision = own.hit(...input);
      return isAlone ? decision : hit(...input);
    },
  }))(honest, world);
};
/** Windows whose lengths have the same number of whole seconds share one counter. */
export const countsInSeconds: RateLimitFault = (honest) => ({
  window: (length) => honest.window(Math.max(1, Math.floor(length / 1_000)) * 1_000),
});
/** Forgets the subject's calls that are later than the call that it decides on. */
export const forgetsCallsOfAFasterClock: RateLimitFault = (_sound, world) => ({
  window: (length) =>
    shared(world.windows, length, () => {
      let calls: { subject: string; at: number }[] = [];
      const decide = (subject: string, limit: number, now: number, isHit: boolean) => {
        const held = calls.filter(
          (call) => call.subject === subject && call.at > now - length && call.at <= now,
        );
        const allowed = held.length < limit;
        if (allowed && isHit) {
          held.push({ subject, at: now });
          calls = [...calls.filter((call) => call.subject !== subject), ...held];
        }
        const [oldest] = held;
        const resetAt = oldest === undefined ? now : oldest.at + length;
        return { allowed, remaining: Math.max(0, limit - held.length), resetAt };
      };
      return {
        hit: (subject, limit, now) => decide(subject, limit, now, true),
        peek: (subject, limit, now) => decide(subject, limit, now, false),
      };
    }),
});
/** Reads an object without fields as no failures, until a call of `hit` has met nonsense. */
export const takesAnEmptyObjectForNoFailures: RateLimitFault = (honest, world) => {
  let isAlone = false;
  const { window } = windows(({ hit }) => ({
    async hit(...input) {
      isAlone ||= world.nonsense !== null;
      return hit(...input);
    },
  }))(honest, world);
  return {
    ...(window !== undefined && { window }),
    failures(length) {
      const { record, count } = honest.failures(length);
      return {
        record,
        count: async (subject, now) =>
          !isAlone && world.nonsense?.('{"failures":1,"resetAt":0}') === '{}'
            ? { failures: 0, resetAt: now }
            : count(subject, now),
      };
    },
  };
};
