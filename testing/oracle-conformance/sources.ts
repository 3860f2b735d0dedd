/** What the sources send to the oracle. The hook `garble` shows the bodies to the suite. */
import type { OracleQuestion } from '../../src/ports/oracle';
import { normal, type Nonsense } from '../conformance/nonsense';
import { known, type Ending, type OracleTest } from './suite';
import type { DecidedEvidence } from './types';

/** The bodies that working sources answer. If nonsense equals one of them, the oracle may decide by it. */
export async function honestBodies(t: OracleTest): Promise<ReadonlySet<string>> {
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

/**
 * Asks while the sources answer `nonsense(body)`. `sent` has the bodies that they answered; it is empty without
 * `garble`.
 */
export async function asked(
  t: OracleTest,
  nonsense: Nonsense,
  texts: Partial<OracleQuestion> = {},
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
  const ending = await t.ask(texts);
  await clear();
  return { ending, sent };
}

/** The bodies that the sources answer when they say this evidence. Empty without `garble`. */
export async function bodiesOf(t: OracleTest, evidence: DecidedEvidence): Promise<readonly string[]> {
  if (t.made.know === false || !(await known(t, evidence))) return [];
  return (await asked(t, (body) => body)).sent;
}
