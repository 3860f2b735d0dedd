import type { Context } from '../usecases/context';
import { runDueMarkets } from '../usecases/resolution/run-due-markets';

export interface DueMarketsJob {
  run(signal: AbortSignal): Promise<boolean>;
  /** Whether an answer of the oracle is awaited or processed. */
  isAsking(): boolean;
  /** Fulfils when every answer of the oracle has been processed. */
  allRoundsEnded(): Promise<void>;
}

/** Handles due markets. While the oracle has not answered, further runs close and pay out other markets. */
export function createDueMarketsJob(context: Context, onRoundEnded: () => void): DueMarketsJob {
  const waiting = new Set<Promise<void>>();
  /** `calls` is 0 until a round has shown what one costs. */
  const lastCost = { calls: 0, costMicros: 0n };

  /** Each round frees its own place, so a round that hangs does not keep the places of others. */
  function waitFor(round: Promise<void>): void {
    const done = round.then(() => {
      waiting.delete(done);
      onRoundEnded();
    });
    waiting.add(done);
  }

  /** With a budget, a first round alone: many of unknown cost could exceed it, after each restart again. */
  function freePlaces(): number {
    const { roundsInFlight, oracleBudget } = context.config;
    const isBounded = oracleBudget.calls !== null || oracleBudget.costMicros !== null;
    const places = isBounded && lastCost.calls === 0 ? 1 : roundsInFlight;
    return places - waiting.size;
  }

  return {
    async run(signal) {
      const places = freePlaces();
      const { marketsLeased, roundEnds } = await runDueMarkets(context, {
        roundLimit: places,
        signal,
        lastCost,
      });
      roundEnds.forEach(waitFor);
      return marketsLeased > 0;
    },
    isAsking: () => waiting.size > 0,
    async allRoundsEnded() {
      await Promise.all(waiting);
    },
  };
}
