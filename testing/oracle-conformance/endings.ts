import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkEnding, checkRejected, checkUndecided, soon, STALL, type OracleSuite } from './suite';

/** How many turns of the event loop an oracle gets to reach its sources before it is stopped. */
const TURNS = 20;

export function endingTests({ describe, test }: OracleSuite): void {
  describe('a question', () => {
    test('ends soon after its signal is aborted', ['signal', 'promise'], async (t) => {
      if (!t.check.given('stall', t.made.stall, STALL)) return;
      const release = await t.made.stall();
      const stop = new AbortController();
      const asking = t.ask({}, stop.signal);
      for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
      stop.abort();
      checkUndecided(t, await soon(t, asking, 'its signal was aborted'), 'knows', 'a call that was aborted');
      await release();
      checkEnding(t, await t.ask());
    });

    test('ends soon when its signal was aborted before', ['signal', 'promise'], async (t) => {
      const release = t.made.stall ? await t.made.stall() : async () => undefined;
      const signal = AbortSignal.abort(new Error('the caller no longer waits'));
      checkEnding(t, await soon(t, t.ask({}, signal), 'its signal was aborted before'));
      await release();
    });

    test('ends by itself', ['ends', 'outage', 'promise'], async (t) => {
      if (!t.check.given('stall', t.made.stall, STALL)) return;
      const release = await t.made.stall();
      checkRejected(t, await t.ask(), 'sources that do not answer');
      await release();
    });
  });
}
