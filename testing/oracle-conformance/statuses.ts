/** Sources that answer with an HTTP status other than 200. */
import { checkRecovered, longAfter } from './answers';
import { checkOutcome, checkRejected, checkUndecided, known, type OracleTest } from './suite';

/** These statuses can mean that the event has not happened yet, so the oracle may abstain. */
const ABSTAINS_AT = [404, 204, 202];
/** With these statuses the sources have failed or refuse the request, so the oracle must reject. */
const REJECTS_AT = [400, 401, 402, 403, 405, 408, 409, 410, 422, 425, 429, 451, 500, 502, 503, 504];

export async function httpErrorTest(t: OracleTest): Promise<void> {
  const { failWith } = t.made;
  if (!t.check.given('failWith', failWith, 'makes the sources answer with an HTTP status')) return;
  let before = 'before any HTTP error';
  for (const [index, status] of [...ABSTAINS_AT, ...REJECTS_AT].entries()) {
    const evidence = index % 2 === 0 ? 'YES' : 'NO';
    if (await known(t, evidence)) checkOutcome(t, await t.ask(), evidence, 'recovers', before);
    const restore = await failWith(status);
    const label = `sources that answered HTTP ${status}, or the hook does nothing`;
    // Both questions at the same time, because an oracle may pause before it repeats a failed request.
    const [soonAfter, yearsAfter] = await Promise.all([t.ask(), t.ask(longAfter(t))]);
    await restore();
    checkUndecided(t, soonAfter, 'knows', label);
    // An HTTP error does not prove, even long after the date, that the event has not happened.
    checkUndecided(t, yearsAfter, 'knows', `${label}, asked years after the date`);
    if (REJECTS_AT.includes(status))
      for (const ending of [soonAfter, yearsAfter]) checkRejected(t, ending, label, 'nonsense');
    before = `after HTTP ${status}`;
  }
  await checkRecovered(t, before);
}
