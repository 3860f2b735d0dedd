/** The facts that readers have missed, from memory or from the storage. Readers share what is read. */
import { BoundedMap } from '../../domain/bounded-map';
import type { Logger } from '../../ports/logger';
import type { Storage } from '../../ports/storage';
import { withoutGap } from '../../usecases/facts/read-facts';
import { FactPage } from './fact-page';
import { feedFact } from './feed-message';
import type { RecentFacts } from './recent-facts';

/** The most missed facts of one page. */
const CHUNK = 128;
/** How many pages from the storage are cached for other readers. */
const MOST_KEPT_READS = 8;
/** How many pages of facts from memory are cached for other readers. */
const MOST_KEPT_PAGES = 32;

export interface MissedFactsParts {
  storage: Pick<Storage, 'read'>;
  logger: Logger;
  recent: RecentFacts;
  /** The `seq` of the feed's position. */
  newestSeq(): number;
}

export class MissedFacts {
  readonly #parts: MissedFactsParts;
  readonly #reads = new BoundedMap<number, Promise<FactPage | null>>(MOST_KEPT_READS);
  readonly #pages = new BoundedMap<number, FactPage>(MOST_KEPT_PAGES);

  constructor(parts: MissedFactsParts) {
    this.#parts = parts;
  }

  /** `null` when the facts after `at` are not kept in memory. */
  kept(at: number): FactPage | null {
    const facts = this.#parts.recent.after(at, pageSize(at));
    if (facts === null) return null;
    const known = this.#pages.get(at);
    // A page that was not full may have more facts now.
    if (known?.facts.length === facts.length) return known;
    const page = new FactPage(facts);
    this.#pages.set(at, page);
    return page;
  }

  /** The next facts after `at` from the storage, up to `newestSeq`. `null` when some of them were removed. */
  async stored(at: number): Promise<FactPage | null> {
    const page = await this.#shared(at);
    const newest = this.#parts.newestSeq();
    const last = page?.facts.at(-1)?.seq ?? newest;
    // A page that was not full is dropped when newer facts exist, because the next read of this page finds more
    // facts.
    if (last < newest && last % CHUNK !== 0) this.#reads.delete(at);
    if (page === null || last <= newest) return page;
    // Facts above `newest` are left out, because the feed hands them out live.
    return new FactPage(page.facts.filter((fact) => fact.seq <= newest));
  }

  #shared(at: number): Promise<FactPage | null> {
    const known = this.#reads.get(at);
    if (known === undefined) return this.#read(at);
    // The map first drops the page that was set longest ago. This page is in use, so the map gets it again.
    this.#reads.set(at, known);
    return known;
  }

  /** The cache drops a read that fails or that finds facts removed. */
  #read(at: number): Promise<FactPage | null> {
    const read = this.#readOnce(at);
    this.#reads.set(at, read);
    const forget = (): boolean => this.#reads.delete(at);
    void read.then((page) => page === null && forget(), forget);
    return read;
  }

  async #readOnce(at: number): Promise<FactPage | null> {
    const { storage, logger } = this.#parts;
    const rows = await storage.read(({ events }) => events.after(at, pageSize(at)));
    if (rows.length === 0) throw new Error('The storage does not show facts that it had');
    const numbered = withoutGap(rows, at);
    return numbered && new FactPage(numbered.map((row) => feedFact(row, logger)));
  }
}

/**
 * Every full page ends at a multiple of `CHUNK`. Readers that begin at different positions then share all pages
 * after their first page.
 */
const pageSize = (at: number): number => CHUNK - (at % CHUNK);
