import {
  checkEnding,
  checkOutcome,
  checkUndecided,
  CUT_OFF,
  GARBLE,
  known,
  type OracleSuite,
  type OracleTest,
} from './suite';
import { HOSTILE_TEXTS, STRANGE_TEXTS } from './texts';

export function answerTests({ describe, test }: OracleSuite): void {
  describe('an oracle', () => {
    test('has a name and a role', ['name', 'role'], async ({ made, check }) => {
      const { name, role } = made.oracle;
      if (typeof name !== 'string' || name.trim() === '') check.fail(`the name ${String(name)}`);
      check.by('role').oneOf(role ?? 'authority', ['authority', 'judge'], 'the role');
    });

    const figures = [
      'says',
      'abstentions',
      'probability',
      'confidence',
      'agreement',
      'addresses',
      'votes',
      'voteError',
    ] as const;
    test('says what its sources say, with figures that fit', figures, async (t) => {
      for (const evidence of ['YES', 'NO'] as const)
        if (await known(t, evidence))
          checkOutcome(t, await t.ask(), evidence, 'says', `sources that say ${evidence}`);
      checkEnding(t, await t.ask());
    });

    test('does not guess when its sources say nothing', 'knows', async (t) => {
      await known(t, 'NOTHING');
      checkUndecided(t, await t.ask(), 'knows', 'sources that say nothing');
    });
  });
}

export function troubleTests({ describe, test }: OracleSuite): void {
  describe('an oracle in trouble', () => {
    test('does not guess from nonsense, and recovers', ['knows', 'recovers', 'message'], async (t) => {
      if (!t.check.given('garble', t.made.garble, GARBLE)) return;
      const clear = await t.made.garble();
      checkUndecided(t, await t.ask(), 'knows', 'sources that answer nonsense');
      await clear();
      await checkRecovered(t, 'after nonsense');
    });

    test('does not guess without its sources, and recovers', ['knows', 'recovers', 'message'], async (t) => {
      if (!t.check.given('cutOff', t.made.cutOff, CUT_OFF)) return;
      if (await known(t, 'YES')) await t.ask();
      const restore = await t.made.cutOff();
      for (let time = 0; time < 3; time += 1)
        checkUndecided(t, await t.ask(), 'knows', 'sources that cannot be reached');
      await restore();
      await checkRecovered(t, 'after an outage');
    });

    test('tells no secret', 'message', async ({ made, check }) => {
      // The other tests look for these secrets in every error and every answer.
      check.given('secrets', made.secrets, 'lists what must not be told');
    });
  });
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
          if (answer === 'YES') t.check.fail(`YES to the ${place} ${JSON.stringify(text.slice(0, 100))}`);
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

async function checkRecovered(t: OracleTest, label: string): Promise<void> {
  if (await known(t, 'NO')) checkOutcome(t, await t.ask(), 'NO', 'recovers', label);
}
