/**
 * Lists of markets that are not read again while nothing is committed. The database tells by its version whether
 * something was committed, so no list is older than the request for it.
 */
import { BoundedMap } from '../../../src/domain/bounded-map';
import { isPredictionMarketError } from '../../../src/domain/errors';
import type { MarketListQuery, MarketRecord } from '../../../src/ports/storage';
import { failureKind } from './driver-errors';

/** The most lists that are kept. A list of 100 markets has about 100 kB, and ten times that with the longest texts. */
const MOST_LISTS = 16;

type List = { markets: MarketRecord[]; total: number };

export interface ListSource {
  list(query: MarketListQuery): Promise<List>;
  /** The next resolve date of an open market after this instant, or `null`. It then leaves the open markets. */
  nextDue(now: number): Promise<number | null>;
  /** A text that changes with every commit. Two equal texts mean that nothing was committed between them. */
  version(): Promise<string>;
}

interface KeptList {
  list: List;
  /** The list is right from this instant until the next market is due. */
  from: number;
  until: number;
}

/**
 * Reads lists as `list` does. A search is not kept. The callers get copies, so that none of them can change what the
 * others get.
 */
export function unchangedLists(source: ListSource): ListSource['list'] {
  const { list, nextDue } = source;
  let keptVersion: string | null = null;
  const kept = new BoundedMap<string, KeptList>(MOST_LISTS);
  /** The lists that were read at this version. */
  const asked = new BoundedMap<string, true>(MOST_LISTS);
  let hasVersions = true;

  /** `null`: not known. A database without versions is not asked again. */
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
    // To keep a list takes more statements. It would be for nothing while others write, or for a reader who turns
    // pages. So a list is kept when it is asked again at the same version.
    if (before === null || !asked.has(key)) {
      asked.set(key, true);
      return list(query);
    }
    const made = { list: await list(query), from: now, until: (await nextDue(now)) ?? Infinity };
    // Without a commit meanwhile, the statements above have read one state.
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
