import { BoundedMap } from '../domain/bounded-map';
import { effectiveStatus } from '../domain/market';
import type { PricingRule } from '../domain/pricing';
import type { MarketStatus } from '../domain/types';
import { LISTED_FIELDS, marketView, type ListedMarket } from './market';

/** The most texts that are kept: about a kilobyte each. */
const MOST_TEXTS = 2_000;

interface KeptText {
  market: ListedMarket;
  status: MarketStatus;
  text: string;
}

/** The JSON text of a market at an instant. */
export type MarketTexts = (market: ListedMarket, now: number) => string;

/**
 * Writes markets as lists show them, in JSON. The text of a market is kept until one of its fields, or its status at
 * that time, is another one. A list of 100 markets takes a third of the time of `JSON.stringify` over their views.
 */
export function marketTexts(pricing: PricingRule): MarketTexts {
  const kept = new BoundedMap<number, KeptText>(MOST_TEXTS);

  return function textOf(market, now) {
    const status = effectiveStatus(market, now);
    const known = kept.get(market.id);
    if (known !== undefined && known.status === status && isSame(known.market, market)) return known.text;
    const text = JSON.stringify(marketView(market, pricing, now));
    kept.set(market.id, { market: listedFieldsOf(market), status, text });
    return text;
  };
}

/** The most lists whose bytes are kept: 45 kB for 100 markets. */
const MOST_LISTS = 16;

/** A page of markets as the storage has it, and the instant at which it is shown. */
export interface MarketPage {
  markets: readonly ListedMarket[];
  total: number;
  limit: number;
  offset: number;
  now: number;
}

/** Writes a page of markets. `key` names the query; the last bytes of a query are kept. */
export type MarketListWriter = (key: string, page: MarketPage) => Buffer;

/**
 * Writes pages as `JSON.stringify` writes a `MarketListView`. Bytes are used again while total and texts are those of
 * the last time: making bytes of 45 kB for each list would wake the garbage collector.
 */
export function marketListWriter(pricing: PricingRule): MarketListWriter {
  const textOf = marketTexts(pricing);
  const kept = new BoundedMap<string, { texts: readonly string[]; total: number; bytes: Buffer }>(MOST_LISTS);

  return function write(key, { markets, total, limit, offset, now }) {
    const texts = markets.map((market) => textOf(market, now));
    const known = kept.get(key);
    if (known !== undefined && known.total === total && areEqual(known.texts, texts)) return known.bytes;
    const json = `{"markets":[${texts.join(',')}],"total":${total},"limit":${limit},"offset":${offset}}`;
    const bytes = Buffer.from(json);
    kept.set(key, { texts, total, bytes });
    return bytes;
  };
}

function areEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

function isSame(left: ListedMarket, right: ListedMarket): boolean {
  return LISTED_FIELDS.every(
    (field) =>
      left[field] === right[field] ||
      (field === 'resolution' && isSameOutcome(left.resolution, right.resolution)),
  );
}

/** A list shows nothing of a resolution but the prices that its outcome sets. */
function isSameOutcome(left: ListedMarket['resolution'], right: ListedMarket['resolution']): boolean {
  return left?.outcome === right?.outcome;
}

/** A copy without the fields that lists do not show: criteria and descriptions are long. */
function listedFieldsOf(market: ListedMarket): ListedMarket {
  const { resolution } = market;
  const fields = Object.fromEntries(
    LISTED_FIELDS.map((field) => [field, market[field]]),
  ) as unknown as ListedMarket;
  return { ...fields, resolution: resolution === null ? null : { ...resolution } };
}
