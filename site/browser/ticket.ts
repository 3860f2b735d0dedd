/** The order ticket: a quote while one types, an order when one submits. */
import type { ExecutedTradeView, PositionListView, PriceView, QuoteView } from '../../src/index';
import { api, randomName, Refusal, siteData } from './api';
import { count, element, find, messageOf, onSubmit, percent, say, show, usd } from './page';
import { currentSession, onSession, openDialog, refreshSession } from './session';

const SLIPPAGE = 0.02;
const QUOTE_DELAY_MS = 200;

interface Order {
  side: 'YES' | 'NO';
  action: 'buy' | 'sell';
  /** USD for a buy, shares for a sell. */
  size: number;
}

export function startTicket(form: HTMLFormElement, marketId: string, refreshPage: () => Promise<void>): void {
  const submit = find<HTMLButtonElement>('[data-submit]', form);
  const quoteList = find('[data-quote]', form);
  const message = find('[data-message]', form);
  let quote: QuoteView | null = null;
  let asked = 0;
  let timer = 0;
  // One name an order: if the answer is lost on its way, sending it again does not trade twice.
  let pending: { order: string; name: string } | null = null;

  const render = (): void => {
    const { side, action, size } = read(form);
    show(find('[data-buy-size]', form), action === 'buy');
    show(find('[data-sell-size]', form), action === 'sell');
    if (submit === null) return;
    const connected = currentSession() !== null;
    submit.textContent = connected ? `${action === 'buy' ? 'Buy' : 'Sell'} ${side}` : 'Connect to trade';
    submit.disabled = connected && !(size > 0 && quote !== null);
  };
  const ask = async (): Promise<void> => {
    const order = read(form);
    const turn = ++asked;
    quote = null;
    quoteList?.replaceChildren();
    render();
    if (!(order.size > 0)) return;
    try {
      const answer = await siteData<PriceView>(`quote?${quoteQuery(marketId, order)}`);
      // An older answer may come in late.
      if (turn !== asked) return;
      quote = answer.quote;
      quoteList?.replaceChildren(...quoteRows(order, quote));
      say(message, '');
    } catch (error) {
      if (turn === asked) say(message, messageOf(error), 'bad');
    }
    render();
  };

  form.addEventListener('input', () => {
    render();
    clearTimeout(timer);
    timer = window.setTimeout(() => void ask(), QUOTE_DELAY_MS);
  });
  find('[data-sell-all]', form)?.addEventListener('click', () => void fillAll(form, marketId).then(ask));
  onSession(render);
  onSubmit(
    form,
    async () => {
      if (currentSession() === null) {
        openDialog();
        return '';
      }
      const body = orderBody(read(form), quote);
      const order = JSON.stringify(body);
      pending = pending?.order === order ? pending : { order, name: randomName() };
      const trade = await place(marketId, body, pending.name).catch((error: unknown) => {
        if (error instanceof Refusal && error.status !== 0 && error.status < 500) pending = null;
        throw error;
      });
      pending = null;
      form.reset();
      void ask();
      await Promise.allSettled([refreshPage(), refreshSession()]);
      return describe(trade);
    },
    render,
  );
  render();
}

function read(form: HTMLFormElement): Order {
  const fields = new FormData(form);
  const action = fields.get('action') === 'sell' ? 'sell' : 'buy';
  const typed = fields.get(action === 'sell' ? 'shares' : 'amount');
  const size = Number((typeof typed === 'string' ? typed : '').replace(/[,\s$]/g, ''));
  return { side: fields.get('side') === 'NO' ? 'NO' : 'YES', action, size: Number.isFinite(size) ? size : 0 };
}

function quoteQuery(market: string, { side, action, size }: Order): string {
  const sizeName = action === 'buy' ? 'amount' : 'shares';
  return new URLSearchParams({ market, side, action, [sizeName]: String(size) }).toString();
}

/** Bounds are rounded in the trader's favour to the six decimals that the API takes. */
function orderBody({ side, action, size }: Order, quote: QuoteView | null): object {
  if (quote === null) throw new Error('Wait for the price, then try again.');
  const atLeast = (value: number): number => Math.ceil(value * (1 - SLIPPAGE) * 1e6) / 1e6;
  return action === 'buy'
    ? { side, action, amount: size, minShares: atLeast(quote.shares) }
    : { side, action, shares: size, minPayout: atLeast(quote.totalCost) };
}

function place(marketId: string, body: object, idempotencyKey: string): Promise<ExecutedTradeView> {
  return api<ExecutedTradeView>('POST', `/public/markets/${marketId}/trade`, { body, idempotencyKey });
}

function describe(trade: ExecutedTradeView): string {
  const verb = trade.action === 'buy' ? 'Bought' : 'Sold';
  return `${verb} ${count(trade.shares)} ${trade.side} for ${usd(trade.totalCost)}. You now hold ${count(trade.position.shares)}.`;
}

function quoteRows({ side, action }: Order, quote: QuoteView | null): HTMLElement[] {
  if (quote === null) return [];
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
    ['Price afterwards', percent(after)],
  );
  return rows.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
}

async function fillAll(form: HTMLFormElement, marketId: string): Promise<void> {
  const input = find<HTMLInputElement>('[name=shares]', form);
  const { side } = read(form);
  const { positions } = await api<PositionListView>('GET', '/public/positions?limit=100');
  const held = positions.find((position) => String(position.marketId) === marketId && position.side === side);
  if (input !== null) input.value = String(held?.shares ?? 0);
}
