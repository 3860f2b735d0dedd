import type { Consumer, ParkedFact } from '../../domain/consumers';
import type { Page } from './page';

export interface ParkedFactKey {
  consumer: string;
  epoch: string;
  seq: number;
}

export interface ConsumerReader {
  find(name: string): Promise<Consumer | null>;
  /** All consumers by name, ascending; `parked` counts their parked facts. */
  list(): Promise<(Consumer & { parked: number })[]>;
  /**
   * The parked facts of a consumer by `seq` and epoch, ascending; with `redo`, only those that are to be
   * handled once more. `total` counts all that match.
   */
  listParked(
    query: Page & { consumer: string; redo?: true },
  ): Promise<{ parked: ParkedFact[]; total: number }>;
}
export interface ConsumerRepository extends ConsumerReader {
  /** Returns `false` and writes nothing when the name is taken. */
  insert(consumer: Consumer): Promise<boolean>;
  /** Like `find`, and locks the row until the transaction ends. */
  lock(name: string): Promise<Consumer | null>;
  /** Writes every field except the name and `createdAt`; rejects when there is no such row. */
  update(consumer: Consumer): Promise<void>;
  /** Removes the consumer with its parked facts. Returns whether there was one. */
  remove(name: string): Promise<boolean>;
  /** Inserts or replaces by (consumer, epoch, seq). */
  park(fact: ParkedFact): Promise<void>;
  /** Removes the parked fact, and returns whether there was one. */
  unpark(key: ParkedFactKey): Promise<boolean>;
}
