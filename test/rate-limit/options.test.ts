import { redisRateLimit } from 'express-prediction-market/rate-limit/redis';
import { redisConnector } from '../../adapters/rate-limit/redis/connection';

describe('redisRateLimit', () => {
  it.each([
    '',
    'localhost:6379',
    'http://:open-sesame@localhost',
    'redis://:open-sesame@[localhost',
    'redis://:open%sesame@localhost',
  ])('refuses the address %p without repeating it', (url) => {
    expect(() => redisRateLimit({ url })).toThrow(
      new TypeError(
        'redisRateLimit: url must be a redis:// or rediss:// address, with % in a password as %25',
      ),
    );
  });

  it.each([
    { commandTimeoutMs: 9 },
    { commandTimeoutMs: 0.5 },
    { commandTimeoutMs: NaN },
    { probeIntervalMs: 60_001 },
  ])('refuses %p', (option) => {
    const [name = ''] = Object.keys(option);
    const build = (): unknown => redisRateLimit({ url: 'redis://localhost', ...option });
    expect(build).toThrow(RangeError);
    expect(build).toThrow(new RegExp(`^redisRateLimit: ${name} [^\\n]+$`));
  });

  it('counts by itself until it is started, and connects to nothing', async () => {
    const backend = redisRateLimit({ url: 'redis://127.0.0.1:1' });
    const window = backend.window(60_000);
    expect(await window.hit('a', 1, 1_000)).toEqual({ allowed: true, remaining: 0, resetAt: 61_000 });
    expect(await window.hit('a', 1, 1_000)).toMatchObject({ allowed: false });
    await backend.close?.();
  });

  it('says in one line how to install the client', () => {
    const load = (): never => {
      throw Object.assign(new Error("Cannot find module 'ioredis'\nRequire stack:"), {
        code: 'MODULE_NOT_FOUND',
      });
    };
    const options = { url: 'redis://localhost', connectTimeoutMs: 1_000 };
    expect(() => redisConnector(options, load)).toThrow(
      'redisRateLimit needs the package "ioredis", which is not installed: run npm install ioredis',
    );
  });
});
