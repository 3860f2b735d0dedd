import { redisRateLimit } from '../../adapters/rate-limit/redis';
import { memoryRateLimit } from '../../src';
import { rateLimitConformance } from '../../testing';
import { describeWith } from '../support/optional';
import { freshPrefix, startRedis, type RedisServer } from '../support/redis';

describe('rate limits in memory', () => {
  rateLimitConformance(
    { describe, it, expect },
    {
      create: async () => ({
        backend: memoryRateLimit(),
        another: false,
        cutOff: false,
        refuse: false,
        failWith: false,
        garble: false,
        redirect: false,
        secrets: false,
        destroy: async () => undefined,
      }),
    },
  );
});

describeWith('redis-server', 'rate limits in Redis', (program) => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis(program);
  });
  afterAll(() => redis.stop());

  rateLimitConformance(
    { describe, it, expect },
    {
      async create() {
        const prefix = freshPrefix();
        let isKilled = false;
        const make = () => redisRateLimit({ url: redis.url, prefix, commandTimeoutMs: 1_000 });
        return {
          backend: make(),
          another: async () => make(),
          cutOff: async () => {
            redis.pause();
            return async () => redis.resume();
          },
          refuse: async () => {
            await redis.kill();
            isKilled = true;
          },
          failWith: false, // Redis does not speak HTTP
          redirect: false,
          secrets: false, // this Redis has no password
          garble: false, // the client library reads the answers of Redis
          destroy: async () => {
            if (isKilled) await redis.restart();
            else redis.resume();
          },
        };
      },
    },
  );
});
