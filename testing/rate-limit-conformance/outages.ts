/** Checks of a backend whose server is silent, refuses connections, or answers with an error. */
import { insteadOf } from '../conformance/failure';
import { listOf } from '../conformance/check';
import { shown } from '../conformance/failure';
import { tellsSecret } from '../conformance/secrets';
import { openStranger } from '../conformance/stranger';
import { withinLimit } from '../conformance/watch';
import { FIVE_MINUTES_MS, LONGEST_WAIT_MS, NOW, SILENCES, WINDOW_MS } from './samples';
import type { AsyncWindow, RateLimitSuite, RateLimitTest } from './suite';

const REFUSALS = 'makes the server refuse connections';
type OutageHook = 'cutOff' | 'refuse' | 'failWith' | 'redirect';
const CITED = ['waits', 'limit', 'failures', 'refused'] as const;

export function outageTests({ test }: Pick<RateLimitSuite, 'test'>): void {
  test('answers at once when what it asks is silent, and keeps the limit', CITED, async (t) => {
    const { cutOff } = t.hooks;
    if (t.check.given('cutOff', cutOff, SILENCES)) await checkOutage(t, 'cutOff', () => cutOff('nothing'));
  });

  test('answers at once when what it asks stops in the middle of an answer', CITED, async (t) => {
    const { cutOff } = t.hooks;
    if (!t.check.given('cutOff', cutOff, SILENCES)) return;
    const cut = async () => cutOff.length > 0 && (await cutOff('halfBody'));
    if (!(await checkOutage(t, 'cutOff', cut))) t.check.given("cutOff('halfBody')", false, SILENCES);
  });

  test('answers when what it asks refuses connections, and keeps the limit', CITED, async (t) => {
    const { refuse } = t.hooks;
    if (t.check.given('refuse', refuse, REFUSALS)) await checkOutage(t, 'refuse', refuse);
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

  for (const status of STATUSES)
    test(`answers when what it asks answers HTTP ${status}, and keeps the limit`, BY_STATUS, async (t) => {
      const { failWith } = t.hooks;
      if (t.check.given('failWith', failWith, 'makes the server answer with an HTTP status'))
        await checkOutage(t, 'failWith', () => failWith(status), {
          when: `while the server answers HTTP ${status}`,
          sentence: 'status',
        });
    });

  test(
    'sends no secret to the address of a redirect, and keeps the limit',
    ['secret', 'limit'],
    redirectTest,
  );
}

/** None of these statuses says anything about the subject of a request. */
const STATUSES = [401, 403, 404, 408, 429, 500, 502, 503, 504];
const BY_STATUS = [...CITED, 'status'] as const;

async function redirectTest(t: RateLimitTest): Promise<void> {
  const { redirect, secrets } = t.hooks;
  if (!t.check.given('redirect', redirect, 'makes the server answer with a redirect')) return;
  const stranger = await openStranger();
  try {
    await checkOutage(t, 'redirect', () => redirect(stranger.address), {
      when: 'while the server redirects',
    });
    if (stranger.got().some((request) => tellsSecret(request, listOf(secrets))))
      t.check.fail('the backend followed a redirect, and sent a secret to its address');
  } finally {
    await stranger.close();
  }
}

/** Checks that `start` fulfils soon while the server is away, because the service waits for it. */
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

/** Checks the answers during an outage. Returns `false` if the hook cannot make the outage. */
async function checkOutage(
  t: RateLimitTest,
  hook: OutageHook,
  cut: () => Promise<unknown>,
  { when = 'in the outage', sentence = 'limit' }: { when?: string; sentence?: 'limit' | 'status' } = {},
): Promise<boolean> {
  const { backend, check } = t;
  const [, other] = await t.instances();
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
  check
    .by(sentence)
    .equal(seen.allowed, 2, `let in ${when}, of 20 calls, with a limit of 3 and one call before`);
  check.by('limit').equal(seen.looked.allowed, false, '`allowed` of `peek`, when the limit is reached');
  check
    .by('refused')
    .equal(seen.later.allowed, true, '`allowed` of a call when the three counted calls have left the window');
  const known = seen.known.failures;
  check
    .by('failures')
    .holds(
      known >= 2,
      insteadOf(`failures that \`count\` gives ${when}, after 2 were recorded: ${known}`, '2'),
    );
  if (other !== backend) await checkHookWorks(t, hook, [window, other.window(WINDOW_MS)]);
  return true;
}

/** Finds a hook that does nothing. Two instances that get no valid answer from the server share no counts. */
async function checkHookWorks(
  t: RateLimitTest,
  hook: OutageHook,
  [one, other]: readonly [AsyncWindow, AsyncWindow],
): Promise<void> {
  const [first, second] = await promptly(t, 'a call of each of two instances', async () => [
    await one.hit('apart', 1, NOW),
    await other.hit('apart', 1, NOW),
  ]);
  if (first?.allowed === true && second?.allowed === false)
    t.check.notChecked(
      `\`${hook}\` does nothing: in the outage a second instance still knew a request that the first had counted. Make the server fail for both instances, and let them share no memory of the process.`,
    );
}

/**
 * Makes calls during an outage. The check fails as soon as the calls have waited too long, because calls that hang
 * would otherwise take the whole time limit of the check.
 */
export async function promptly<T>(
  { check }: RateLimitTest,
  calls: string,
  make: () => Promise<T>,
): Promise<T> {
  const late = new Error('late');
  return withinLimit(make(), LONGEST_WAIT_MS, () => late).catch((error: unknown) => {
    if (error !== late) throw error;
    return check
      .by('waits')
      .fail(insteadOf(`${calls}, have not ended after ${LONGEST_WAIT_MS} ms`, 'an answer at once'));
  });
}
