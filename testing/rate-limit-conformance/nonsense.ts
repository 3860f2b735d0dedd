/** Checks of a backend whose server answers nonsense. */
import { NONSENSE, spoiler, SPOILS, type Nonsense } from '../conformance/nonsense';
import { promptly } from './outages';
import { FIVE_MINUTES_MS, NOW, WINDOW_MS } from './samples';
import type { RateLimitSuite, RateLimitTest, WatchedBackend } from './suite';

const CITED = ['waits', 'limit', 'failures', 'counts', 'remaining', 'epoch', 'current'] as const;
const MOST_FIELDS = 10;

export function garbleTests({ test }: Pick<RateLimitSuite, 'test'>): void {
  test('counts by itself when what it asks answers nonsense, and keeps the limit', CITED, async (t) => {
    const checkGarbled = garbledChecks(t);
    if (checkGarbled === null) return;
    for (const [name, nonsense] of Object.entries(NONSENSE)) await checkGarbled(name, nonsense);
  });

  test('counts by itself when a field of an answer is wrong, and keeps the limit', CITED, async (t) => {
    const checkGarbled = garbledChecks(t);
    if (checkGarbled === null) return;
    for (const spoil of SPOILS) {
      let fields = 1;
      for (let at = 0; at < Math.min(fields, MOST_FIELDS); at += 1) {
        const spoiling = spoiler(at, spoil);
        await checkGarbled('with one wrong field', spoiling.nonsense);
        fields = Math.max(fields, spoiling.fields());
      }
    }
  });
}

/** Returns a check for one kind of nonsense. `null` if the hook is declared absent. */
function garbledChecks(t: RateLimitTest): ((name: string, nonsense: Nonsense) => Promise<void>) | null {
  const { hooks, check } = t;
  const { garble } = hooks;
  const what = 'makes the server answer `nonsense(body)` in place of each body';
  if (!check.given('garble', garble, what)) return null;
  let calls = 0;
  let laps = 0;
  return async (name, nonsense) => {
    laps += 1;
    const begin = () =>
      garble((body) => {
        calls += 1;
        return nonsense(body);
      });
    const garbled = { subject: `garbled ${laps}`, label: `while the server answered ${name}` };
    // Another instance each time, because an instance can pause before it asks the server again.
    const backend = await t.further();
    const end = await begin();
    await checkCounts(t, backend, garbled);
    await end();
    await checkFailures(t, await t.further(), { ...garbled, begin });
    if (calls === 0)
      check.notChecked(
        'Let the server answer `nonsense(body)` in place of each body: `garble` gets this function, and it was not called.',
      );
  };
}

interface Garbled {
  subject: string;
  label: string;
}

async function checkCounts(
  t: RateLimitTest,
  backend: WatchedBackend,
  { subject, label }: Garbled,
): Promise<void> {
  const { check } = t;
  const window = backend.window(WINDOW_MS);
  const failures = backend.failures(FIVE_MINUTES_MS);
  const seen = await promptly(t, `7 calls ${label}`, async () => {
    const allowed: boolean[] = [];
    for (let call = 0; call < 3; call += 1) allowed.push((await window.hit(subject, 2, NOW)).allowed);
    const looked = await window.peek(subject, 2, NOW);
    for (let time = 0; time < 2; time += 1) await failures.record(subject, NOW);
    return { allowed, looked, known: await failures.count(subject, NOW) };
  });
  check.by('limit').equal(seen.allowed, [true, true, false], `let in ${label}, with a limit of 2`);
  check
    .by('limit')
    .equal(seen.looked.allowed, false, `\`allowed\` of \`peek\` ${label}, when the limit is reached`);
  check.by('failures').equal(seen.known.failures, 2, `failures ${label}`);
}

/**
 * `count` is the first call that the server answers with nonsense, so the instance cannot have paused its requests
 * yet.
 */
async function checkFailures(
  t: RateLimitTest,
  backend: WatchedBackend,
  { subject, label, begin }: Garbled & { begin(): Promise<() => Promise<void>> },
): Promise<void> {
  const failures = backend.failures(FIVE_MINUTES_MS);
  const address = `${subject} first`;
  for (let time = 0; time < 2; time += 1) await failures.record(address, NOW);
  const end = await begin();
  const known = await promptly(t, `a call of \`count\` ${label}`, () => failures.count(address, NOW));
  await end();
  t.check.by('failures').equal(known.failures, 2, `failures that \`count\` gives first ${label}`);
}
