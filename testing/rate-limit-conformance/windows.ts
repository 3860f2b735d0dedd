import type { RateLimitDecision } from '../../src/ports/rate-limit';
import { insteadOf, told } from '../conformance/failure';
import { tellsSecret } from '../conformance/secrets';
import { seededRandom } from '../seeded-random';
import { FIVE_MINUTES_MS, NOW, WINDOW_MS } from './samples';
import type { AsyncWindow, RateLimitSuite, RateLimitTest } from './suite';

const LIMIT = 3;
const ROLLING =
  'Count the requests of the last `windowMs` before `now`, with the instant of each. A window that begins at a fixed instant, such as each minute, lets up to twice the limit in.';
const LEAVES =
  'Let a request leave the count when `windowMs` have passed since its `now`. Both are in milliseconds, and the clock of the server does not count.';

async function windowsOf(t: RateLimitTest): Promise<[AsyncWindow, AsyncWindow]> {
  const [one, other] = await t.instances();
  return [one.window(WINDOW_MS), other.window(WINDOW_MS)];
}

export function windowTests(suite: RateLimitSuite): void {
  suite.describe('a window of requests', () => {
    suite.test('has a name, without a secret', ['name', 'secret'], async ({ backend, check, hooks }) => {
      check.holds(backend.name.length > 0, '`name` is empty');
      if (!check.given('secrets', hooks.secrets, 'lists the texts that no name and no log line may contain'))
        return;
      if (tellsSecret(backend.name, hooks.secrets))
        check.by('secret').fail('`name` contains a secret, and it is logged');
    });

    suite.test(
      'is shared by a second instance, or declared not shared',
      'limit',
      async ({ hooks, check }) => {
        check.given('another', hooks.another, 'a second backend that shares its counts');
      },
    );

    limitTests(suite);
    figureTests(suite);
  });
}

/** A call that takes this long may have reached the time limit of an adapter, for example on a busy machine. */
const SLOW_MS = 100;

const slowCall = (ms: number): string =>
  `A call took ${Math.floor(ms)} ms. If that is longer than the time limit of the adapter, the adapter may have counted alone: make that limit longer in the test`;

function limitTests({ test }: RateLimitSuite): void {
  test(
    'lets exactly the limit of parallel calls in, over all instances',
    ['limit', 'remaining'],
    async (t) => {
      const [one, other] = await windowsOf(t);
      const start = performance.now();
      let longestMs = 0;
      const calls = Array.from({ length: 60 }, async (_, index) => {
        const decision = await (index % 2 === 0 ? one : other).hit('parallel', 10, NOW);
        longestMs = performance.now() - start;
        return decision;
      });
      const allowed = (await Promise.all(calls)).filter((decision) => decision.allowed);
      if (allowed.length > 10 && longestMs >= SLOW_MS)
        t.check.fail(
          `requests let in, of 60 parallel calls with a limit of 10: ${allowed.length}; expected: 10\n${slowCall(longestMs)}`,
        );
      t.check.equal(allowed.length, 10, 'requests let in, of 60 parallel calls with a limit of 10');
      const left = allowed.map(({ remaining }) => remaining).sort((a, b) => a - b);
      t.check.by('remaining').equal(left, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'calls left');
    },
  );

  test('never holds more than the limit, wherever it begins', ['limit', 'counts'], async (t) => {
    const windows = await windowsOf(t);
    const next = numbersBelow(20_001);
    const letIn: number[] = [];
    let now = NOW;
    for (let call = 0; call < 120; call += 1) {
      now += next();
      const within = letIn.filter((instant) => instant > now - WINDOW_MS).length;
      const { allowed } = await (windows[call % 2] as AsyncWindow).hit('any window', LIMIT, now);
      const seen = `call ${call}, ${within} let in within ${WINDOW_MS} ms before it, a limit of ${LIMIT}`;
      if (allowed && within >= LIMIT)
        t.check.fail(insteadOf(`a request was let in: ${seen}`, 'a refusal'), ROLLING);
      if (!allowed && within < LIMIT)
        t.check.by('counts').fail(insteadOf(`a request was refused: ${seen}`, 'to be let in'), LEAVES);
      if (allowed) letIn.push(now);
    }
  });

  test('does not begin anew in the middle', 'limit', async (t) => {
    const [one, other] = await windowsOf(t);
    for (let call = 0; call < LIMIT; call += 1) await one.hit('late', LIMIT, NOW + WINDOW_MS - 10);
    for (const later of [20, 30_000, WINDOW_MS - 20])
      checkRefused(
        t,
        await other.hit('late', LIMIT, NOW + WINDOW_MS + later),
        `${later + 10} ms later`,
        ROLLING,
      );
  });

  test('lets a request in at the very end that it has told', ['resetAt', 'clock'], async (t) => {
    const [one, other] = await windowsOf(t);
    const { resetAt } = await one.hit('on time', 1, NOW);
    checkRefused(t, await other.hit('on time', 1, resetAt - 1), 'a millisecond before `resetAt`');
    t.check.equal(
      (await other.peek('on time', 1, resetAt)).allowed,
      true,
      '`allowed` of `peek` at `resetAt` of the only call, with a limit of 1',
    );
    t.check.equal(
      (await other.hit('on time', 1, resetAt)).allowed,
      true,
      '`allowed` of `hit` at `resetAt` of the only call, with a limit of 1',
    );
  });

  test('holds calls of instances whose clocks differ a little', 'limit', async (t) => {
    const [one, other] = await windowsOf(t);
    await one.hit('ahead', 2, NOW + 50);
    await other.hit('ahead', 2, NOW);
    const label = 'a third call, with a limit of 2, and calls at NOW + 50 ms and NOW before it';
    checkRefused(t, await other.hit('ahead', 2, NOW + 1), label);
    checkRefused(t, await one.hit('ahead', 2, NOW + 60), label);
  });

  test('does not count what it refuses', ['limit', 'refused'], async (t) => {
    const [one, other] = await windowsOf(t);
    await one.hit('refused', 1, NOW);
    for (let call = 1; call <= 20; call += 1)
      checkRefused(t, await other.hit('refused', 1, NOW + call * 2_500), 'within the window');
    const { allowed } = await one.hit('refused', 1, NOW + WINDOW_MS + 1);
    t.check
      .by('refused')
      .equal(
        allowed,
        true,
        '`allowed` of a call when the only counted call has left the window, after 20 refused ones',
      );
  });
}

function figureTests({ test }: RateLimitSuite): void {
  test(
    'tells what is left, and when the oldest call leaves',
    ['remaining', 'resetAt', 'limit', 'epoch'],
    async (t) => {
      const [one, other] = await windowsOf(t);
      const resetAt = NOW + WINDOW_MS;
      checkFigures(
        t,
        await one.hit('figures', 2, NOW),
        { allowed: true, remaining: 1, resetAt },
        'first call',
      );
      const second = await other.hit('figures', 2, NOW + 10_000);
      checkFigures(t, second, { allowed: true, remaining: 0, resetAt }, 'second call');
      const third = await one.hit('figures', 2, NOW + 20_000);
      checkFigures(t, third, { allowed: false, remaining: 0, resetAt }, 'third call');
    },
  );

  test('tells what is left when the oldest calls have left', ['remaining', 'resetAt', 'limit'], async (t) => {
    const [one, other] = await windowsOf(t);
    await one.hit('rolling', 2, NOW);
    await other.hit('rolling', 2, NOW + 10_000);
    const [third, fourth] = [NOW + WINDOW_MS + 1, NOW + WINDOW_MS + 10_001];
    const full = { allowed: true, remaining: 0, resetAt: NOW + 10_000 + WINDOW_MS };
    checkFigures(t, await one.hit('rolling', 2, third), full, 'third call, when the first has left');
    const half = { allowed: true, remaining: 1, resetAt: third + WINDOW_MS };
    checkFigures(t, await other.peek('rolling', 2, fourth), half, 'looked at when the second has left');
    const last = fourth + WINDOW_MS;
    const anew = { allowed: true, remaining: 1, resetAt: last + WINDOW_MS };
    checkFigures(t, await one.hit('rolling', 2, last), anew, 'a call when all have left');
  });

  test('is looked at without counting', ['peeks', 'onlyLooks', 'remaining', 'empty'], async (t) => {
    const [one, other] = await windowsOf(t);
    const { check } = t;
    for (let look = 0; look < 5; look += 1) {
      const { resetAt, ...figures } = await other.peek('looked at', 2, NOW);
      check.by('onlyLooks').equal(figures, { allowed: true, remaining: 2 }, 'before any call');
      check.by('empty').equal(resetAt, NOW, 'the end of an empty window');
    }
    const first = await one.hit('looked at', 2, NOW);
    check.by('onlyLooks').equal(first.remaining, 1, 'left after looks and a call');
    check.equal(await other.peek('looked at', 2, NOW + 1), first, 'after a call');
    await other.hit('looked at', 2, NOW + 1);
    for (let look = 0; look < 5; look += 1) await one.peek('looked at', 2, NOW + 2);
    checkRefused(t, await one.peek('looked at', 2, NOW + 2), 'looked at when the limit is reached');
    const later = await other.hit('looked at', 2, NOW + WINDOW_MS + 10);
    check.equal(later.allowed, true, '`allowed` of a call after the window');
  });

  test('belongs to one subject and one length', ['counts', 'limit'], async (t) => {
    const [first, second] = await t.instances();
    const window = first.window(WINDOW_MS);
    for (const subject of ['key:1', 'kéy:1']) await window.hit(subject, 1, NOW);
    const others = {
      'another subject': await second.window(WINDOW_MS).hit('key:2', 1, NOW),
      'another length': await second.window(1_000).hit('key:1', 1, NOW),
      'another length, of less than a second more': await second.window(1_500).hit('key:1', 1, NOW),
      'a longer name': await second.window(WINDOW_MS).hit('key:1:', 1, NOW),
      'another case': await second.window(WINDOW_MS).hit('KEY:1', 1, NOW),
      'a space at its end': await second.window(WINDOW_MS).hit('key:1 ', 1, NOW),
      'an accent': await second.window(WINDOW_MS).hit('kèy:1', 1, NOW),
      'an accent that is a character of its own': await second.window(WINDOW_MS).hit('ke\u0301y:1', 1, NOW),
      'a long name': await second.window(WINDOW_MS).hit(`${'k'.repeat(100)}1`, 1, NOW),
      'another long name': await second.window(WINDOW_MS).hit(`${'k'.repeat(100)}2`, 1, NOW),
    };
    for (const [name, { allowed }] of Object.entries(others))
      t.check.equal(
        allowed,
        true,
        `let in, the first call of ${name}, with a limit of 1, which other subjects and lengths have reached`,
      );
    for (const subject of ['key:1', 'key:2', 'KEY:1', 'key:1 ', 'kèy:1', 'ke\u0301y:1'])
      checkRefused(t, await window.peek(subject, 1, NOW), `the same subject ${JSON.stringify(subject)}`);
    checkRefused(t, await window.hit('key:1', 1, NOW), 'the same subject');
  });

  test('keeps its calls when a shorter window ends or a further instance starts', 'limit', async (t) => {
    const [one, other] = await t.instances();
    const [long, short] = [one.window(FIVE_MINUTES_MS), one.window(WINDOW_MS)];
    for (const window of [long, short]) await window.hit('kept', 1, NOW);
    const later = NOW + WINDOW_MS + 1;
    t.check
      .by('counts')
      .holds(
        (await short.hit('kept', 1, later)).allowed,
        insteadOf('`allowed` of a call in the shorter window, after its end: false', 'true'),
        LEAVES,
      );
    const ofOther = other.window(FIVE_MINUTES_MS);
    const again = `a second call in a window of ${FIVE_MINUTES_MS} ms`;
    checkRefused(t, await ofOther.hit('kept', 1, later), `${again}, when one of ${WINDOW_MS} ms has ended`);
    await t.further();
    checkRefused(t, await ofOther.hit('kept', 1, later), `${again}, when a further instance has started`);
  });

  test('holds requests, and no failures', ['counts', 'failures'], async (t) => {
    const [first, second] = await t.instances();
    const window = first.window(WINDOW_MS);
    const failures = second.failures(WINDOW_MS);
    await window.hit('192.0.2.7', 3, NOW);
    t.check
      .by('failures')
      .equal((await failures.count('192.0.2.7', NOW)).failures, 0, 'failures of a subject with a request');
    for (let failure = 0; failure < 5; failure += 1) await failures.record('192.0.2.7', NOW);
    const { remaining } = await window.peek('192.0.2.7', 3, NOW);
    t.check.equal(remaining, 2, 'requests left to a subject with failures');
  });

  test('follows a limit that changes', ['limit', 'counts'], async (t) => {
    const [one, other] = await windowsOf(t);
    for (let call = 0; call < 3; call += 1) await one.hit('changing', 3, NOW);
    checkRefused(t, await other.hit('changing', 3, NOW), 'with the old limit');
    checkRefused(t, await other.hit('changing', 2, NOW), 'with a lower limit');
    checkRefused(t, await other.peek('changing', 1, NOW), 'looked at with a lower limit');
    t.check
      .by('counts')
      .equal(
        (await other.hit('changing', 4, NOW)).allowed,
        true,
        'let in, by a limit of 4 after three calls with a limit of 3',
      );
    checkRefused(t, await one.hit('never', 0, NOW), 'with a limit of none');
    checkRefused(t, await other.peek('never', 0, NOW), 'looked at with a limit of none');
  });
}

/** Compares figure by figure, so that a report quotes the sentence of the wrong one. */
function checkFigures(
  { check }: RateLimitTest,
  seen: RateLimitDecision,
  expected: RateLimitDecision,
  label: string,
): void {
  check.by('limit').equal(seen.allowed, expected.allowed, `${label}: let in`);
  check.by('remaining').equal(seen.remaining, expected.remaining, `${label}: calls left`);
  check.by('resetAt').equal(seen.resetAt, expected.resetAt, `${label}: when the oldest leaves`);
}

function checkRefused(
  { check }: RateLimitTest,
  { allowed, remaining }: RateLimitDecision,
  label: string,
  cure?: string,
): void {
  const seen = { allowed, remaining };
  const refusal = { allowed: false, remaining: 0 };
  if (cure !== undefined && allowed) check.fail(insteadOf(`${label}: ${told(seen)}`, told(refusal)), cure);
  check.equal(seen, refusal, label);
}

function numbersBelow(bound: number): () => number {
  const random = seededRandom('rate-limit conformance');
  return () => Buffer.from(random.bytes(4)).readUInt32BE() % bound;
}
