import type { NewOutboxEvent, OutboxEvent } from '../../domain/events';

export interface EventReader {
  /**
   * Numbered events with a greater `seq`, ascending, at most `limit`; empty only when there are none. If
   * `deleteBefore` has removed events in between, a page may be shorter than `limit` although more follow.
   */
  after(seq: number, limit: number): Promise<OutboxEvent[]>;
  /** The highest `seq`; 0 when there is none. */
  head(): Promise<number>;
}
export interface EventRepository extends EventReader {
  append(events: readonly NewOutboxEvent[]): Promise<void>;
  /**
   * Gives `seq` to committed events that have none, without gaps, keeping the order of each market. Called by
   * the owner of the lease `event-relay`. Returns how many: fewer than `limit` when none is left, more when
   * events that were appended together are numbered together, and 0 when `append` numbers events.
   */
  sequence(limit: number): Promise<number>;
  /**
   * Removes numbered events that were created before the instant, the oldest first, until `limit` are
   * removed; never the newest one. With `upTo`, only events whose `seq` is not greater. Returns how many. Events of one instant that were appended together may be
   * removed or kept together.
   */
  deleteBefore(createdBefore: number, limit: number, upTo?: number): Promise<number>;
}
