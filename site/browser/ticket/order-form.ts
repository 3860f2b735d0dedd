/** The fields of the order form, and the order that is made of them. */
import type { QuoteView } from '../../../src/index';
import { newIdempotencyKey, type Order } from '../../../src/client';
import { count, element, find, percent, usd } from '../dom';
import type { OrderChoice, PendingOrder } from './pending-order';

export function readOrder(form: HTMLFormElement): OrderChoice {
  const fields = new FormData(form);
  const action = fields.get('action') === 'sell' ? 'sell' : 'buy';
  const typed = fields.get(action === 'sell' ? 'shares' : 'amount');
  const size = Number((typeof typed === 'string' ? typed : '').replace(/[,\s$]/g, ''));
  return { side: fields.get('side') === 'NO' ? 'NO' : 'YES', action, size: Number.isFinite(size) ? size : 0 };
}

export function fillOrder(form: HTMLFormElement, { side, action, size }: OrderChoice): void {
  const set = (selector: string, change: (input: HTMLInputElement) => void): void => {
    const input = find<HTMLInputElement>(selector, form);
    if (input !== null) change(input);
  };
  set(`[name=side][value=${side}]`, (input) => (input.checked = true));
  set(`[name=action][value=${action}]`, (input) => (input.checked = true));
  set(`[name=${action === 'buy' ? 'amount' : 'shares'}]`, (input) => (input.value = String(size)));
}

/** `yesPrice` is the newest price that the page knows; null before the page has drawn a price. */
export function quoteQuery(
  market: string,
  { side, action, size }: OrderChoice,
  yesPrice: number | null,
): string {
  const query = new URLSearchParams({ market, side, action });
  query.set(action === 'buy' ? 'amount' : 'shares', String(size));
  // The server shares equal answers for a second. With this parameter, the page gets no answer from before
  // the price moved.
  if (yesPrice !== null) query.set('at', String(yesPrice));
  return query.toString();
}

/** The order with its bounds, which are rounded in the trader's favour to six decimals, as the API requires. */
export function newOrder(order: OrderChoice, quote: QuoteView, slippage: number): PendingOrder {
  const { side, action, size } = order;
  const atLeast = (value: number): number => Math.ceil(value * (1 - slippage) * 1e6) / 1e6;
  const body: Order =
    action === 'buy'
      ? { side, action, amount: size, minShares: atLeast(quote.shares) }
      : { side, action, shares: size, minPayout: atLeast(quote.totalCost) };
  return { order, body, idempotencyKey: newIdempotencyKey(), sentAt: Date.now() };
}

/** An order in words, such as "Buy $25.00 of YES". */
export function orderInWords({ side, action, size }: OrderChoice): string {
  return action === 'buy' ? `Buy ${usd(size)} of ${side}` : `Sell ${count(size)} ${side}`;
}

export function quoteRows({ side, action }: OrderChoice, quote: QuoteView, priceNow: number): HTMLElement[] {
  const after = side === 'YES' ? quote.yesPriceAfter : quote.noPriceAfter;
  const rows: [string, string][] =
    action === 'buy'
      ? [
          ['Shares', count(quote.shares)],
          [`Paid if ${side}`, usd(quote.shares)],
        ]
      : [['You receive', usd(quote.totalCost)]];
  rows.push(
    ['Average price', percent(quote.pricePerShare)],
    ['Fee in it', usd(quote.fee)],
    ['Price afterwards', `${percent(after)} (now ${percent(priceNow)})`],
  );
  return rows.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
}
