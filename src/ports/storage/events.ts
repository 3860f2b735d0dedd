import type { NewOutboxEvent, OutboxEvent } from '../../domain/events';

export interface EventReader {
  /**
   * Sequenced events with a greater `seq`, ascending, at most `limit`; empty only when there are none. Where
   * `deleteBefore` has removed numbers in between, a page may be shorter than `limit` although more follow.
   */
  after(seq: number, limit: number): Promise<OutboxEvent[]>;
  /** The newest sequenced `seq`; 0 when there is none. */
  head(): Promise<number>;
}
export interface EventRepository extends EventReader {
  append(events: readonly NewOutboxEvent[]): Promise<void>;
  /**
   * Gives `seq` to committed events that have none, gap-free, keeping the order of each market. Called by the holder
   * of the lease `event-relay`. Returns how many: fewer than `limit` when none is left; more when events appended
   * together are numbered together; 0 where `append` does it.
   */
  sequence(limit: number): Promise<number>;
  /**
   * Removes sequenced events created before the instant, the oldest first, until `limit` are removed; never the newest
   * one. Returns how many. Events of one instant that were appended together may go, and stay, together.
   */
  deleteBefore(createdBefore: number, limit: number): Promise<number>;
}
