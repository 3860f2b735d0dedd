/** Results that decide nothing, because they may still change or are about another subject. */
import {
  fieldsOf,
  LEFT_OUT,
  parsed,
  spoilt,
  SPOILS,
  valueAt,
  type Path,
  type Spoil,
} from '../conformance/nonsense';
import { isDecisive } from '../../src/domain/oracle/vote';
import { checkRecovered, longAfter } from './answers';
import { unsureTest } from './doubts';
import { isSame, refuseShared } from './idle-hooks';
import { asked, bodiesOf } from './sources';
import { checkUndecided, known, type OracleSuite, type OracleTest } from './suite';
import type { DecidedEvidence, UnsettledHook } from './types';

interface Kind {
  hook: 'provisional' | 'confuse';
  sentence: 'final' | 'subject';
  what: string;
  /** What the sources say, for reports. */
  words(evidence: DecidedEvidence): string;
  /** What to do about a field that decides whether the result counts. */
  advice: string;
}

const PROVISIONAL: Kind = {
  hook: 'provisional',
  sentence: 'final',
  what: 'makes the sources give a result that may still change',
  words: (evidence) => `sources whose result is provisional, and would now be ${evidence}`,
  advice: 'Decide only if the field has the value that marks a final result',
};
const CONFUSED: Kind = {
  hook: 'confuse',
  sentence: 'subject',
  what: 'makes the sources answer about another subject',
  words: (evidence) => `sources that answer about another subject, of which they say ${evidence}`,
  advice: 'Decide only if the field names the subject that the oracle has asked about',
};

export function unsettledTests({ describe, test }: OracleSuite): void {
  describe('a result', () => {
    test('that may still change decides nothing', ['final', 'recovers'], (t) => unsettled(t, PROVISIONAL));
    test('about another subject decides nothing', ['subject', 'recovers'], (t) => unsettled(t, CONFUSED));
    test('of which the sources are not sure resolves no market', ['confidence', 'recovers'], unsureTest);
  });
}

async function unsettled(t: OracleTest, kind: Kind): Promise<void> {
  const given = t.made[kind.hook];
  if (!t.check.given(kind.hook, given, kind.what)) return;
  for (const hook of typeof given === 'function' ? [given] : given) await unsettledBy(t, kind, hook);
  await checkRecovered(t, `after ${kind.words('YES')}`);
}

async function unsettledBy(t: OracleTest, kind: Kind, hook: UnsettledHook): Promise<void> {
  for (const evidence of ['YES', 'NO'] as const) {
    const settled = await bodiesOf(t, evidence);
    const end = await hook(evidence);
    const label = kind.words(evidence);
    const { ending, sent } = await asked(t, (body) => body);
    if (sent.length > 0 && isSame(sent, settled))
      t.check.notChecked(
        `\`${kind.hook}\` does nothing: the sources answered as after \`know('${evidence}')\`. It ${kind.what}.`,
      );
    checkUndecided(t, ending, kind.sentence, label);
    const late = await asked(t, (body) => body, longAfter(t));
    await end();
    refuseShared(t, kind.hook, { settled, during: sent, after: late.sent });
    checkUndecided(t, late.ending, kind.sentence, `${label}, asked years after the date`);
    await checkMarks(t, kind, { evidence, settled, unsettled: sent });
  }
}

interface Results {
  evidence: DecidedEvidence;
  settled: readonly string[];
  unsettled: readonly string[];
}

/**
 * A mark is a field that has one value in both settled results and another value in the unsettled one, such as
 * `"final": true`. If the other value keeps the oracle from deciding, the oracle reads the field. Such an oracle
 * must also not decide when the field is missing or makes no sense.
 */
async function checkMarks(
  t: OracleTest,
  kind: Kind,
  { evidence, settled, unsettled }: Results,
): Promise<void> {
  const opposite = await bodiesOf(t, evidence === 'YES' ? 'NO' : 'YES');
  await known(t, evidence);
  const values = {
    settled: settled.map(parsed),
    unsettled: unsettled.map(parsed),
    opposite: opposite.map(parsed),
  };
  for (const [index, body] of values.settled.entries())
    for (const path of fieldsOf(body)) {
      const value = valueAt(body, path);
      const other = valueAt(values.unsettled[index], path);
      if (values.unsettled[index] === undefined || value === other) continue;
      if (value !== valueAt(values.opposite[index], path)) continue;
      const decides = (spoil: Spoil) => decidesWith(t, index, path, spoil);
      if ((await decides(() => other)) !== null) continue;
      for (const [words, spoil] of marksFor(value)) {
        const outcome = await decides(spoil);
        if (outcome !== null)
          t.check
            .by(kind.sentence)
            .fail(
              `sources that say ${evidence}, with \`${path.join('.')}\` ${words} in place of ${JSON.stringify(value)}: it answered ${outcome}. ${kind.advice}`,
            );
      }
    }
}

/**
 * The wrong values to try in place of a mark's value. A service may leave out a field instead of sending `false`.
 * So in place of `false` only a wrong type is tried.
 */
function marksFor(value: unknown): [words: string, spoil: Spoil][] {
  const [wrongType = LEFT_OUT] = SPOILS;
  const all: [string, Spoil][] = [['of a wrong type', wrongType]];
  if (value === false) return all;
  all.push(['left out', LEFT_OUT], ['`null`', () => null]);
  if (typeof value === 'string') all.push(['with the unknown value `ab`', () => 'ab']);
  return all;
}

/** The YES or NO of the oracle when one field of one body is spoilt; otherwise `null`. */
async function decidesWith(
  t: OracleTest,
  index: number,
  path: Path,
  spoil: Spoil,
): Promise<DecidedEvidence | null> {
  let body = -1;
  const { ending } = await asked(t, (honest) => {
    body += 1;
    return body === index ? JSON.stringify(spoilt(parsed(honest), path, spoil)) : honest;
  });
  return 'answer' in ending && isDecisive(ending.answer.outcome) ? ending.answer.outcome : null;
}
