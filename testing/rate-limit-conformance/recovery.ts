/** Checks that a backend counts together with the other instances again when its server answers again. */
import { promptly } from './outages';
import { FIVE_MINUTES_MS, NOW, SILENCES, WINDOW_MS } from './samples';
import type { RateLimitSuite, RateLimitTest, WatchedBackend } from './suite';

export function recoveryTests({ test }: Pick<RateLimitSuite, 'test'>): void {
  test(
    'counts with the others again when what it asks answers again',
    ['waits', 'limit', 'failures'],
    recoveryTest,
  );
}

/** Two instances that have met the same trouble. */
interface Pair {
  trouble: string;
  instances: readonly [WatchedBackend, WatchedBackend];
}

/**
 * All pairs meet their troubles first, because a backend may pause before it asks its server again. So the check waits
 * for one pause, and not for one after each trouble.
 */
async function recoveryTest(t: RateLimitTest): Promise<void> {
  const { cutOff, failWith, garble } = t.hooks;
  if (!t.check.given('cutOff', cutOff, SILENCES)) return;
  const pairs: Pair[] = [];
  async function meet(trouble: string, begin: () => Promise<unknown>): Promise<void> {
    const instances = pairs.length === 0 ? await t.instances() : [await t.further(), await t.further()];
    const pair = { trouble, instances: instances as [WatchedBackend, WatchedBackend] };
    const end = await begin();
    if (typeof end !== 'function') return;
    await promptly(t, `calls of both instances at once, after ${trouble}`, () =>
      Promise.all(pair.instances.map(callAll)),
    );
    await (end as () => Promise<void>)();
    pairs.push(pair);
  }
  await meet('no answer', () => cutOff('nothing'));
  // If `cutOff` returns no function, the server stays silent, so the test cannot go on.
  if (pairs.length === 0) return;
  if (garble) await meet('nonsense', () => garble(() => '<p>busy</p>'));
  if (failWith) {
    const before = pairs.length;
    await meet('HTTP 429', () => failWith(429));
    if (pairs.length === before)
      t.check.notChecked('Let `failWith` return a function that makes the server answer again.');
  }
  await Promise.all(pairs.map((pair, index) => checkShared(t, pair, index)));
}

async function callAll(instance: WatchedBackend): Promise<void> {
  await instance.window(WINDOW_MS).hit('away', 1, NOW);
  await instance.failures(FIVE_MINUTES_MS).record('away', NOW);
}

async function checkShared(
  t: RateLimitTest,
  { trouble, instances: [one, other] }: Pair,
  index: number,
): Promise<void> {
  const looked = { requests: 0, failures: 0 };
  const sharesRequests = async (): Promise<boolean> => {
    looked.requests += 1;
    const subject = `back ${index} ${looked.requests}`;
    await one.window(WINDOW_MS).hit(subject, 1, NOW);
    return !(await other.window(WINDOW_MS).hit(subject, 1, NOW)).allowed;
  };
  const sharesFailures = async (): Promise<boolean> => {
    looked.failures += 1;
    const subject = `back ${index} ${looked.failures}`;
    await one.failures(FIVE_MINUTES_MS).record(subject, NOW);
    return (await other.failures(FIVE_MINUTES_MS).count(subject, NOW)).failures === 1;
  };
  const label = `calls after its server answers again, the backend, which has met ${trouble}, still counts`;
  if (!(await t.until(sharesRequests))) t.check.fail(`${looked.requests} ${label} requests alone`);
  if (!(await t.until(sharesFailures)))
    t.check.by('failures').fail(`${looked.failures} ${label} failures alone`);
}
