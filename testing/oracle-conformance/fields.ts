/** Sources that leave a field out, or answer with another type than agreed. */
import { insteadOf } from '../conformance/failure';
import {
  isFigure,
  LEFT_OUT,
  normal,
  partsOf,
  spoiler,
  SPOILS,
  valueAt,
  type Nonsense,
  type Path,
  type Spoil,
} from '../conformance/nonsense';
import { checkRecovered } from './answers';
import { asked, honestBodies } from './sources';
import { checkEnding, GARBLE, known, type Ending, type OracleTest } from './suite';

const MOST_FIELDS = 30;
const SHOWN_CHARACTERS = 300;

const isOfCode = (value: unknown): boolean => typeof value === 'number' || typeof value === 'string';
// `Number('')` is 0, so an oracle may take the text for the figure 0.
const EMPTY: Spoil = (value) => (isOfCode(value) ? '' : value);
// `parseFloat('1,234')` is 1, so an oracle may take the text for the figure 1.
const GROUPED: Spoil = (value) => {
  if (typeof value === 'number') return Math.abs(value) >= 1_000 ? value.toLocaleString('en-US') : value;
  return typeof value === 'string' ? otherForm(value) : value;
};

/**
 * Writes a decimal text in another form: `1234.5` becomes `1,234.5`, and `12.5` becomes `12,5`. An ambiguous text,
 * such as `1.234` or `1234`, stays as it is.
 */
function otherForm(text: string): string {
  const [, whole = '', part = ''] = /^-?(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text) ?? [];
  if (whole.length >= 4) return part === '' && whole.length < 7 ? text : grouped(text);
  return part === '' || part.length === 3 ? text : text.replace('.', ',');
}

const grouped = (text: string): string =>
  text.replace(/\d+/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','));

/**
 * Makes one field of the answers wrong at a time. An oracle that does not need the field may still decide
 * correctly.
 */
export async function fieldTest(t: OracleTest): Promise<void> {
  const { garble, know } = t.made;
  if (!t.check.given('garble', garble, GARBLE)) return;
  if (!t.check.given('know', know, 'makes the sources say YES, NO or nothing')) return;
  const meant = await honestBodies(t);
  for (const [evidence, wrong] of [
    ['YES', 'NO'],
    ['NO', 'YES'],
  ] as const)
    for (const spoil of [...SPOILS, LEFT_OUT, EMPTY, GROUPED]) {
      await known(t, evidence);
      await eachField(t, spoil, (ending, sent) => {
        checkEnding(t, ending);
        const isMeant = sent.some((body) => meant.has(normal(body)));
        if (!isMeant && 'answer' in ending && ending.answer.outcome === wrong)
          reportGuess(t, sent, evidence, wrong);
      });
    }
  await checkRecovered(t, 'after wrong fields');
}

/** Asks once for each field that the spoil changes, with this field spoilt. */
async function eachField(
  t: OracleTest,
  spoil: Spoil,
  look: (ending: Ending, sent: readonly string[], at: number) => void,
): Promise<void> {
  let fields = 1;
  for (let at = 0; at < Math.min(fields, MOST_FIELDS); at += 1) {
    const spoiling = spoiler(at, spoil, changedBy(spoil));
    const { ending, sent } = await asked(t, spoiling.nonsense);
    fields = Math.max(fields, spoiling.fields());
    look(ending, sent, at);
  }
}

/** The paths of the fields that the spoil changes. A field that it does not change needs no question. */
const changedBy =
  (spoil: Spoil) =>
  (value: unknown): Path[] =>
    partsOf(value).filter((path) => {
      const field = valueAt(value, path);
      return spoil(field) !== field;
    });

function reportGuess({ check }: OracleTest, sent: readonly string[], says: string, wrong: string): never {
  const seen = `it answered ${wrong}`;
  if (sent.length === 0)
    return check
      .by('fresh')
      .fail(insteadOf(`the sources now say ${says}, and were not asked: ${seen}`, 'a request in every call'));
  return check
    .by('knows')
    .fail(`sources that say ${says}, of which one answered ${shortened(sent)}: ${seen}`);
}

const shortened = ([body = '']: readonly string[]): string =>
  body === ''
    ? '(an empty body)'
    : body.length > SHOWN_CHARACTERS
      ? `${body.slice(0, SHOWN_CHARACTERS)}…`
      : body;

/** Halves a figure above 0 and up to 100, which may be a confidence. Other values stay as they are. */
const HALVED: Spoil = (value) => {
  if (!(typeof value === 'number' || (typeof value === 'string' && isFigure(value)))) return value;
  const figure = Number(value);
  if (!(figure > 0 && figure <= 100)) return value;
  return typeof value === 'number' ? figure / 2 : String(figure / 2);
};

const NO_FIGURE: Readonly<Record<string, Spoil>> = {
  'left out': LEFT_OUT,
  null: () => null,
  'an empty text': () => '',
  'the text `ab`': () => 'ab',
};

/**
 * If half of a figure makes the oracle less sure, the oracle takes its confidence from this field. Without the field it
 * must not be as sure as before.
 */
export async function doubtTest(t: OracleTest): Promise<void> {
  if (!t.check.given('garble', t.made.garble, GARBLE)) return;
  if (!(await known(t, 'YES'))) return;
  await honestBodies(t);
  await known(t, 'YES');
  const sure = confidenceOf(await t.ask());
  const figures: number[] = [];
  await eachField(t, HALVED, (ending, _sent, at) => {
    const confidence = confidenceOf(ending);
    if (confidence !== null && sure !== null && confidence < sure) figures.push(at);
  });
  for (const at of figures)
    for (const [words, spoil] of Object.entries(NO_FIGURE)) {
      const { ending, sent } = await asked(t, nonsenseAt(at, spoil));
      checkEnding(t, ending);
      const confidence = confidenceOf(ending);
      if (confidence !== null && sure !== null && confidence >= sure)
        t.check.fail(
          `the field from which the oracle takes its confidence is ${words}, in ${shortened(sent)}: it answered YES with the confidence ${confidence}, as with the field. Reject, or answer a low confidence`,
        );
    }
}

const nonsenseAt = (at: number, spoil: Spoil): Nonsense => spoiler(at, spoil, changedBy(HALVED)).nonsense;

/** The confidence of a YES; `null` for any other ending. */
const confidenceOf = (ending: Ending): number | null =>
  'answer' in ending && ending.answer.outcome === 'YES' ? ending.answer.confidence : null;
