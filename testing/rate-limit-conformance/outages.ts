/** Checks of a backend whose server is silent, refuses connections, or answers with an error. */
import { shown } from '../conformance/failure';
import { withinLimit } from '../conformance/watch';
import { FIVE_MINUTES_MS, LONGEST_WAIT_MS, NOW, SILENCES, WINDOW_MS } from './samples';
import type { RateLimitSuite, RateLimitTest } from './suite';

const REFUSALS = 'makes the server refuse connections';
const CITED = ['waits', 'limit', 'failures', 'refused'] as const;

export function outageTests({ test }: Pick<RateLimitSuite, 'test'>): void {
  test('answers at once when what it asks is silent, and keeps the limit', CITED, async (t) => {
    const { cutOff } = t.hooks;
    if (t.check.given('cutOff', cutOff, SILENCES)) await checkOutage(t, () => cutOff('nothing'));
  });

  test('answers at once when what it asks stops in the middle of an answer', CITED, async (t) => {
    const { cutOff } = t.hooks;
    if (!t.check.given('cutOff', cutOff, SILENCES)) return;
    const cut = async () => cutOff.length > 0 && (await cutOff('halfBody'));
    if (!(await checkOutage(t, cut))) t.check.given("cutOff('halfBody')", false, SILENCES);
  });

  test('answers when what it asks refuses connections, and keeps the limit', CITED, async (t) => {
    const { refuse } = t.hooks;
    if (t.check.given('refuse', refuse, REFUSALS)) await checkOutage(t, refuse);
  });

  test('starts while what it asks is silent, and keeps the limit', ['starts', 'limit'], async (t) => {
    const { cutOff } = t.hooks;
    if (t.check.given('cutOff', cutOff, SILENCES)) await checkStart(t, () => cutOff('nothing'));
  });

  test(
    'starts while what it asks refuses connections, and keeps the limit',
    ['starts', 'limit'],
    async (t) => {
      const { refuse } = t.hooks;
      if (t.check.given('refuse', refuse, REFUSALS)) await checkStart(t, refuse);
    },
  );

  for (const status of [500, 503])
    test(`answers when what it asks answers HTTP ${status}, and keeps the limit`, CITED, async (t) => {
      const { failWith } = t.hooks;
      if (t.check.given('failWith', failWith, 'makes the server answer with an HTTP status'))
        await checkOutage(t, () => failWith(status));
    });
}

/** The service waits for `start`, so a server that is away may not keep it waiting, and may not stop it. */
async function checkStart(t: RateLimitTest, cut: () => Promise<unknown>): Promise<void> {
  const { backend, check, longestStartMs } = t;
  await cut();
  const late = new Error('late');
  await withinLimit(backend.start(), longestStartMs, () => late).catch((error: unknown) => {
    const seen = error === late ? `has not ended after ${longestStartMs} ms` : `rejected: ${shown(error)}`;
    return check.by('starts').fail(`\`start\` ${seen}`);
  });
  const window = backend.window(WINDOW_MS);
  const allowed = await promptly(t, 'two calls after the start', async () => [
    (await window.hit('started', 1, NOW)).allowed,
    (await window.hit('started', 1, NOW)).allowed,
  ]);
  check.by('limit').equal(allowed, [true, false], 'let in after the start, with a limit of 1');
}

/** Returns `false` if the hook cannot make this outage. */
async function checkOutage(t: RateLimitTest, cut: () => Promise<unknown>): Promise<boolean> {
  const { backend, check } = t;
  await backend.start();
  const window = backend.window(WINDOW_MS);
  const failures = backend.failures(FIVE_MINUTES_MS);
  await window.hit('known', 3, NOW);
  await failures.record('192.0.2.6', NOW);
  if ((await cut()) === false) return false;
  const seen = await promptly(t, '27 calls, one after the other', async () => {
    let allowed = 0;
    for (let call = 0; call < 20; call += 1) if ((await window.hit('known', 3, NOW)).allowed) allowed += 1;
    const looked = await window.peek('known', 3, NOW);
    for (let call = 0; call < 3; call += 1) await window.hit('known', 3, NOW + WINDOW_MS - 10);
    const later = await window.hit('known', 3, NOW + WINDOW_MS + 1);
    await failures.record('192.0.2.6', NOW);
    return { allowed, looked, later, known: await failures.count('192.0.2.6', NOW) };
  });
  check.by('limit').equal(seen.allowed, 2, 'let in beside one call before, with a limit of 3');
  check.by('limit').equal(seen.looked.allowed, false, 'whether another call is let in');
  check
    .by('refused')
    .equal(seen.later.allowed, true, 'let in when the three counted calls have left the window');
  check
    .by('failures')
    .equal(seen.known.failures >= 2, true, `failures known: ${seen.known.failures}; 2 were recorded`);
  return true;
}

/**
 * Makes calls during an outage. The check fails as soon as the calls have waited too long, because calls that hang would
 * otherwise take the whole time limit of the check.
 */
export async function promptly<T>(
  { check }: RateLimitTest,
  calls: string,
  make: () => Promise<T>,
): Promise<T> {
  const late = new Error('late');
  return withinLimit(make(), LONGEST_WAIT_MS, () => late).catch((error: unknown) => {
    if (error !== late) throw error;
    return check.by('waits').fail(`${calls}: they have not ended after ${LONGEST_WAIT_MS} ms`);
  });
}
