import { checkRecovered, longAfter } from './answers';
import { NONSENSE, normal, spoiler, SPOILS, type Nonsense } from '../conformance/nonsense';
import { redirectTest } from './redirects';
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
        for (let time = 0; time < 3; time += 1)
          checkRejected(t, await t.ask(), 'sources that cannot be reached');
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

/** 404 can mean that the event has not happened yet, so the oracle may abstain. */
const ABSTAINS_AT = [404];
/** The sources have failed or refuse the oracle, such as its key, so the oracle must reject. */
const REJECTS_AT = [400, 401, 402, 403, 410, 422, 429, 500, 503];

async function httpErrorTest(t: OracleTest): Promise<void> {
  const { failWith } = t.made;
  if (!t.check.given('failWith', failWith, 'makes the sources answer with an HTTP status')) return;
  for (const status of [...ABSTAINS_AT, ...REJECTS_AT])
    for (const evidence of ['YES', 'NO'] as const) {
      await known(t, evidence);
      const restore = await failWith(status);
      const ending = await t.ask();
      const label = `sources that answered HTTP ${status}`;
      checkUndecided(t, ending, 'knows', label);
      // A source that does not find a result does not say, even long after the date, that there is none.
      checkUndecided(t, await t.ask(longAfter(t)), 'knows', `${label}, asked years after the date`);
      if (REJECTS_AT.includes(status)) checkRejected(t, ending, label, 'nonsense');
      await restore();
    }
  await checkRecovered(t, 'after HTTP errors');
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
    // An empty list, for instance, may be what the sources answer when nothing has happened.
    if (sent.some((body) => meant.has(normal(body)))) continue;
    const label = `the sources answered ${name}`;
    checkUndecided(t, ending, 'knows', label);
    if (!MAY_BE_NOTHING.includes(name)) unclear.push({ ending, label });
  }
  // A guess is worse than an abstention, so it is reported first.
  for (const { ending, label } of unclear) checkRejected(t, ending, label, 'nonsense');
  await checkRecovered(t, 'after nonsense');
}

/**
 * Makes one field of the answers wrong at a time. An oracle that does not need the field may still decide
 * correctly.
 */
async function fieldTest(t: OracleTest): Promise<void> {
  const { garble, know } = t.made;
  if (!t.check.given('garble', garble, GARBLE)) return;
  if (!t.check.given('know', know, 'makes the sources say YES, NO or nothing')) return;
  const meant = await honestBodies(t);
  for (const [evidence, wrong] of [
    ['YES', 'NO'],
    ['NO', 'YES'],
  ] as const)
    for (const spoil of SPOILS) {
      let fields = 1;
      for (let at = 0; at < Math.min(fields, MOST_FIELDS); at += 1) {
        await known(t, evidence);
        const spoiling = spoiler(at, spoil);
        const { ending, sent } = await asked(t, spoiling.nonsense);
        fields = Math.max(fields, spoiling.fields());
        checkEnding(t, ending);
        const isMeant = sent.some((body) => meant.has(normal(body)));
        if (!isMeant && 'answer' in ending && ending.answer.outcome === wrong)
          reportGuess(t, sent, evidence, wrong);
      }
    }
  await checkRecovered(t, 'after wrong fields');
}

function reportGuess({ check }: OracleTest, sent: readonly string[], says: string, wrong: string): never {
  const seen = `it answered ${wrong}`;
  if (sent.length === 0)
    return check.by('fresh').fail(`the sources now say ${says}, and were not asked: ${seen}`);
  return check
    .by('knows')
    .fail(`sources that say ${says}, of which one answered ${shortened(sent)}: ${seen}`);
}

const MOST_FIELDS = 30;
const SHOWN_CHARACTERS = 300;
const shortened = ([body = '']: readonly string[]): string =>
  body === ''
    ? '(an empty body)'
    : body.length > SHOWN_CHARACTERS
      ? `${body.slice(0, SHOWN_CHARACTERS)}…`
      : body;

/** The bodies that working sources answer. If nonsense equals one of them, the oracle may decide by it. */
async function honestBodies(t: OracleTest): Promise<ReadonlySet<string>> {
  const meant = new Set<string>();
  for (const evidence of ['YES', 'NO', 'NOTHING'] as const) {
    if (t.made.know !== false && !(await known(t, evidence))) break;
    const { sent } = await asked(t, (body) => body);
    for (const body of sent) meant.add(normal(body));
  }
  if (meant.size === 0)
    t.check.notChecked(
      'Let the sources answer `nonsense(body)` in place of each body: `garble` gets this function, and it was not called.',
    );
  return meant;
}

/** Asks while the sources answer nonsense. */
async function asked(
  t: OracleTest,
  nonsense: Nonsense,
): Promise<{ ending: Ending; sent: readonly string[] }> {
  const { garble } = t.made;
  const sent: string[] = [];
  const clear = garble
    ? await garble((body) => {
        const bad = nonsense(body);
        sent.push(bad);
        return bad;
      })
    : async () => undefined;
  const ending = await t.ask();
  await clear();
  return { ending, sent };
}
