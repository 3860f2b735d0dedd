/** The rate-limit backend on Redis. Its connection, timers and random source are arguments. */
import type { Random } from '../../../src/ports/random';
import type { RateLimitBackend } from '../../../src/ports/rate-limit';
import type { Timers } from '../../../src/ports/timers';
import type { Connect, Send } from './connection';
import { createSharedFailures } from './failures';
import { createLink, type LinkTimings, type RedisFigures } from './link';
import { createSharedWindow, runWindowScript } from './rolling-window';

export interface RedisBackendDependencies {
  connect: Connect;
  prefix: string;
  timings: LinkTimings;
  timers: Timers;
  random: Random;
}

export interface RedisRateLimit extends RateLimitBackend {
  /** For metrics. */
  figures(): RedisFigures;
}

export function createRedisBackend(dependencies: RedisBackendDependencies): RedisRateLimit {
  const { connect, prefix, timings, timers, random } = dependencies;
  const link = createLink({ connect, verify: (send) => verify(send, prefix), timings, timers });
  const nextMember = memberNames(random);
  return {
    name: 'redis',
    window: (windowMs) =>
      createSharedWindow({ link, windowMs, prefix: `${prefix}window:${String(windowMs)}:`, nextMember }),
    failures: (windowMs) =>
      createSharedFailures({ link, windowMs, prefix: `${prefix}failures:${String(windowMs)}:` }),
    start: ({ logger }) => link.start(logger),
    close: () => link.close(),
    figures: () => link.figures(),
  };
}

/**
 * Runs the script once on a key that is used for nothing else. The call fails on a server that is read-only or
 * refuses scripts, and such a server counts as unreachable.
 */
function verify(send: Send, prefix: string): Promise<unknown> {
  return runWindowScript(send, { key: `${prefix}probe`, now: 0, windowMs: 1, limit: 1, member: 'probe' });
}

/** Makes names that are unique over all instances: 96 random bits of this instance, and a count. */
function memberNames(random: Random): () => string {
  const instance = Buffer.from(random.bytes(12)).toString('base64url');
  let calls = 0;
  return () => {
    calls += 1;
    return `${instance}${calls.toString(36)}`;
  };
}
