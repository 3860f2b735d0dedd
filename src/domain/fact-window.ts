/**
 * The facts that a consumer has read and not finished, in lanes (`createFactWindow`). Facts of one lane are
 * handled in order, one at a time. The position stays before the oldest fact that is not finished, so a restart
 * begins with that fact.
 */

export interface WindowFact {
  seq: number;
  marketId: number | null;
}

export interface FactWindow<Fact extends WindowFact> {
  /** Adds facts. They follow the fact that was added last. */
  add(facts: readonly Fact[]): void;
  /** Takes the oldest fact whose lane is free, and occupies the lane. `null` when no free lane has a fact. */
  take(): Fact | null;
  /** Marks the fact as finished, and frees its lane. */
  finish(fact: Fact): void;
  /**
   * Counts a failed attempt at the fact. The lane stays occupied until `release`. Returns the number of
   * failures in a row.
   */
  fail(fact: Fact): number;
  /** Frees the lane of a fact that was not handled. The fact stays the first one of its lane. */
  release(fact: Fact): void;
  /** Every fact up to this number is finished. */
  position(): number;
  /** The number of the last fact added. */
  newest(): number;
  /** The number of facts that are not finished. */
  size(): number;
  /** The number of failures in a row in the lane of the fact. */
  failuresOf(fact: Fact): number;
  /** The sum of the failures in a row over all lanes. */
  failures(): number;
}

interface Lane<Fact> {
  /** The facts of the lane, in order. The first one is being handled, or is handled next. */
  facts: Fact[];
  isFree: boolean;
  failures: number;
}

/**
 * With `byMarket`, each market has a lane, and all facts without a market share one. Otherwise all facts
 * share one lane.
 */
export function createFactWindow<Fact extends WindowFact>(
  start: number,
  { byMarket }: { byMarket: boolean },
): FactWindow<Fact> {
  const lanes = new Map<number | null, Lane<Fact>>();
  const finished = new Set<number>();
  let position = start;
  let newest = start;
  const keyOf = (fact: Fact): number | null => (byMarket ? fact.marketId : null);

  function laneOf(fact: Fact): Lane<Fact> {
    const known = lanes.get(keyOf(fact));
    if (known !== undefined) return known;
    const lane = { facts: [], isFree: true, failures: 0 };
    lanes.set(keyOf(fact), lane);
    return lane;
  }

  return {
    add(facts) {
      for (const fact of facts) {
        laneOf(fact).facts.push(fact);
        newest = fact.seq;
      }
    },
    take() {
      let oldest: Lane<Fact> | null = null;
      for (const lane of lanes.values())
        if (lane.isFree && seqOf(lane) < (oldest === null ? Infinity : seqOf(oldest))) oldest = lane;
      if (oldest === null) return null;
      oldest.isFree = false;
      return oldest.facts[0] ?? null;
    },
    finish(fact) {
      const lane = laneOf(fact);
      lane.facts.shift();
      lane.isFree = true;
      lane.failures = 0;
      if (lane.facts.length === 0) lanes.delete(keyOf(fact));
      finished.add(fact.seq);
      while (finished.delete(position + 1)) position += 1;
    },
    fail(fact) {
      const lane = laneOf(fact);
      lane.failures += 1;
      return lane.failures;
    },
    release(fact) {
      laneOf(fact).isFree = true;
    },
    position: () => position,
    newest: () => newest,
    size: () => newest - position - finished.size,
    failuresOf: (fact) => laneOf(fact).failures,
    failures: () => [...lanes.values()].reduce((sum, lane) => sum + lane.failures, 0),
  };
}

const seqOf = <Fact extends WindowFact>({ facts }: Lane<Fact>): number => facts[0]?.seq ?? Infinity;
