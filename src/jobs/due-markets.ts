import type { Context } from '../usecases/context';
import { runDueMarkets } from '../usecases/resolution/run-due-markets';

export interface DueMarketsJob {
  run(signal: AbortSignal): Promise<boolean>;
  /** Fulfils when every answer of the oracle has been processed. */
  answered(): Promise<void>;
}

/** Handles due markets. While the oracle has not answered, further runs close and pay out other markets. */
export function createDueMarketsJob(context: Context, onAnswered: () => void): DueMarketsJob {
  const waiting = new Set<Promise<void>>();
  const lastCost = { calls: 1, costMicros: 0n };

  /** Each round frees its place by itself: one that hangs keeps no other place. */
  function waitFor(round: Promise<void>): void {
    const done = round.then(() => {
      waiting.delete(done);
      onAnswered();
    });
    waiting.add(done);
  }

  return {
    async run(signal) {
      const places = context.config.roundsInFlight - waiting.size;
      const { taken, rounds } = await runDueMarkets(context, { rounds: places, signal, lastCost });
      rounds.forEach(waitFor);
      return taken > 0;
    },
    async answered() {
      await Promise.all(waiting);
    },
  };
}
