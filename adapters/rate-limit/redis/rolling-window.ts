/**
 * The rolling window that all instances share: a sorted set for each subject (an API key or an address), read
 * and changed by one script.
 */
import { createHash } from 'node:crypto';
import type { RateLimitDecision } from '../../../src/ports/rate-limit';
import { createLocalWindow } from '../../../src/rate-limit/counters';
import type { RollingWindow } from '../../../src/ports/rate-limit';
import type { Send } from './connection';
import type { RedisLink } from './link';

/**
 * The sliding log of src/rate-limit/sliding-log.ts, in Lua. The members of the set are requests, and their
 * scores are instants.
 *
 * - The script forgets requests that have left the window and counts the requests that remain. It adds this
 *   request unless the limit is reached or `member` is empty.
 * - A request with an earlier instant than the newest request gets the instant of the newest one.
 * - If the clock was set back by more than a window, the log starts anew.
 * - The key expires two windows after the last request that was added, by the clock of Redis.
 *
 * The script answers with three values: whether the request is allowed (1 or 0), the number of requests in
 * the window, and the oldest instant (empty when there is no request).
 */
const SCRIPT = `
local key, now, windowMs, limit, member =
  KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local newest = tonumber(redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2])
if newest and now < newest - windowMs then
  redis.call('DEL', key)
  newest = nil
end
redis.call('ZREMRANGEBYSCORE', key, '-inf', now - windowMs)
local used = redis.call('ZCARD', key)
local allowed = used < limit
if allowed and member ~= '' then
  redis.call('ZADD', key, math.max(now, newest or now), member)
  redis.call('PEXPIRE', key, 2 * windowMs)
  used = used + 1
end
local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
return { allowed and 1 or 0, used, oldest or '' }
`;
const SCRIPT_SHA1 = createHash('sha1').update(SCRIPT).digest('hex');

interface WindowRequest {
  key: string;
  now: number;
  windowMs: number;
  limit: number;
  /**
   * The name of the request, unique over all instances. With an empty name the script counts the requests and does
   * not add this request.
   */
  member: string;
}

export interface SharedWindowOptions {
  link: RedisLink;
  windowMs: number;
  /** Each key in Redis is this text and the subject (an API key or an address). */
  prefix: string;
  nextMember(): string;
}

/**
 * Asks Redis, and also counts in this instance. A request has to pass both limits. So each instance still
 * limits requests while Redis does not answer, and after Redis has lost its data.
 */
export function createSharedWindow({
  link,
  windowMs,
  prefix,
  nextMember,
}: SharedWindowOptions): RollingWindow {
  const local = createLocalWindow(windowMs);
  const shared = (subject: string, limit: number, now: number, member: string) =>
    link.ask((send) => runWindowScript(send, { key: prefix + subject, now, windowMs, limit, member }));

  return {
    async hit(subject, limit, now) {
      const own = local.peek(subject, limit, now);
      if (!own.allowed) return own;
      const theirs = await shared(subject, limit, now, nextMember());
      if (theirs?.allowed === false) return theirs;
      const counted = local.hit(subject, limit, now);
      return theirs === null ? counted : stricter(theirs, counted);
    },
    async peek(subject, limit, now) {
      const theirs = await shared(subject, limit, now, '');
      const own = local.peek(subject, limit, now);
      return theirs === null ? own : stricter(theirs, own);
    },
  };
}

function stricter(one: RateLimitDecision, other: RateLimitDecision): RateLimitDecision {
  if (one.allowed !== other.allowed) return one.allowed ? other : one;
  return one.remaining <= other.remaining ? one : other;
}

/** Sends the hash of the script. If the server does not know the script, its text is sent. */
export async function runWindowScript(send: Send, request: WindowRequest): Promise<RateLimitDecision> {
  const { key, now, windowMs, limit, member } = request;
  const rest = ['1', key, String(now), String(windowMs), String(limit), member];
  const reply = await send(['EVALSHA', SCRIPT_SHA1, ...rest]).catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith('NOSCRIPT'))
      return send(['EVAL', SCRIPT, ...rest]);
    throw error;
  });
  return parseReply(reply, request);
}

function parseReply(reply: unknown, { now, windowMs, limit }: WindowRequest): RateLimitDecision {
  if (!Array.isArray(reply)) throw new TypeError('Redis answered the rate-limit script with something else');
  const [allowed, used, oldest] = reply as unknown[];
  return {
    allowed: Number(allowed) === 1,
    remaining: Math.max(0, limit - Number(used)),
    resetAt: oldest === '' ? now : Number(oldest) + windowMs,
  };
}
