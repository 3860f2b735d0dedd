import type { NewFact, StoredFact } from '../../domain/events';

export interface EventReader {
  /**
   * At most `limit` numbered facts with a greater `seq`, ascending; the list is empty only when there is no
   * such fact. If `deleteBefore` has removed facts in between, a page may be shorter than `limit` although more
   * facts follow.
   */
  after(seq: number, limit: number): Promise<StoredFact[]>;
  /** The highest `seq` of all facts; 0 when there is no fact. */
  head(): Promise<number>;
}
export interface EventRepository extends EventReader {
  append(events: readonly NewFact[]): Promise<void>;
  /**
   * Gives `seq` to committed facts that have none, without gaps, keeping the order of each market. Only the
   * owner of the lease `event-relay` calls it. Returns how many facts it has numbered: fewer than `limit` when
   * none is left, more when facts that were appended together are numbered together, and 0 when `append`
   * numbers facts.
   */
  sequence(limit: number): Promise<number>;
  /**
   * Removes numbered facts that were created before the instant, the oldest first, until `limit` are removed;
   * the newest fact is never removed. With `upTo`, only facts whose `seq` is at most `upTo` are removed.
   * Returns how many facts it has removed. An adapter may treat facts of one instant that were appended
   * together as one: it removes all of them, even beyond `limit`, or keeps all.
   */
  deleteBefore(createdBefore: number, limit: number, upTo?: number): Promise<number>;
}
