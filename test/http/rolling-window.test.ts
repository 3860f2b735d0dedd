import fc from 'fast-check';
import { memoryRateLimit } from '../../src/rate-limit/memory';
import { createExpiringMap } from '../../src/domain/expiring-map';

const WINDOW_MS = 60_000;

interface Call {
  waitMs: number;
  subject: string;
}

const calls = fc.array(
  fc.record({
    waitMs: fc.oneof(
      fc.nat(50),
      fc.nat(5_000),
      fc.constantFrom(0, 1, 59_999, 60_000, 60_001, 120_000, 200_000),
    ),
    subject: fc.constantFrom('a', 'b', 'c'),
  }),
  { maxLength: 300 },
);

/** Lets a call in if fewer than `limit` calls were let in during the window before that call. */
function plainModel(limit: number): (subject: string, now: number) => boolean {
  const counted = new Map<string, number[]>();
  return (subject, now) => {
    const recent = (counted.get(subject) ?? []).filter((instant) => instant > now - WINDOW_MS);
    const allowed = recent.length < limit;
    counted.set(subject, allowed ? [...recent, now] : recent);
    return allowed;
  };
}

async function play(limit: number, sequence: readonly Call[], start: number) {
  const window = memoryRateLimit().window(WINDOW_MS);
  let now = start;
  const answers = [];
  for (const call of sequence) {
    now += call.waitMs;
    answers.push({ ...call, now, decision: await window.hit(call.subject, limit, now) });
  }
  return answers;
}

describe('the rolling window in memory', () => {
  it('never lets more than the limit into any 60 seconds, and lets in what fits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        calls,
        fc.nat(1e9),
        async (limit, sequence, start) => {
          const model = plainModel(limit);
          const answers = await play(limit, sequence, start);
          for (const answer of answers)
            expect(answer.decision.allowed).toBe(model(answer.subject, answer.now));
          for (const first of answers) {
            const within = answers.filter(
              (other) =>
                other.decision.allowed &&
                other.subject === first.subject &&
                other.now >= first.now &&
                other.now < first.now + WINDOW_MS,
            );
            expect(within.length).toBeLessThanOrEqual(limit);
          }
        },
      ),
    );
  });

  it('says when the oldest counted call leaves, and lets a call at that instant in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), calls, async (limit, sequence) => {
        const window = memoryRateLimit().window(WINDOW_MS);
        let now = 0;
        for (const call of sequence) {
          now += call.waitMs;
          const decision = await window.hit('a', limit, now);
          expect(decision.resetAt).toBeGreaterThan(now);
          expect(decision.resetAt).toBeLessThanOrEqual(now + WINDOW_MS);
          if (decision.allowed) continue;
          expect((await window.peek('a', limit, decision.resetAt - 1)).allowed).toBe(false);
          now = decision.resetAt;
          expect((await window.hit('a', limit, now)).allowed).toBe(true);
        }
      }),
    );
  });

  it('does not count refused calls', async () => {
    const window = memoryRateLimit().window(WINDOW_MS);
    await window.hit('a', 1, 0);
    for (let now = 1; now < WINDOW_MS; now += 1_000)
      expect((await window.hit('a', 1, now)).allowed).toBe(false);
    expect((await window.hit('a', 1, WINDOW_MS)).allowed).toBe(true);
  });

  it('counts nothing when it is only asked', async () => {
    const window = memoryRateLimit().window(WINDOW_MS);
    expect(await window.peek('a', 2, 5)).toEqual({ allowed: true, remaining: 2, resetAt: 5 });
    await window.hit('a', 2, 10);
    for (let round = 0; round < 10; round += 1) {
      expect(await window.peek('a', 2, 20)).toEqual({ allowed: true, remaining: 1, resetAt: 60_010 });
    }
  });

  it('applies a limit that was lowered meanwhile', async () => {
    const window = memoryRateLimit().window(WINDOW_MS);
    for (let call = 0; call < 5; call += 1) await window.hit('a', 10, call);
    expect(await window.hit('a', 3, 10)).toEqual({ allowed: false, remaining: 0, resetAt: 60_000 });
  });

  it('starts over when the clock was set back by more than a window', async () => {
    const window = memoryRateLimit().window(WINDOW_MS);
    await window.hit('a', 1, 10_000_000);
    expect((await window.hit('a', 1, 9_999_000)).allowed).toBe(false);
    expect((await window.hit('a', 1, 1_000)).allowed).toBe(true);
  });

  it('stays right over a long log', async () => {
    const window = memoryRateLimit().window(WINDOW_MS);
    const model = plainModel(500);
    for (let call = 0; call < 5_000; call += 1) {
      const now = call * 97;
      expect((await window.hit('a', 500, now)).allowed).toBe(model('a', now));
    }
  });
});

describe('the failure counter in memory', () => {
  it('counts within a fixed window from the first failure', async () => {
    const failures = memoryRateLimit().failures(300_000);
    expect(await failures.count('a', 0)).toEqual({ failures: 0, resetAt: 0 });
    await failures.record('a', 1_000);
    await failures.record('a', 200_000);
    expect(await failures.count('a', 200_001)).toMatchObject({ failures: 2, resetAt: 301_000 });
    expect(await failures.count('b', 200_001)).toMatchObject({ failures: 0 });
    expect(await failures.count('a', 301_000)).toMatchObject({ failures: 0 });
    await failures.record('a', 301_000);
    expect(await failures.count('a', 301_001)).toMatchObject({ failures: 1, resetAt: 601_000 });
  });
});

describe('a cache of generations', () => {
  it('forgets the entries that were not read during a whole lifetime, and no others', () => {
    const entries = createExpiringMap<string, number>(100);
    for (let index = 0; index < 1_000; index += 1) entries.set(`k${String(index)}`, 0, index);
    expect(entries.get('k1', 99)).toBe(1);
    expect(entries.get('k1', 199)).toBe(1);
    expect(entries.get('k1', 299)).toBe(1);
    expect(entries.size()).toBe(1);
    expect(entries.get('k1', 1_000)).toBeUndefined();
    expect(entries.size()).toBe(0);
  });
});
