/** Submissions that fail. The caller submits the payout again, so a failed submission must not stop a later one. */
import { silenced } from '../conformance/silence';
import { checkHookWorks } from './idle-hooks';
import { checkPaid, prepared, submitted, type PayoutSuite, type PayoutTest } from './suite';

/**
 * With these statuses `submit` has to reject. HTTP 409 is not in the list, because it can mean that the service has
 * the payout already.
 */
const FAILURES = [400, 401, 403, 408, 422, 429, 500, 503, 504];
const FAIL_WITH = 'makes the services answer with an HTTP status';

export function submissionTests({ describe, test }: PayoutSuite): void {
  describe('a submission that fails', () => {
    test('is made again, and then pays', ['order', 'sends', 'notNow'], repeatTest);

    test('with an HTTP error rejects', 'sends', errorTest);
  });
}

async function repeatTest(t: PayoutTest): Promise<void> {
  const outage = outageOf(t);
  if (outage === null) return;
  const order = t.order();
  const state = await prepared(t, order);
  const end = await outage.begin();
  await submitted(t.payout, state);
  await end();
  await checkPaid(t, order, state, { after: `after a submission while ${outage.label}` });
  const next = t.order();
  const result = await t.payout.prepare(next, []);
  t.check.by('notNow').equal(result.status, 'prepared', `prepared, after ${outage.label}`);
  await checkPaid(t, next, await prepared(t, next), { after: `after ${outage.label}` });
}

/** A trouble that the test can end: HTTP 503, or a silent service if the author has declared `failWith` absent. */
function outageOf({ hooks: { failWith, silence }, check }: PayoutTest) {
  if (check.given('failWith', failWith, FAIL_WITH))
    return { label: 'the services answered HTTP 503', begin: () => failWith(503) };
  if (check.given('silence', silence, 'makes the services take requests and stay silent'))
    return {
      label: 'the services did not answer',
      begin: async () => (await silenced(silence, 'nothing')) ?? (async () => undefined),
    };
  return null;
}

async function errorTest(t: PayoutTest): Promise<void> {
  const { failWith } = t.hooks;
  if (!t.check.given('failWith', failWith, FAIL_WITH)) return;
  for (const status of FAILURES) {
    const order = t.order();
    const state = await prepared(t, order);
    const end = await failWith(status);
    const outcome = await t.payout.submit(state).then(
      () => 'fulfilled',
      () => 'rejected',
    );
    await end();
    if (outcome === 'fulfilled') await checkHookWorks(t, 'failWith', () => failWith(status));
    t.check.equal(outcome, 'rejected', `submitted, while the services answered HTTP ${status}`);
    await checkPaid(t, order, state);
  }
}
