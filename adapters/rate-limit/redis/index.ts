import {
  checkOptions,
  integerBetween,
  isWellEncoded,
  mustBe,
  optional,
  textOnOneLine,
  type Checks,
} from '../../../src/domain/options';
import { systemRandom } from '../../../src/ports/random';
import { realTimers } from '../../../src/ports/timers';
import { createRedisBackend, type RedisRateLimit } from './backend';
import { redisConnector } from './connection';

export type { RedisRateLimit } from './backend';
export type { RedisFigures } from './link';

export interface RedisRateLimitOptions {
  /** `redis://[[user]:password@]host[:port][/database]`, or `rediss://…` for TLS. */
  url: string;
  /** The text before every key. Two services on one Redis need two prefixes. Default `prediction-market:`. */
  prefix?: string | undefined;
  /** The longest wait for one count in Redis, in milliseconds from 10 to 10,000. Default 150. */
  commandTimeoutMs?: number | undefined;
  /**
   * The pause between two attempts to reach a Redis that does not answer, in milliseconds from 10 to 60,000.
   * Default 1,000.
   */
  probeIntervalMs?: number | undefined;
  /** The options of Node's `tls.connect`, for `rediss://` addresses: `ca`, `cert`, `key`, `servername`. */
  tls?: Record<string, unknown> | undefined;
}

const CONNECT_TIMEOUT_MS = 1_000;

const CHECKS: Checks<RedisRateLimitOptions> = {
  // The address is secret, because it may contain a password.
  url: mustBe('a redis:// or rediss:// address, with % in a password as %25', isRedisAddress, {
    secret: true,
  }),
  prefix: optional(textOnOneLine(200)),
  commandTimeoutMs: optional(integerBetween(10, 10_000)),
  probeIntervalMs: optional(integerBetween(10, 60_000)),
  tls: optional(mustBe('an object', (value) => typeof value === 'object' && value !== null)),
};

/**
 * Rate limits that all instances share through one Redis (6 or later). While Redis does not answer, each instance
 * counts by itself, and requests are still served.
 * @throws TypeError or RangeError for a wrong option.
 * @throws Error, one line, when the package `ioredis` is not installed.
 */
export function redisRateLimit(options: RedisRateLimitOptions): RedisRateLimit {
  checkOptions('redisRateLimit', options, CHECKS);
  const { url, tls, prefix = 'prediction-market:' } = options;
  const timings = {
    commandTimeoutMs: options.commandTimeoutMs ?? 150,
    probeIntervalMs: options.probeIntervalMs ?? 1_000,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  };
  const connect = redisConnector({
    url,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    ...(tls !== undefined && { tls }),
  });
  return createRedisBackend({ connect, prefix, timings, timers: realTimers, random: systemRandom });
}

function isRedisAddress(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value) || !isWellEncoded(value)) return false;
  return /^rediss?:$/.test(new URL(value).protocol);
}
