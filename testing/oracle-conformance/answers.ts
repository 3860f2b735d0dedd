import { insteadOf, shown } from '../conformance/failure';
import { tellsSecret } from '../conformance/secrets';
import {
  checkEnding,
  checkOutcome,
  checkUndecided,
  known,
  secretsOf,
  type OracleSuite,
  type OracleTest,
} from './suite';
import { refuseIdleKnow } from './idle-hooks';
import { asked } from './sources';
import { HOSTILE_TEXTS, STRANGE_TEXTS } from './texts';

export function answerTests({ describe, test }: OracleSuite): void {
  describe('an oracle', () => {
    test('has a name and a role', ['name', 'role', 'secret'], async ({ made, check }) => {
      const { name, role } = made.oracle;
      if (typeof name !== 'string' || name.trim() === '')
        check.fail(insteadOf(`\`name\` is ${shown(name)}`, 'a text with a word'));
      if (tellsSecret(String(name), secretsOf(made)))
        check.by('secret').fail('`name` contains a secret, and it is logged and stored with each vote');
      check.by('role').oneOf(role ?? 'authority', ['authority', 'judge'], 'the role');
    });

    const figures = [
      'says',
      'fresh',
      'outcomes',
      'probability',
      'confidence',
      'agreement',
      'addresses',
      'votes',
      'voteError',
    ] as const;
    test('says what its sources say, with figures that fit', figures, async (t) => {
      for (const [evidence, label] of [
        ['YES', 'sources that say YES'],
        ['NO', 'sources that say NO, and have said YES before'],
      ] as const)
        if (await known(t, evidence)) {
          const { ending, sent } = await asked(t, (body) => body);
          // Without `garble` the suite does not see whether the sources were asked.
          const isOld = t.made.garble && sent.length === 0 && evidence === 'NO';
          if (!('answer' in ending) || ending.answer?.outcome !== evidence) await refuseIdleKnow(t);
          checkOutcome(t, ending, evidence, isOld ? 'fresh' : 'says', label);
        }
      checkEnding(t, await t.ask());
    });

    test('never decides if it says that operators do', 'manual', async (t) => {
      const { oracle } = t.made;
      if (oracle.isManual !== undefined && typeof oracle.isManual !== 'boolean')
        t.check.fail(insteadOf(`\`isManual\` is ${String(oracle.isManual)}`, 'true or false'));
      if (oracle.isManual !== true) return;
      for (const evidence of ['YES', 'NO'] as const) {
        if (t.made.know !== false) await known(t, evidence);
        checkUndecided(t, await t.ask(), 'manual', `sources that say ${evidence}`);
      }
    });

    test('does not guess when its sources say nothing', 'knows', async (t) => {
      await known(t, 'NOTHING');
      checkUndecided(t, await t.ask(), 'knows', 'sources that say nothing');
      for (const [when, dates] of Object.entries({
        'before the date': around(t, -DAY_MS),
        'years later': longAfter(t),
      })) {
        checkUndecided(t, await t.ask(dates), 'knows', `asked ${when}, with sources that say nothing`);
      }
    });

    test('does not decide before the date that decides', 'early', earlyTest);
  });
}

const DAY_MS = 86_400_000;
const DEFAULT_DATE = '2030-01-01T00:00:00.000Z';
const isoTime = (instant: number): string => new Date(instant).toISOString();

/** The dates of a question that is asked `afterMs` after its resolve date. */
function around({ made }: OracleTest, afterMs: number): { resolveDate: string; asOf: string } {
  const date = Date.parse(made.question().resolveDate ?? DEFAULT_DATE);
  return { resolveDate: isoTime(date), asOf: isoTime(date + afterMs) };
}

export const longAfter = (t: OracleTest): ReturnType<typeof around> => around(t, 9_000 * DAY_MS);

async function earlyTest(t: OracleTest): Promise<void> {
  const { made, check } = t;
  if (made.know === false) return;
  // The type requires `knownEarly`, but a test in JavaScript has no types.
  if ((made.knownEarly as boolean | undefined) === undefined)
    check.notChecked(
      'Declare `knownEarly: true` if the outcome may be known before the `resolveDate`; declare `knownEarly: false` if only that date decides, such as a price of that day.',
    );
  if (made.knownEarly) return;
  const { resolveDate } = made.question();
  if (resolveDate === null)
    return check.notChecked('Give `question()` a `resolveDate`, because only that date decides.');
  for (const evidence of ['YES', 'NO'] as const) {
    if (!(await known(t, evidence))) return;
    for (const earlierMs of [7 * DAY_MS, 60_000]) {
      const asOf = isoTime(Date.parse(resolveDate) - earlierMs);
      const label = `asked at ${asOf} about ${resolveDate}, when the sources said ${evidence}`;
      checkUndecided(t, await t.ask({ asOf }), 'early', label);
    }
  }
}

export function textTests({ describe, test }: OracleSuite): void {
  describe('the texts of a question', () => {
    const places = ['question', 'resolutionCriteria', 'description'] as const;

    test('change no outcome: sources that say NO', 'data', async (t) => {
      await known(t, 'NO');
      for (const text of HOSTILE_TEXTS)
        for (const place of places) {
          const ending = await t.ask({ [place]: text });
          checkEnding(t, ending);
          const answer = 'answer' in ending ? ending.answer.outcome : null;
          if (answer === 'YES')
            t.check.fail(
              insteadOf(
                `it answered YES to the ${place} ${shown(text.slice(0, 100))}, with sources that say NO`,
                '"NO"',
              ),
            );
        }
    });

    test('change no outcome: sources that say nothing', 'data', async (t) => {
      await known(t, 'NOTHING');
      for (const text of HOSTILE_TEXTS) {
        const label = `the texts ${JSON.stringify(text.slice(0, 100))}`;
        const all = { question: text, resolutionCriteria: text, description: text };
        checkUndecided(t, await t.ask(all), 'data', label);
      }
    });

    test('may be of any length and hold any characters', ['survives', 'recovers'], async (t) => {
      for (const text of STRANGE_TEXTS)
        checkEnding(t, await t.ask({ question: text, resolutionCriteria: text, description: text }));
      await checkRecovered(t, 'after strange texts');
    });
  });
}

export async function checkRecovered(t: OracleTest, label: string): Promise<void> {
  if (await known(t, 'NO')) checkOutcome(t, await t.ask(), 'NO', 'recovers', label);
}
