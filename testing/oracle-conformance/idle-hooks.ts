/** Detects hooks that do nothing, so that no check blames the adapter for them. */
import { normal } from '../conformance/nonsense';
import { bodiesOf } from './sources';
import { known, type Ending, type OracleTest } from './suite';

/** Reports that `know` does nothing, if the sources answer the same after YES and after NO. `garble` shows this. */
export async function refuseIdleKnow(t: OracleTest): Promise<void> {
  const [yes, no] = [await bodiesOf(t, 'YES'), await bodiesOf(t, 'NO')];
  if (yes.length > 0 && isSame(yes, no))
    t.check.notChecked(
      "`know` does nothing: the sources answered the same after `know('YES')` and after `know('NO')`.",
    );
}

/**
 * Reports that `stall` does nothing, if the oracle answers what the sources say now: first YES, and then NO. An oracle
 * whose sources are silent cannot know that.
 */
export async function refuseIdleStall(t: OracleTest, ending: Ending): Promise<void> {
  if (!('answer' in ending)) return;
  for (const evidence of ['YES', 'NO'] as const) {
    if (!t.made.know || !(await known(t, evidence))) return;
    const now = await t.ask();
    if (!('answer' in now) || now.answer?.outcome !== evidence) return;
  }
  t.check.notChecked(
    '`stall` does nothing: while it should keep the sources silent, the oracle answered YES after ' +
      "`know('YES')`, and NO after `know('NO')`.",
  );
}

/** Reports that a function which `garble` returned has ended the other hook too. */
export function refuseShared(
  { check }: OracleTest,
  hook: string,
  bodies: Record<'settled' | 'during' | 'after', readonly string[]>,
): void {
  const { settled, during, after } = bodies;
  if (after.length > 0 && isSame(after, settled) && !isSame(during, settled))
    check.notChecked(
      `The function that \`garble\` returned has ended \`${hook}\` too: after it, the sources answered as after \`know\`. Let each returned function end only its own hook.`,
    );
}

export const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.map(normal).join() === other.map(normal).join();
