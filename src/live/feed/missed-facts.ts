/** The facts that readers have missed, from memory or from the storage. Readers share what is read. */
import { BoundedMap } from '../../domain/bounded-map';
import type { Logger } from '../../ports/logger';
import type { Storage } from '../../ports/storage';
import { withoutGap } from '../../usecases/facts/read-facts';
import { feedFact, type FeedFact } from './message';
import type { RecentFacts } from './recent-facts';

/**
 * How many facts a reader gets at once. Their messages stay far below the limit of bytes that may wait for a
 * reader.
 */
const CHUNK = 128;
/** How many pages that were read from the storage are kept for other readers. They take about 4 MB. */
const MOST_KEPT_READS = 32;

export interface MissedFactsParts {
  storage: Pick<Storage, 'read'>;
  logger: Logger;
  recent: RecentFacts;
  /** The `seq` of the newest fact that was handed out live. */
  newestSeq(): number;
}

export class MissedFacts {
  readonly #parts: MissedFactsParts;
  readonly #reads = new BoundedMap<number, Promise<FeedFact[] | null>>(MOST_KEPT_READS);

  constructor(parts: MissedFactsParts) {
    this.#parts = parts;
  }

  /** The next facts after `at`, if they are kept in memory. */
  kept(at: number): readonly FeedFact[] | null {
    return this.#parts.recent.after(at, CHUNK);
  }

  /** The next facts after `at` from the storage. `null` when some of them were removed because of their age. */
  async stored(at: number): Promise<readonly FeedFact[] | null> {
    const facts = await (this.#reads.get(at) ?? this.#read(at));
    const newest = this.#parts.newestSeq();
    const last = facts?.at(-1)?.seq ?? newest;
    // This read is not kept, because a later read of the same page finds more facts.
    if (last < newest && last % CHUNK !== 0) this.#reads.delete(at);
    // Newer facts are handed out live.
    return facts?.filter((fact) => fact.seq <= newest) ?? null;
  }

  /** Keeps the read for other readers. A read that brought nothing is not kept. */
  #read(at: number): Promise<FeedFact[] | null> {
    const read = this.#readOnce(at);
    this.#reads.set(at, read);
    const forget = (): boolean => this.#reads.delete(at);
    void read.then((facts) => facts === null && forget(), forget);
    return read;
  }

  /**
   * After an instance was restarted, all its readers miss the same facts. Every read ends at a multiple of
   * `CHUNK`, so that readers share all reads but their first one.
   */
  async #readOnce(at: number): Promise<FeedFact[] | null> {
    const { storage, logger } = this.#parts;
    const rows = await storage.read(({ events }) => events.after(at, CHUNK - (at % CHUNK)));
    if (rows.length === 0) throw new Error('The storage does not show facts that it had');
    return withoutGap(rows, at)?.map((row) => feedFact(row, logger)) ?? null;
  }
}
