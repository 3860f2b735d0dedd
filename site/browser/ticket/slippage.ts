/** How far a price may move against the trader before an order is not executed. The setting is kept in this browser. */
import type { QuoteView } from '../../../src/index';
import type { Order } from '../../../src/client';
import type { TextStorage } from '../pending';

const PLACE = 'prediction-market.slippage-percent';
const USUAL_PERCENT = 2;
const LEAST_PERCENT = 0.1;
/** Bounds what another trader can gain by moving the price before the order. */
const MOST_PERCENT = 20;

/** The stored slippage in percent. If no number within the bounds is stored, the usual slippage. */
export function slippagePercent(storage: TextStorage): number {
  return validPercent(storage.getItem(PLACE) ?? '') ?? USUAL_PERCENT;
}

export function setSlippagePercent(storage: TextStorage, typed: string): boolean {
  const percent = validPercent(typed);
  if (percent !== null) storage.setItem(PLACE, String(percent));
  return percent !== null;
}

function validPercent(typed: string): number | null {
  const percent = typed.trim() === '' ? NaN : Number(typed);
  return percent >= LEAST_PERCENT && percent <= MOST_PERCENT ? percent : null;
}

/** Whether the order would still be executed at the quote. */
export function isWithinBounds(
  { minShares, minPayout }: Order,
  quote: Pick<QuoteView, 'shares' | 'totalCost'>,
): boolean {
  return quote.shares >= (minShares ?? 0) && quote.totalCost >= (minPayout ?? 0);
}
