import { BoundedMap } from '../domain/bounded-map';
import { effectiveStatus } from '../domain/market';
import type { PricingRule } from '../domain/pricing';
import type { MarketStatus } from '../domain/types';
import { LISTED_FIELDS, marketView, type ListedMarket } from './market';

const MOST_TEXTS = 2_000;

interface KeptText {
  market: ListedMarket;
  status: MarketStatus;
  text: string;
}

export type MarketTexts = (market: ListedMarket, now: number) => string;

/**
 * Writes markets as lists show them, in JSON. The text of a market is used again while its listed fields and its
 * status at the given instant are the same.
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

function isSame(left: ListedMarket, right: ListedMarket): boolean {
  return LISTED_FIELDS.every(
    (field) =>
      left[field] === right[field] ||
      (field === 'resolution' && isSameOutcome(left.resolution, right.resolution)),
  );
}

/** Lists show the prices of a resolved market, which depend on the outcome alone. */
function isSameOutcome(left: ListedMarket['resolution'], right: ListedMarket['resolution']): boolean {
  return left?.outcome === right?.outcome;
}

/** A copy of the listed fields. It leaves out the criteria and the description, which are long. */
function listedFieldsOf(market: ListedMarket): ListedMarket {
  const { resolution } = market;
  const fields = Object.fromEntries(
    LISTED_FIELDS.map((field) => [field, market[field]]),
  ) as unknown as ListedMarket;
  return { ...fields, resolution: resolution === null ? null : { ...resolution } };
}
