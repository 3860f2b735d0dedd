import type { Context } from '../usecases/context';
import { runDueMarkets } from '../usecases/resolution/run-due-markets';

export interface DueMarketsJob {
  run(signal: AbortSignal): Promise<boolean>;
  /** Whether the job waits for an answer of the oracle, or processes one. */
  isAsking(): boolean;
  allRoundsEnded(): Promise<void>;
}

/**
 * Handles due markets. While the oracle has not answered, further runs close other markets and pay their
 * positions out.
 */
export function createDueMarketsJob(context: Context, onRoundEnded: () => void): DueMarketsJob {
  const waiting = new Set<Promise<void>>();
  /** `calls` is 0 until the first round has shown the cost of a round. */
  const lastCost = { calls: 0, costMicros: 0n };

  /**
   * Counts a round as running until it has ended. A round that hangs occupies only one of the
   * `roundsInFlight` places.
   */
  function waitFor(round: Promise<void>): void {
    const done = round.then(() => {
      waiting.delete(done);
      onRoundEnded();
    });
    waiting.add(done);
  }

  /**
   * With a budget, the first round after each start runs alone, because many rounds of unknown cost could
   * exceed the budget.
   */
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
