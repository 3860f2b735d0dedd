import fc from 'fast-check';
import { createLocalWindow } from '../../src/rate-limit/counters';
import type { RollingWindow } from '../../src/ports/rate-limit';
import { describeWith } from '../support/optional';
import { freshPrefix, openRedis, type SharedRedis } from '../support/redis';
import { closeAll, NOW, startInstance, WINDOW_MS, type Instance } from './support';

interface Call {
  instance: 0 | 1;
  subject: string;
  waitMs: number;
  /** Sent together with the previous call. */
  isParallel: boolean;
}

const calls = fc.array(
  fc.record<Call>({
    instance: fc.constantFrom(0, 1),
    subject: fc.constantFrom('key:1', 'address:2001:db8::/56'),
    waitMs: fc.oneof(fc.nat(50), fc.nat(5_000), fc.constantFrom(0, 1, 29_999, 59_999, 60_000, 60_001)),
    isParallel: fc.boolean(),
  }),
  { maxLength: 80 },
);

describeWith('redis', 'the rolling window in Redis', (location) => {
  let redis: SharedRedis;
  let instances: [Instance, Instance];
  let windows: [RollingWindow, RollingWindow];
  let prefix: string;

  beforeAll(async () => {
    redis = await openRedis(location);
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    prefix = freshPrefix();
    instances = [await startInstance(redis.url, { prefix }), await startInstance(redis.url, { prefix })];
    windows = openWindows();
  });
  afterEach(() => closeAll(instances));

  const openWindows = (): [RollingWindow, RollingWindow] => [
    instances[0].backend.window(WINDOW_MS),
    instances[1].backend.window(WINDOW_MS),
  ];

  let runs = 0;
  async function play(limit: number, sequence: readonly Call[]) {
    runs += 1;
    let now = NOW;
    const answers: { subject: string; now: number; allowed: boolean }[] = [];
    let burst: Promise<void>[] = [];
    for (const call of sequence) {
      if (!call.isParallel) {
        await Promise.all(burst);
        burst = [];
        now += call.waitMs;
      }
      const at = now;
      const subject = `${call.subject} of run ${String(runs)}`;
      burst.push(
        Promise.resolve(windows[call.instance].hit(subject, limit, at)).then(({ allowed }) => {
          answers.push({ subject, now: at, allowed });
        }),
      );
    }
    await Promise.all(burst);
    return answers;
  }

  it('never lets more than the limit into any 60 seconds over two instances, and lets all in that fit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), calls, async (limit, sequence) => {
        const answers = await play(limit, sequence);
        for (const { subject, now, allowed } of answers) {
          const within = answers.filter(
            (other) =>
              other.allowed && other.subject === subject && other.now <= now && other.now > now - WINDOW_MS,
          );
          expect(within.length).toBeLessThanOrEqual(limit);
          if (!allowed) expect(within.length).toBe(limit);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('answers as the window in memory does, with any clock', async () => {
    const steps = fc.array(
      fc.record({
        stepMs: fc.oneof(fc.integer({ min: -2_000, max: 20_000 }), fc.constantFrom(-90_000, 60_000, 200_000)),
        limit: fc.integer({ min: 1, max: 4 }),
        isPeek: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const subject = `model ${String((run += 1))}`;
        const model = createLocalWindow(WINDOW_MS);
        let now = NOW;
        for (const { stepMs, limit, isPeek } of sequence) {
          now += stepMs;
          const call = isPeek ? 'peek' : 'hit';
          expect(await windows[0][call](subject, limit, now)).toEqual(model[call](subject, limit, now));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('lets exactly the limit of 1,000 parallel calls in', async () => {
    const hits = Array.from({ length: 1_000 }, async (_, index) =>
      windows[index % 2 === 0 ? 0 : 1].hit('a', 60, NOW),
    );
    const decisions = await Promise.all(hits);
    const allowed = decisions.filter((decision) => decision.allowed);
    expect(allowed).toHaveLength(60);
    expect(allowed.map(({ remaining }) => remaining).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, index) => index),
    );
    for (const { resetAt } of decisions) expect(resetAt).toBe(NOW + WINDOW_MS);
  });

  it('does not count what it refuses, and says when the oldest call of any instance leaves', async () => {
    await windows[0].hit('a', 2, NOW);
    await windows[1].hit('a', 2, NOW + 10_000);
    for (const window of [...windows, ...windows]) {
      expect(await window.hit('a', 2, NOW + 20_000)).toEqual({
        allowed: false,
        remaining: 0,
        resetAt: NOW + WINDOW_MS,
      });
    }
    expect(await windows[1].hit('a', 2, NOW + WINDOW_MS)).toEqual({
      allowed: true,
      remaining: 0,
      resetAt: NOW + WINDOW_MS + 10_000,
    });
  });

  it('follows a limit that changes from call to call', async () => {
    for (let count = 0; count < 3; count += 1) await windows[0].hit('a', 3, NOW);
    expect(await windows[1].hit('a', 3, NOW)).toMatchObject({ allowed: false });
    expect(await windows[1].hit('a', 5, NOW)).toMatchObject({ allowed: true, remaining: 1 });
    expect(await windows[0].peek('a', 2, NOW)).toMatchObject({ allowed: false, remaining: 0 });
  });

  it('looks without counting', async () => {
    const untouched = { allowed: true, remaining: 5, resetAt: NOW };
    expect(await windows[0].peek('a', 5, NOW)).toEqual(untouched);
    expect(await windows[0].peek('a', 5, NOW)).toEqual(untouched);
    await windows[0].hit('a', 5, NOW);
    const counted = { allowed: true, remaining: 4, resetAt: NOW + WINDOW_MS };
    expect(await windows[1].peek('a', 5, NOW + 1)).toEqual(counted);
    expect(await windows[1].peek('a', 5, NOW + 1)).toEqual(counted);
  });

  it('keeps subjects, windows and prefixes apart', async () => {
    const stranger = await startInstance(redis.url, { prefix: freshPrefix() });
    await windows[0].hit('a', 1, NOW);
    const others = [
      await windows[1].hit('b', 1, NOW),
      await instances[1].backend.window(1_000).hit('a', 1, NOW),
      await stranger.backend.window(WINDOW_MS).hit('a', 1, NOW),
    ];
    for (const decision of others) expect(decision.allowed).toBe(true);
    await closeAll([stranger]);
  });

  it('leaves keys that expire by themselves', async () => {
    await windows[0].hit('a', 1, NOW);
    const left = Number(await redis.command('PTTL', `${prefix}window:60000:a`));
    expect(left).toBeGreaterThan(WINDOW_MS);
    expect(left).toBeLessThanOrEqual(2 * WINDOW_MS);
  });

  it('sends its script again to a server that has forgotten it', async () => {
    await redis.command('SCRIPT', 'FLUSH');
    expect(await windows[0].hit('a', 2, NOW)).toMatchObject({ allowed: true, remaining: 1 });
    expect(await windows[1].hit('a', 2, NOW)).toMatchObject({ allowed: true, remaining: 0 });
  });
});
