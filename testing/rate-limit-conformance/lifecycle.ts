import { garbleTests } from './nonsense';
import { outageTests } from './outages';
import { recoveryTests } from './recovery';
import { FIVE_MINUTES_MS, LONGEST_WAIT_MS, NOW, WINDOW_MS } from './samples';
import type { AsyncFailures, RateLimitSuite, RateLimitTest, WatchedBackend } from './suite';

/**
 * The window of the test. The test has to wait for its end, because some backends count failures by their own
 * clock.
 */
const SHORT_MS = 300;
const LONGEST_WINDOWS = 10;
/** How long the calls of a check may take on a slow machine. */
const SLOW_MACHINE_MS = 20_000;

export function failureTests({ describe, test }: RateLimitSuite): void {
  describe('a window of failures', () => {
    test(
      'counts what any instance has seen, address by address',
      ['failures', 'forgotten', 'current'],
      async (t) => {
        const [first, second] = await t.instances();
        const [one, other] = [first.failures(FIVE_MINUTES_MS), second.failures(FIVE_MINUTES_MS)];
        const { check } = t;
        check.equal((await one.count('192.0.2.1', NOW)).failures, 0, 'failures at first');
        const atOnce = [one, one, one, other, other, other, one];
        await Promise.all(atOnce.map((counter) => counter.record('192.0.2.1', NOW)));
        for (let failure = 0; failure < 5; failure += 1) await other.record('192.0.2.1', NOW);
        await other.record('192.0.2.2', NOW);
        for (const counter of [one, other]) {
          const { failures, resetAt } = await counter.count('192.0.2.1', NOW);
          check.equal(failures, 12, 'failures of 7 calls of two instances at once and 5 one by one');
          // Some backends count by their own clock, so `resetAt` may differ a little.
          const isNear = Math.abs(resetAt - NOW - FIVE_MINUTES_MS) <= LONGEST_WAIT_MS + SLOW_MACHINE_MS;
          if (typeof resetAt !== 'number' || !isNear)
            check
              .by('forgotten')
              .fail(
                `the window of ${FIVE_MINUTES_MS} ms, which has just begun, ends at ${NOW} + ${resetAt - NOW} ms`,
              );
        }
        check.equal((await one.count('192.0.2.2', NOW)).failures, 1, 'failures of another address');
      },
    );

    test('belongs to one subject and one length', 'failures', async (t) => {
      const [first, second] = await t.instances();
      const long = `key:${'k'.repeat(100)}`;
      for (const subject of ['key:a', 'key:é', `${long}1`])
        await first.failures(FIVE_MINUTES_MS).record(subject, NOW);
      const others: Record<string, [length: number, subject: string]> = {
        'another length': [WINDOW_MS, 'key:a'],
        'another case': [FIVE_MINUTES_MS, 'KEY:A'],
        'another long name': [FIVE_MINUTES_MS, `${long}2`],
        'a name with a space at its end': [FIVE_MINUTES_MS, 'key:a '],
        'a name with an accent': [FIVE_MINUTES_MS, 'key:á'],
        'a name whose accent is a character of its own': [FIVE_MINUTES_MS, 'key:e\u0301'],
      };
      for (const [name, [length, subject]] of Object.entries(others)) {
        const { failures } = await second.failures(length).count(subject, NOW);
        t.check.equal(failures, 0, `failures of ${name}`);
      }
      for (const [length, subject] of Object.values(others))
        await first.failures(length).record(subject, NOW);
      others['the first name'] = [FIVE_MINUTES_MS, 'key:a'];
      for (const [name, [length, subject]] of Object.entries(others)) {
        const { failures } = await second.failures(length).count(subject, NOW);
        t.check.equal(failures, 1, `failures of ${name}, when each has one failure`);
      }
    });

    test('counts nothing by being asked', 'failures', async (t) => {
      const [first, second] = await t.instances();
      const counter = first.failures(FIVE_MINUTES_MS);
      await counter.record('192.0.2.3', NOW);
      for (let look = 0; look < 5; look += 1) await second.failures(FIVE_MINUTES_MS).count('192.0.2.3', NOW);
      t.check.equal((await counter.count('192.0.2.3', NOW)).failures, 1, 'failures after five looks');
    });

    test('ends at the instant that it has told', ['forgotten', 'failures'], bordersTest);

    test('is forgotten when it ends, though failures go on', ['failures', 'forgotten'], async (t) => {
      const [first, second] = await t.instances();
      await forgotten(t, first.failures(SHORT_MS), second.failures(SHORT_MS));
    });
  });
}

/** Checks the exact end of a window of failures, if the backend counts by the given `now`. */
async function bordersTest(t: RateLimitTest): Promise<void> {
  const [first, second] = await t.instances();
  const [one, other] = [first.failures(FIVE_MINUTES_MS), second.failures(FIVE_MINUTES_MS)];
  const end = NOW + FIVE_MINUTES_MS;
  await one.record('192.0.2.10', NOW);
  // Some backends count failures by the clock of their server, which this check cannot move.
  const isByGivenTime = (await other.count('192.0.2.10', end + WINDOW_MS)).failures === 0;
  if (!isByGivenTime) return;
  await one.record('192.0.2.11', NOW);
  await other.record('192.0.2.11', NOW + WINDOW_MS);
  const { failures, resetAt } = await one.count('192.0.2.11', end - 1);
  t.check.equal(resetAt, end, 'the end of a window with a failure at its begin and one a minute later');
  t.check.by('failures').equal(failures, 2, 'failures a millisecond before the end');
  t.check.equal((await other.count('192.0.2.11', end)).failures, 0, 'failures at the end, `resetAt`');
  await other.record('192.0.2.11', end);
  const anew = await one.count('192.0.2.11', end);
  t.check.by('failures').equal(anew.failures, 1, 'failures after one at `resetAt`, which begins a window');
  t.check.equal(anew.resetAt, end + FIVE_MINUTES_MS, 'the end of the window that this failure begins');
}

/**
 * Checks that failures are forgotten. A fixed window ends some time after its first failure. A window that
 * later failures extend would never end.
 */
async function forgotten({ check }: RateLimitTest, one: AsyncFailures, other: AsyncFailures): Promise<void> {
  let last = Date.now();
  let observedMs = 0;
  for (let highest = 0; ;) {
    const now = Date.now();
    const gapMs = now - last;
    last = now;
    await one.record('192.0.2.4', now);
    const { failures } = await other.count('192.0.2.4', now);
    // On a busy machine the test may pause so long that even an extended window ends. Then forgotten failures
    // prove nothing.
    if (gapMs < SHORT_MS) {
      if (failures < highest) return;
      observedMs += gapMs;
    }
    highest = failures;
    if (observedMs > LONGEST_WINDOWS * SHORT_MS)
      check.fail(`${failures} failures after ${LONGEST_WINDOWS} windows of ${SHORT_MS} ms, none forgotten`);
  }
}

export function lifecycleTests({ describe, test }: RateLimitSuite): void {
  describe('a backend', () => {
    test('answers before it is started, and keeps the limit', ['always', 'limit', 'failures'], async (t) => {
      await checkAnswers(t, 'before the start');
    });

    test('answers after it is closed, and keeps the limit', ['always', 'limit', 'failures'], async (t) => {
      await t.instances();
      const window = t.backend.window(WINDOW_MS);
      const counter = t.backend.failures(FIVE_MINUTES_MS);
      await window.hit('open', 1, NOW);
      await counter.record('192.0.2.8', NOW);
      await t.backend.close();
      const { allowed } = await window.hit('open', 1, NOW);
      t.check.equal(
        allowed,
        false,
        '`allowed` of a call after `close`, with a limit that was reached before',
      );
      const { failures } = await counter.count('192.0.2.8', NOW);
      t.check.equal(failures, 1, 'failures after the end, of which one came before');
      await checkAnswers(t, 'after the end');
    });

    test('may be closed without having been started, and twice', 'always', async ({ backend }) => {
      await backend.close();
      await backend.close();
    });

    outageTests({ test });
    garbleTests({ test });
    recoveryTests({ test });
  });
}

async function checkAnswers({ backend, check }: RateLimitTest, when: string): Promise<void> {
  const answers: Record<string, (on: WatchedBackend) => Promise<unknown>> = {
    hit: async (on) => {
      const window = on.window(WINDOW_MS);
      const decisions = [await window.hit(when, 1, NOW), await window.hit(when, 1, NOW)];
      check.by('limit').equal(
        decisions.map(({ allowed }) => allowed),
        [true, false],
        `two calls ${when}`,
      );
    },
    peek: (on) => on.window(WINDOW_MS).peek(when, 1, NOW),
    async failures(on) {
      const counter = on.failures(FIVE_MINUTES_MS);
      await counter.record('192.0.2.5', NOW);
      const { failures } = await counter.count('192.0.2.5', NOW);
      check.by('failures').equal(failures, 1, `failures ${when}`);
    },
  };
  for (const answer of Object.values(answers)) await answer(backend);
}
