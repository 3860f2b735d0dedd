import { systemRandom } from '../../../src/ports/random';
import type { RateLimitBackend } from '../../../src/ports/rate-limit';
import { realTimers } from '../../../src/ports/timers';
import { createRedisBackend } from './backend';
import { redisConnector } from './connection';

export interface RedisRateLimitOptions {
  /** `redis://[[user]:password@]host[:port][/database]`, or `rediss://…` for TLS. */
  url: string;
  /** Stands before every key; two services on one Redis need two. Default `prediction-market:`. */
  prefix?: string;
  /** What a request waits for Redis at most, milliseconds, 10 to 10,000. Default 150. */
  commandTimeoutMs?: number;
  /** How often a Redis that is away is tried again, milliseconds, 10 to 60,000. Default 1,000. */
  probeIntervalMs?: number;
  /** Options of Node's `tls.connect`, for `rediss://` addresses: `ca`, `cert`, `key`, `servername`. */
  tls?: Record<string, unknown>;
}

const CONNECT_TIMEOUT_MS = 1_000;

/**
 * Rate limits that all instances share through one Redis (6 or later). While Redis does not answer, each
 * instance counts by itself, and requests go on; docs/rate-limits.md says what then holds.
 *
 * @throws TypeError or RangeError for a wrong option.
 * @throws Error of one line when the package `ioredis` is not installed.
 */
export function redisRateLimit(options: RedisRateLimitOptions): RateLimitBackend {
  const { url, tls, prefix = 'prediction-market:' } = options;
  checkUrl(url);
  const timings = {
    commandTimeoutMs: integer('commandTimeoutMs', options.commandTimeoutMs ?? 150, 10, 10_000),
    probeIntervalMs: integer('probeIntervalMs', options.probeIntervalMs ?? 1_000, 10, 60_000),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  };
  const connect = redisConnector({
    url,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    ...(tls !== undefined && { tls }),
  });
  return createRedisBackend({ connect, prefix, timings, timers: realTimers, random: systemRandom });
}

/** The address may hold a password, so it is not repeated. */
function checkUrl(url: string): void {
  if (typeof url === 'string' && URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol)) return;
  throw new TypeError('redisRateLimit: url must be a redis:// or rediss:// address');
}

function integer(name: string, value: number, low: number, high: number): number {
  if (Number.isInteger(value) && value >= low && value <= high) return value;
  throw new RangeError(`redisRateLimit: ${name} must be an integer from ${String(low)} to ${String(high)}`);
}
