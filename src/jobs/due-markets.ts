import type { Context } from '../usecases/context';
import { MARKETS_PER_RUN, runDueMarkets } from '../usecases/resolution/run-due-markets';

/** The most questions that the oracle has to answer at once. */
const QUESTIONS_AT_ONCE = 64;

export interface DueMarketsJob {
  run(signal: AbortSignal): Promise<boolean>;
  /** Fulfils when every answer of the oracle has been processed. */
  answered(): Promise<void>;
}

/** Handles due markets. While the oracle has not answered, further runs close and pay out other markets. */
export function createDueMarketsJob(context: Context, onAnswered: () => void): DueMarketsJob {
  const waiting = new Set<Promise<void>>();
  let questions = 0;

  function waitFor(asked: number, answered: Promise<void>): void {
    questions += asked;
    const done = answered.then(() => {
      questions -= asked;
      waiting.delete(done);
      onAnswered();
    });
    waiting.add(done);
  }

  return {
    async run(signal) {
      const limit = Math.min(MARKETS_PER_RUN, QUESTIONS_AT_ONCE - questions);
      if (limit <= 0) return false;
      const { taken, asked, answered } = await runDueMarkets(context, { limit, signal });
      if (asked > 0) waitFor(asked, answered);
      return taken > 0;
    },
    async answered() {
      await Promise.all(waiting);
    },
  };
}
