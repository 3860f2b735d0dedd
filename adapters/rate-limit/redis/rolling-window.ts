/** The rolling window of all instances: a sorted set per subject, asked and changed in one step. */
import { createHash } from 'node:crypto';
import type { RateLimitDecision } from '../../../src/ports/rate-limit';
import { createLocalWindow } from '../../../src/rate-limit/counters';
import type { RollingWindow } from '../../../src/ports/rate-limit';
import type { Send } from './connection';
import type { Link } from './link';

/**
 * The sliding log of src/domain/rate-limit, in Lua: members are calls, scores their instants. Forgets what has
 * left the window, counts the rest, and adds the call unless the limit is reached or no member is given.
 * A late caller's earlier instant is moved up to the newest one; a clock that was set back by more than a
 * window starts over. The key outlives its last call by a window at least, whatever clocks say.
 * Answers: let in (1 or 0), calls in the window, the oldest one's instant (empty when there is none).
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

interface Call {
  key: string;
  now: number;
  windowMs: number;
  limit: number;
  /** Unique over all instances; empty: only look. */
  member: string;
}

export interface SharedWindowOptions {
  link: Link;
  windowMs: number;
  /** Stands before the subject in the key. */
  prefix: string;
  nextMember(): string;
}

/**
 * What Redis says, and never more than what this instance alone has counted allows: so a limit holds on each
 * instance while Redis is away, and just after it comes back empty.
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

/** Sends the script's name, and its text to a server that has never seen it. */
export async function runWindowScript(send: Send, call: Call): Promise<RateLimitDecision> {
  const { key, now, windowMs, limit, member } = call;
  const rest = ['1', key, String(now), String(windowMs), String(limit), member];
  const reply = await send(['EVALSHA', SCRIPT_SHA1, ...rest]).catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith('NOSCRIPT'))
      return send(['EVAL', SCRIPT, ...rest]);
    throw error;
  });
  return parseReply(reply, call);
}

function parseReply(reply: unknown, { now, windowMs, limit }: Call): RateLimitDecision {
  if (!Array.isArray(reply)) throw new TypeError('Redis answered the rate-limit script with something else');
  const [allowed, used, oldest] = reply as unknown[];
  return {
    allowed: Number(allowed) === 1,
    remaining: Math.max(0, limit - Number(used)),
    resetAt: oldest === '' ? now : Number(oldest) + windowMs,
  };
}
