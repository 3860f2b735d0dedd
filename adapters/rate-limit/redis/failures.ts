/**
 * Counts failures, such as failed authentications, over all instances. The package rate-limit-redis counts them in a
 * fixed window that begins with the first failure.
 */
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import type { FailureCount } from '../../../src/ports/rate-limit';
import { createLocalFailures } from '../../../src/rate-limit/counters';
import type { FailureCounter } from '../../../src/ports/rate-limit';
import type { Send } from './connection';
import type { RedisLink } from './link';

export interface SharedFailuresOptions {
  link: RedisLink;
  windowMs: number;
  /** Each key in Redis is this text and the subject (a client address). */
  prefix: string;
}

/**
 * Answers with the larger of two counts: the count in Redis and the count of this instance. So when Redis has
 * lost its data, each instance still throttles by the failures that it has seen itself.
 */
export function createSharedFailures({ link, windowMs, prefix }: SharedFailuresOptions): FailureCounter {
  const local = createLocalFailures(windowMs);
  let store: { send: Send; opened: Promise<RedisStore> } | null = null;

  /** Makes one store for each connection, so that a store that could not load its scripts is not used again. */
  function storeOn(send: Send): Promise<RedisStore> {
    if (store?.send !== send) store = { send, opened: openStore(send, windowMs, prefix) };
    return store.opened;
  }

  return {
    async count(subject, now) {
      const theirs = await link.ask(async (send) => sharedCount(await storeOn(send), subject, now));
      const own = local.count(subject, now);
      return theirs !== null && theirs.failures > own.failures ? theirs : own;
    },
    async record(subject, now) {
      local.record(subject, now);
      await link.ask(async (send) => (await storeOn(send)).increment(subject));
    },
  };
}

async function openStore(send: Send, windowMs: number, prefix: string): Promise<RedisStore> {
  const store = new RedisStore({
    prefix,
    sendCommand: (...command) => send(command) as Promise<RedisReply>,
  });
  store.windowMs = windowMs;
  const [increment, get] = await Promise.all([store.loadIncrementScript(), store.loadGetScript()]);
  store.incrementScriptSha = Promise.resolve(increment);
  store.getScriptSha = Promise.resolve(get);
  return store;
}

async function sharedCount(store: RedisStore, subject: string, now: number): Promise<FailureCount> {
  const info = await store.get(subject);
  // The store answers NaN for a key that does not exist.
  if (info?.resetTime === undefined || !(info.totalHits > 0)) return { failures: 0, resetAt: now };
  // The store gives the end of the window by the system clock. `now` may come from another clock, so the time
  // left in the window is added to `now`.
  return { failures: info.totalHits, resetAt: now + (info.resetTime.getTime() - Date.now()) };
}
