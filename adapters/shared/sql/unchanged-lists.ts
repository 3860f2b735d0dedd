/**
 * A cache of market lists. A cached list is used while the version of the database is the same. The version
 * changes with every commit, so no list is older than its request.
 */
import { BoundedMap } from '../../../src/domain/bounded-map';
import { isPredictionMarketError } from '../../../src/domain/errors';
import type { MarketListQuery, MarketRecord } from '../../../src/ports/storage';
import { failureKind } from './driver-errors';

/** The most cached lists, to bound the memory. */
const MOST_LISTS = 16;

type List = { markets: MarketRecord[]; total: number };

export interface ListSource {
  list(query: MarketListQuery): Promise<List>;
  /**
   * The next resolve date of an open market after this instant, or `null`. At that date the lists change
   * without a commit.
   */
  nextDue(now: number): Promise<number | null>;
  /** A text that changes with every commit. Two equal texts mean that nothing was committed between them. */
  version(): Promise<string>;
}

interface KeptList {
  list: List;
  /** The list is correct from `from` until a market reaches its resolve date at `until`. */
  from: number;
  until: number;
}

/**
 * Returns the same lists as `list`, from the cache where possible. A search is not cached. Each caller gets a
 * copy, so that no caller can change the list of another caller.
 */
export function unchangedLists(source: ListSource): ListSource['list'] {
  const { list, nextDue } = source;
  let keptVersion: string | null = null;
  const kept = new BoundedMap<string, KeptList>(MOST_LISTS);
  /** The lists that were read at `keptVersion`. */
  const asked = new BoundedMap<string, true>(MOST_LISTS);
  let hasVersions = true;

  /** The version of the database. `null` if the database has no versions. The database is then not asked again. */
  async function version(): Promise<string | null> {
    if (!hasVersions) return null;
    try {
      return await source.version();
    } catch (error) {
      if (isPredictionMarketError(error) || failureKind(error) === 'unavailable') throw error;
      hasVersions = false;
      return null;
    }
  }

  return async function read(query) {
    if (query.words !== undefined) return list(query);
    const before = await version();
    const { now, ...rest } = query;
    const key = JSON.stringify(rest, Object.keys(rest).sort());
    const isUnchanged = before !== null && before === keptVersion;
    const known = isUnchanged ? kept.get(key) : undefined;
    if (known !== undefined && known.from <= now && now < known.until) return copyOf(known.list);
    if (!isUnchanged) {
      kept.clear();
      asked.clear();
      keptVersion = before;
    }
    // Caching a list takes two more statements. They would be wasted while other clients write, or when a
    // client asks for one page after the other. So a list is cached when it is requested a second time at the
    // same version.
    if (before === null || !asked.has(key)) {
      asked.set(key, true);
      return list(query);
    }
    const made = { list: await list(query), from: now, until: (await nextDue(now)) ?? Infinity };
    // If nothing was committed meanwhile, the statements above have read the same state.
    if ((await version()) === before && keptVersion === before) kept.set(key, made);
    return copyOf(made.list);
  };
}

function copyOf({ markets, total }: List): List {
  return { markets: markets.map(copyOfMarket), total };
}

function copyOfMarket(market: MarketRecord): MarketRecord {
  const { resolution } = market;
  return { ...market, resolution: resolution === null ? null : { ...resolution } };
}
