import { createRedisBackend } from '../../adapters/rate-limit/redis/backend';
import { redisConnector } from '../../adapters/rate-limit/redis/connection';
import type { Logger } from '../../src/ports/logger';
import { systemRandom } from '../../src/ports/random';
import type { RateLimitBackend } from '../../src/ports/rate-limit';
import { realTimers } from '../../src/ports/timers';

export const WINDOW_MS = 60_000;
/** This time is far from the time of the machine, so a test fails if the code confuses the two clocks. */
export const NOW = Date.parse('2037-03-01T12:00:00Z');

export const UP = 'Redis answers: rate limits are shared';
export const AWAY = 'Redis does not answer: rate limits are counted by each instance';

export interface Instance {
  backend: RateLimitBackend;
  log: string[];
}

export function noting(log: string[]): Logger {
  const note = (_fields: object, message: string): void => void log.push(message);
  return { debug: note, info: note, warn: note, error: note };
}

export interface InstanceOptions {
  prefix: string;
  commandTimeoutMs?: number;
}

/** The default of `commandTimeoutMs` is long, because the tests do not measure the speed of a busy machine. */
export function createInstance(url: string, options: InstanceOptions): Instance & { start(): Promise<void> } {
  const log: string[] = [];
  const backend = createRedisBackend({
    connect: redisConnector({ url, connectTimeoutMs: 2_000 }),
    prefix: options.prefix,
    timings: {
      commandTimeoutMs: options.commandTimeoutMs ?? 10_000,
      connectTimeoutMs: 2_000,
      probeIntervalMs: 20,
    },
    timers: realTimers,
    random: systemRandom,
  });
  return { backend, log, start: async () => backend.start?.({ logger: noting(log) }) };
}

export async function startInstance(url: string, options: InstanceOptions): Promise<Instance> {
  const instance = createInstance(url, options);
  await instance.start();
  return instance;
}

export async function closeAll(instances: readonly Instance[]): Promise<void> {
  await Promise.all(instances.map(async ({ backend }) => backend.close?.()));
}
