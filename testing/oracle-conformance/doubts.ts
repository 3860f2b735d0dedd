/** Sources that are not sure of what they say. */
import { DEFAULT_ROUND_RULES } from '../../src/domain/oracle/rounds';
import { isDecisive } from '../../src/domain/oracle/vote';
import { normal } from '../conformance/nonsense';
import { checkRecovered } from './answers';
import { asked, bodiesOf } from './sources';
import { checkEnding, type OracleTest } from './suite';

const UNSURE = 'makes the sources say YES or NO with a low confidence';

/** While its sources are not sure, the oracle must not answer YES or NO with a confidence that resolves a market. */
export async function unsureTest(t: OracleTest): Promise<void> {
  const { unsure } = t.made;
  if (!t.check.given('unsure', unsure, UNSURE)) return;
  for (const evidence of ['YES', 'NO'] as const) {
    const sure = await bodiesOf(t, evidence);
    const end = await unsure(evidence);
    const { ending, sent } = await asked(t, (body) => body);
    await end();
    if (sent.length > 0 && sent.map(normal).join() === sure.map(normal).join())
      t.check.notChecked(
        `\`unsure\` does nothing: the sources answered as after \`know('${evidence}')\`. It ${UNSURE}.`,
      );
    checkEnding(t, ending);
    if (!('answer' in ending) || !isDecisive(ending.answer.outcome)) continue;
    const { outcome, confidence } = ending.answer;
    if (confidence >= DEFAULT_ROUND_RULES.minConfidence)
      t.check.fail(
        `sources that say ${evidence} and are not sure: it answered ${outcome} with the confidence ${confidence}, which resolves a market. Pass the confidence of the sources on, or the hook does nothing`,
      );
  }
  await checkRecovered(t, 'after sources that are not sure');
}
