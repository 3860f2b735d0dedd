/** Rate limits with one fault each. The conformance suite has to report every fault. */
import { createLocalFailures, createLocalWindow } from '../../../src/rate-limit/counters';
import type { FailureCounter, RollingWindow } from '../../../src/ports/rate-limit';
import { shared, type RateLimitFault, type World } from './count-server';

export const sound: RateLimitFault = () => ({});

/** A rate limit that replaces methods of the correct windows by those that `change` returns. */
export const windows =
  (change: (window: RollingWindow, length: number, world: World) => Partial<RollingWindow>): RateLimitFault =>
  (honest, world) => ({
    window(length) {
      const window = honest.window(length);
      const { hit, peek } = window;
      return { hit, peek, ...change(window, length, world) };
    },
  });

/** A rate limit that replaces methods of the correct failure counters by those that `change` returns. */
export const failures =
  (change: (counter: FailureCounter, world: World) => Partial<FailureCounter>): RateLimitFault =>
  (honest, world) => ({
    failures(length) {
      const counter = honest.failures(length);
      const { count, record } = counter;
      return { count, record, ...change(counter, world) };
    },
  });

const named = (name: (subject: string) => string): RateLimitFault[] => [
  windows(({ hit, peek }) => ({
    hit: (subject, ...rest) => hit(name(subject), ...rest),
    peek: (subject, ...rest) => peek(name(subject), ...rest),
  })),
  failures(({ count, record }) => ({
    count: (subject, now) => count(name(subject), now),
    record: (subject, now) => record(name(subject), now),
  })),
];
export const [ignoresTheCase, ignoresTheCaseOfFailures] = named((subject) => subject.toLowerCase()) as [
  RateLimitFault,
  RateLimitFault,
];
export const [cutsNames, cutsNamesOfFailures] = named((subject) => subject.slice(0, 40)) as [
  RateLimitFault,
  RateLimitFault,
];

export const [trimsNames, trimsNamesOfFailures] = named((subject) => subject.trimEnd()) as [
  RateLimitFault,
  RateLimitFault,
];
export const [normalizesNames, normalizesNamesOfFailures] = named((subject) => subject.normalize()) as [
  RateLimitFault,
  RateLimitFault,
];
export const [ignoresAccents, ignoresAccentsOfFailures] = named((subject) =>
  subject.normalize('NFD').replaceAll(/\p{Mn}/gu, ''),
) as [RateLimitFault, RateLimitFault];

export const countsFailuresOfAllLengths: RateLimitFault = (honest) => ({
  failures: () => honest.failures(300_000),
});
export const countsRequestsAsFailures = windows(({ hit }, length, { failures: counters }) => ({
  hit(subject, limit, now) {
    void shared(counters, length, () => createLocalFailures(length)).record(subject, now);
    return hit(subject, limit, now);
  },
}));
export const countsFailuresAsRequests = failures(({ record }, world) => ({
  record(subject, now) {
    for (const window of world.windows.values()) void window.hit(subject, Infinity, now);
    return record(subject, now);
  },
}));
export const dropsFailuresBeforeItsStart = failures(({ record }, world) => ({
  record: (...input) => (world.isStarted ? record(...input) : undefined),
}));
/** A window that looks itself up in `world.windows` at each call, because another call may have emptied that map. */
const replaceable = (world: World, length: number): RollingWindow => {
  const current = () => shared(world.windows, length, () => createLocalWindow(length));
  return { hit: (...input) => current().hit(...input), peek: (...input) => current().peek(...input) };
};
export const clearsAtItsStart: RateLimitFault = (_sound, world) => ({
  window: (length) => replaceable(world, length),
  start: async () => world.windows.clear(),
});
/** When a call has left a window, the calls in windows of every length are deleted. */
export const purgesAllLengths: RateLimitFault = (_sound, world) => ({
  window(length) {
    const { hit, peek } = replaceable(world, length);
    let oldest = Infinity;
    return {
      peek,
      hit(subject, limit, now) {
        oldest = Math.min(oldest, now);
        if (oldest + length < now) world.windows.clear();
        return hit(subject, limit, now);
      },
    };
  },
});
export const forgetsFailuresEarly: RateLimitFault = (_sound, world) => ({
  failures: (length) => shared(world.failures, length, () => createLocalFailures(length / 10)),
});
/** Always answers with the `resetAt` of the first call, even when that call is no longer in the window. */
export const remembersTheFirstCall: RateLimitFault = (honest, world) => {
  const firsts = new Map<string, number>();
  return windows(({ hit }, length) => ({
    async hit(subject, limit, now) {
      const resetAt = firsts.get(subject) ?? now + length;
      firsts.set(subject, resetAt);
      return { ...(await hit(subject, limit, now)), resetAt };
    },
  }))(honest, world);
};
export const neverHasMoreLeft: RateLimitFault = (honest, world) => {
  const lowest = new Map<string, number>();
  return windows(({ hit }) => ({
    async hit(subject, limit, now) {
      const decision = await hit(subject, limit, now);
      const key = `${subject} ${limit}`;
      const remaining = Math.min(lowest.get(key) ?? Infinity, decision.remaining);
      lowest.set(key, remaining);
      return { ...decision, remaining };
    },
  }))(honest, world);
};
export const looksOpenWhenItIsAway = windows(({ peek }, _length, world) => ({
  peek: (subject, limit, now) =>
    world.isCut ? { allowed: true, remaining: limit, resetAt: now } : peek(subject, limit, now),
}));
export const looksOpenWithoutALimit = windows(({ peek }) => ({
  async peek(subject, limit, now) {
    const decision = await peek(subject, limit, now);
    return limit === 0 ? { ...decision, allowed: true } : decision;
  },
}));

/** Counts alone after the first outage of its server, even when the server answers again. */
export const staysAlone: RateLimitFault = (honest, world) => {
  const own = createLocalWindow(60_000);
  let isAlone = false;
  return windows(({ hit }) => ({
    hit(subject, limit, now) {
      isAlone ||= world.isCut;
      const decision = own.hit(subject, limit, now);
      return isAlone ? decision : hit(subject, limit, now);
    },
  }))(honest, world);
};

/** Fixed windows: all counts begin anew at the same times of the clock. */
export const countsByTheMinute: RateLimitFault = (_sound, world) => ({
  window: (length) =>
    shared(world.windows, length, () => {
      const counts = new Map<string, number>();
      const decide = (subject: string, limit: number, now: number, counted: number) => {
        const start = now - (now % length);
        const key = `${subject} ${start}`;
        const used = counts.get(key) ?? 0;
        const allowed = used < limit;
        if (allowed) counts.set(key, used + counted);
        return { allowed, remaining: Math.max(0, limit - used - counted), resetAt: start + length };
      };
      return {
        hit: (subject, limit, now) => decide(subject, limit, now, 1),
        peek: (subject, limit, now) => decide(subject, limit, now, 0),
      };
    }),
});

export const countsAlone: RateLimitFault = () => {
  const windows = new Map<number, RollingWindow>();
  return { window: (length) => shared(windows, length, () => createLocalWindow(length)) };
};

/** Reads the count first and adds to it later. Requests that come between the two steps are allowed too. */
export const looksBeforeItCounts: RateLimitFault = (honest) => ({
  window(length) {
    const window = honest.window(length);
    return {
      async hit(subject, limit, now) {
        const { allowed } = await window.peek(subject, limit, now);
        await Promise.resolve();
        if (!allowed) return window.hit(subject, limit, now);
        return { ...(await window.hit(subject, Infinity, now)), allowed, remaining: 0 };
      },
      peek: (...input) => window.peek(...input),
    };
  },
});

export const countsRefusals: RateLimitFault = (honest) => ({
  window(length) {
    const window = honest.window(length);
    return {
      async hit(subject, limit, now) {
        const decision = await window.hit(subject, limit, now);
        if (!decision.allowed) await window.hit(subject, Infinity, now);
        return decision;
      },
      peek: (...input) => window.peek(...input),
    };
  },
});

export const countsLooks: RateLimitFault = (honest) => ({
  window(length) {
    const window = honest.window(length);
    return { hit: (...input) => window.hit(...input), peek: (...input) => window.hit(...input) };
  },
});

export const prolongsFailures: RateLimitFault = (_sound, world) => ({
  failures: (length) =>
    shared(world.failures, length, () => {
      const counts = new Map<string, { failures: number; resetAt: number }>();
      const live = (subject: string, now: number) => {
        const count = counts.get(subject);
        return count !== undefined && count.resetAt > now ? count : { failures: 0, resetAt: now };
      };
      return {
        count: live,
        record: (subject, now) =>
          void counts.set(subject, { failures: live(subject, now).failures + 1, resetAt: now + length }),
      };
    }),
});

export const waitsForItsStart: RateLimitFault = (honest, world) => ({
  window(length) {
    const window = honest.window(length);
    return {
      async hit(...input) {
        if (!world.isStarted) throw new Error('not started');
        return window.hit(...input);
      },
      peek: (...input) => window.peek(...input),
    };
  },
});

export const waitsForAnAnswer: RateLimitFault = (honest, world) => ({
  window(length) {
    const window = honest.window(length);
    return {
      hit: (...input) => (world.isCut ? new Promise(() => undefined) : window.hit(...input)),
      peek: (...input) => window.peek(...input),
    };
  },
});

export const opensTheDoorWhenItIsAway: RateLimitFault = (honest, world) => ({
  window(length) {
    const window = honest.window(length);
    return {
      hit: (subject, limit, now) =>
        world.isCut ? { allowed: true, remaining: limit, resetAt: now } : window.hit(subject, limit, now),
      peek: (...input) => window.peek(...input),
    };
  },
});

/** A request stays in its window a millisecond longer than its `resetAt` says. */
export const endsOneMillisecondLate: RateLimitFault = (_sound, world) => ({
  window(length) {
    const window = shared(world.windows, length, () => createLocalWindow(length + 1));
    return {
      async hit(...input) {
        const decision = await window.hit(...input);
        return { ...decision, resetAt: decision.resetAt - 1 };
      },
      peek: (...input) => window.peek(...input),
    };
  },
});

export const hasLessThanNoneLeft = windows(({ peek }) => ({
  async peek(subject, limit, now) {
    const { remaining } = await peek(subject, 100, now);
    return { ...(await peek(subject, limit, now)), remaining: limit - (100 - remaining) };
  },
}));
export const recordsTrimmedNames = failures(({ record }) => ({
  record: (subject, now) => record(subject.trim(), now),
}));
export const recordsNormalizedNames = failures(({ record }) => ({
  record: (subject, now) => record(subject.normalize(), now),
}));
