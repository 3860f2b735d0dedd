import type { FeedFact } from './feed-message';

/** How many of the newest facts stay when the list is cut. The list is cut when it has more than twice as many. */
const MOST = 2_048;

/** The newest facts that were handed out, without a gap. */
export interface RecentFacts {
  add(facts: readonly FeedFact[]): void;
  /** At most `limit` facts after `seq`. `null` when the first of them is not kept any more, or when no fact is kept. */
  after(seq: number, limit: number): readonly FeedFact[] | null;
  clear(): void;
}

export function createRecentFacts(most = MOST): RecentFacts {
  let kept: FeedFact[] = [];
  return {
    add(facts) {
      kept.push(...facts);
      // The array is cut seldom, because a cut copies it.
      if (kept.length > 2 * most) kept = kept.slice(-most);
    },
    after(seq, limit) {
      const oldest = kept[0];
      if (oldest === undefined || seq + 1 < oldest.seq) return null;
      const from = seq + 1 - oldest.seq;
      return kept.slice(from, from + limit);
    },
    clear: () => void (kept = []),
  };
}
