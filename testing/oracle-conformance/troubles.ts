import { NONSENSE, normal } from '../conformance/nonsense';
import { checkRecovered } from './answers';
import { doubtTest, fieldTest } from './fields';
import { redirectTest } from './redirects';
import { asked, honestBodies } from './sources';
import { httpErrorTest } from './statuses';
import {
  checkEnding,
  checkRejected,
  checkUndecided,
  CUT_OFF,
  GARBLE,
  known,
  type Ending,
  type OracleSuite,
  type OracleTest,
} from './suite';

export function troubleTests({ describe, test }: OracleSuite): void {
  describe('an oracle in trouble', () => {
    test(
      'does not guess from nonsense, and recovers',
      ['knows', 'nonsense', 'recovers', 'message'],
      nonsenseTest,
    );

    test(
      'does not guess from a field that is wrong, and recovers',
      ['knows', 'fresh', 'recovers', 'message'],
      fieldTest,
    );

    test('takes no figure that is left out for certainty', ['knows', 'confidence', 'message'], doubtTest);

    test(
      'does not decide by an HTTP error, and recovers',
      ['knows', 'nonsense', 'recovers', 'message'],
      httpErrorTest,
    );

    test(
      'sends no secret to the address of a redirect, and does not decide by it',
      ['redirect', 'knows', 'recovers'],
      redirectTest,
    );

    test(
      'rejects without its sources, and recovers',
      ['outage', 'knows', 'recovers', 'message'],
      async (t) => {
        if (!t.check.given('cutOff', t.made.cutOff, CUT_OFF)) return;
        if (await known(t, 'YES')) await t.ask();
        const restore = await t.made.cutOff();
        const first = await t.ask();
        for (const ending of [first, ...(await Promise.all([t.ask(), t.ask()]))])
          checkRejected(t, ending, 'sources that cannot be reached, or the hook does nothing');
        await restore();
        await checkRecovered(t, 'after an outage');
      },
    );

    test('tells no secret', ['message', 'secret'], async ({ made, check }) => {
      // The other tests look for these secrets in every error and every answer.
      check.given('secrets', made.secrets, 'lists the texts that no answer may contain');
    });
  });
}

/** An object without the field that the oracle reads may mean that the sources have no result yet. */
const MAY_BE_NOTHING: readonly string[] = ['an empty object', 'an error in place of data'];

async function nonsenseTest(t: OracleTest): Promise<void> {
  const { garble } = t.made;
  if (!t.check.given('garble', garble, GARBLE)) return;
  const meant = await honestBodies(t);
  const unclear: { ending: Ending; label: string }[] = [];
  for (const [name, nonsense] of Object.entries(NONSENSE)) {
    await known(t, 'YES');
    const { ending, sent } = await asked(t, nonsense);
    checkEnding(t, ending);
    // An empty list, for instance, may be what working sources answer. Then any answer of the oracle is allowed.
    if (sent.some((body) => meant.has(normal(body)))) continue;
    const label = `the sources answered ${name}`;
    checkUndecided(t, ending, 'knows', label);
    if (!MAY_BE_NOTHING.includes(name)) unclear.push({ ending, label });
  }
  // A guess is worse than an abstention, so it is reported first.
  for (const { ending, label } of unclear) checkRejected(t, ending, label, 'nonsense');
  await checkRecovered(t, 'after nonsense');
}
