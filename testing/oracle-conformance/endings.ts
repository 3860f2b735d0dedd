import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkRecovered } from './answers';
import { refuseIdleStall } from './idle-hooks';
import { insteadOf } from '../conformance/failure';
import { SILENT_FORMS, silenced, type SilentForm } from '../conformance/silence';
import {
  checkEnding,
  checkRejected,
  checkUndecided,
  soon,
  STALL,
  type OracleSuite,
  type OracleTest,
} from './suite';

/** How many turns of the event loop an oracle gets to reach its sources before it is stopped. */
const TURNS = 20;

export function endingTests({ describe, test }: OracleSuite): void {
  describe('a question', () => {
    for (const [form, words] of SILENT_FORMS) {
      const suffix = form === 'nothing' ? '' : ` (${words})`;

      test(`ends soon after its signal is aborted${suffix}`, ['signal', 'promise', 'recovers'], async (t) => {
        const release = await stalled(t, form);
        if (release === null) return;
        const stop = new AbortController();
        const asking = t.ask({}, stop.signal);
        await severalTurns();
        stop.abort();
        const ending = await soon(t, asking, 'its signal was aborted');
        await refuseIdleStall(t, ending);
        checkUndecided(t, ending, 'knows', 'a call that was aborted');
        await release();
        await checkAnswersAgain(t, 'after a call that was aborted');
      });

      test(`ends by itself${suffix}`, ['ends', 'outage', 'promise', 'recovers'], async (t) => {
        const release = await stalled(t, form);
        if (release === null) return;
        const ending = await t.ask();
        await refuseIdleStall(t, ending);
        checkRejected(t, ending, `sources that send ${words}`);
        await release();
        await checkAnswersAgain(t, 'after a call that took too long');
      });
    }

    test('ends alone when its signal is aborted', ['apart', 'signal'], aloneTest);

    test('ends soon when its signal was aborted before', ['signal', 'promise', 'recovers'], async (t) => {
      const release = t.made.stall ? await silenced(t.made.stall, 'nothing') : null;
      const signal = AbortSignal.abort(new Error('the caller no longer waits'));
      checkEnding(t, await soon(t, t.ask({}, signal), 'its signal was aborted before'));
      await release?.();
      await checkAnswersAgain(t, 'after a call whose signal was aborted before');
    });
  });
}

/** Two calls about one market may share a request. The abort of one call must not end the other call. */
async function aloneTest(t: OracleTest): Promise<void> {
  const release = await stalled(t, 'nothing');
  if (release === null) return;
  const [stopped, waiting] = [new AbortController(), new AbortController()];
  const first = t.ask({}, stopped.signal);
  let hasEnded = false;
  const second = t.ask({}, waiting.signal).finally(() => void (hasEnded = true));
  await severalTurns();
  const endedBefore = hasEnded;
  stopped.abort();
  await soon(t, first, 'its signal was aborted');
  await severalTurns();
  if (hasEnded && !endedBefore)
    t.check.fail(
      insteadOf(
        'of two calls about the same market, the signal of the first was aborted, and the second ended too',
        'a second call that goes on',
      ),
    );
  waiting.abort();
  await soon(t, second, 'its signal was aborted');
  await release();
}

async function severalTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
}

/** Checks that the oracle still answers, after a call that was stopped or took too long. */
async function checkAnswersAgain(t: OracleTest, label: string): Promise<void> {
  checkEnding(t, await t.ask());
  if (t.made.know) await checkRecovered(t, label);
}

/** Makes the sources silent until the returned function is called. `null` if they cannot be silent in this form. */
async function stalled({ made, check }: OracleTest, form: SilentForm): Promise<(() => Promise<void>) | null> {
  if (!check.given('stall', made.stall, STALL)) return null;
  const release = await silenced(made.stall, form);
  if (release === null) check.given(`stall('${form}')`, false, STALL);
  return release;
}
