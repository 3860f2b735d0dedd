/** The order form: it shows a quote while the trader types, and sends an order on submit. */
import type { ExecutedTradeView, PriceView, QuoteView } from '../../src/index';
import { api, randomName, siteData } from './api';
import { client } from './client';
import { openDialog } from './connect-dialog';
import { count, element, find, messageOf, onSubmit, percent, say, show, usd } from './page';
import { pendingOrders, tellsOutcome, type Order, type PendingOrder } from './pending-order';
import { currentSession, onSession, refreshSession } from './session';

const SLIPPAGE = 0.02;
const QUOTE_DELAY_MS = 200;

const NOT_KNOWN =
  'It is not known yet whether this order was executed. Send it again: it is executed once at most.';
const TOO_OLD = 'Whether your last order here was executed was never known. Look at your portfolio.';

interface Ticket {
  form: HTMLFormElement;
  marketId: string;
  quote: QuoteView | null;
  /** How many quotes were asked for. Only the answer to the newest question is shown. */
  asked: number;
  sending: boolean;
  /** An order that was sent and has an unknown outcome. Until it is known, the form sends no other order. */
  pending: PendingOrder | null;
}

export function startTicket(form: HTMLFormElement, marketId: string, refreshPage: () => Promise<void>): void {
  const ticket: Ticket = { form, marketId, quote: null, asked: 0, sending: false, pending: null };
  let timer = 0;
  form.addEventListener('input', () => {
    render(ticket);
    clearTimeout(timer);
    timer = window.setTimeout(() => void ask(ticket), QUOTE_DELAY_MS);
  });
  find('[data-sell-all]', form)?.addEventListener(
    'click',
    () =>
      void fillAll(form, marketId).then(
        () => ask(ticket),
        (error: unknown) => tell(form, messageOf(error), 'bad'),
      ),
  );
  onSession((session) => showPending(ticket, session?.address ?? null));
  onSubmit(
    form,
    async () => {
      const session = currentSession();
      if (session === null) {
        openDialog();
        return '';
      }
      const trade = await send(ticket, session.address);
      form.reset();
      void ask(ticket);
      await Promise.allSettled([refreshPage(), refreshSession()]);
      return describe(trade);
    },
    () => render(ticket),
  );
  render(ticket);
}

function tell(form: HTMLFormElement, text: string, kind: 'bad' | '' = ''): void {
  say(find('[data-message]', form), text, kind);
}

function render({ form, pending, quote }: Ticket): void {
  if (pending !== null) fill(form, pending.order);
  for (const input of form.querySelectorAll<HTMLInputElement>('input, [data-sell-all]'))
    input.disabled = pending !== null;
  const { side, action, size } = pending?.order ?? read(form);
  show(find('[data-buy-size]', form), action === 'buy');
  show(find('[data-sell-size]', form), action === 'sell');
  const submit = find<HTMLButtonElement>('[data-submit]', form);
  if (submit === null) return;
  const connected = currentSession() !== null;
  const verb = action === 'buy' ? 'Buy' : 'Sell';
  submit.textContent = connected
    ? `${pending === null ? verb : `Send again: ${verb}`} ${side}`
    : 'Connect to trade';
  submit.disabled = connected && pending === null && !(size > 0 && quote !== null);
}

/** Asks for the quote of the order in the form, and shows it. */
async function ask(ticket: Ticket): Promise<void> {
  const { form, marketId } = ticket;
  const order = read(form);
  const turn = ++ticket.asked;
  const quoteList = find('[data-quote]', form);
  ticket.quote = null;
  quoteList?.replaceChildren();
  render(ticket);
  if (!(order.size > 0)) return;
  try {
    const { quote } = await siteData<PriceView>(`quote?${quoteQuery(marketId, order)}`);
    // An older answer may arrive late.
    if (turn !== ticket.asked) return;
    ticket.quote = quote;
    quoteList?.replaceChildren(...quoteRows(order, quote));
    tell(form, '');
  } catch (error) {
    if (turn === ticket.asked) tell(form, messageOf(error), 'bad');
  }
  render(ticket);
}

/** Sends the pending order again, or the order in the form with a new key. */
async function send(ticket: Ticket, address: string): Promise<ExecutedTradeView> {
  const { form, marketId } = ticket;
  const stored = pendingOrders.get(marketId, address);
  const again = stored !== null && stored !== 'expired';
  const sent = again ? stored : newOrder(form, ticket.quote);
  pendingOrders.set(marketId, address, sent);
  ticket.sending = true;
  try {
    const trade = await place(marketId, sent);
    pendingOrders.clear(marketId, address);
    ticket.pending = null;
    return trade;
  } catch (error) {
    const known = tellsOutcome(error, again);
    if (known) pendingOrders.clear(marketId, address);
    ticket.pending = known ? null : sent;
    throw known ? error : new Error(`${messageOf(error)} ${NOT_KNOWN}`, { cause: error });
  } finally {
    ticket.sending = false;
  }
}

/** Shows the pending order of the wallet that is connected now. */
function showPending(ticket: Ticket, address: string | null): void {
  const { form, marketId, sending } = ticket;
  const found = address === null ? null : pendingOrders.get(marketId, address);
  if (address !== null && found === 'expired') {
    pendingOrders.clear(marketId, address);
    tell(form, TOO_OLD, 'bad');
  }
  // While an order is being sent, the stored order is that order.
  if (!sending) {
    ticket.pending = found === 'expired' ? null : found;
    if (ticket.pending !== null) tell(form, NOT_KNOWN, 'bad');
  }
  render(ticket);
}

function read(form: HTMLFormElement): Order {
  const fields = new FormData(form);
  const action = fields.get('action') === 'sell' ? 'sell' : 'buy';
  const typed = fields.get(action === 'sell' ? 'shares' : 'amount');
  const size = Number((typeof typed === 'string' ? typed : '').replace(/[,\s$]/g, ''));
  return { side: fields.get('side') === 'NO' ? 'NO' : 'YES', action, size: Number.isFinite(size) ? size : 0 };
}

function fill(form: HTMLFormElement, { side, action, size }: Order): void {
  const set = (selector: string, change: (input: HTMLInputElement) => void): void => {
    const input = find<HTMLInputElement>(selector, form);
    if (input !== null) change(input);
  };
  set(`[name=side][value=${side}]`, (input) => (input.checked = true));
  set(`[name=action][value=${action}]`, (input) => (input.checked = true));
  set(`[name=${action === 'buy' ? 'amount' : 'shares'}]`, (input) => (input.value = String(size)));
}

function quoteQuery(market: string, { side, action, size }: Order): string {
  const sizeName = action === 'buy' ? 'amount' : 'shares';
  return new URLSearchParams({ market, side, action, [sizeName]: String(size) }).toString();
}

/** Bounds are rounded in the trader's favour to six decimals, as the API requires. */
function orderBody({ side, action, size }: Order, quote: QuoteView | null): object {
  if (quote === null) throw new Error('Wait for the price, then try again.');
  const atLeast = (value: number): number => Math.ceil(value * (1 - SLIPPAGE) * 1e6) / 1e6;
  return action === 'buy'
    ? { side, action, amount: size, minShares: atLeast(quote.shares) }
    : { side, action, shares: size, minPayout: atLeast(quote.totalCost) };
}

function newOrder(form: HTMLFormElement, quote: QuoteView | null): PendingOrder {
  const order = read(form);
  return { order, body: orderBody(order, quote), idempotencyKey: randomName(), sentAt: Date.now() };
}

async function place(marketId: string, { body, idempotencyKey }: PendingOrder): Promise<ExecutedTradeView> {
  const path = `/public/markets/${marketId}/trade`;
  const trade = await api<Partial<ExecutedTradeView>>('POST', path, { body, idempotencyKey });
  // The answer was cut off. When the same order is sent again, the service repeats the whole answer.
  if (!isWhole(trade)) throw new Error('The answer did not arrive whole.');
  return trade;
}

function isWhole(trade: Partial<ExecutedTradeView>): trade is ExecutedTradeView {
  return trade.id !== undefined && trade.position !== undefined;
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

/** Fills in all shares of the chosen side. The server says how many: a position that it does not list is none. */
async function fillAll(form: HTMLFormElement, marketId: string): Promise<void> {
  const input = find<HTMLInputElement>('[name=shares]', form);
  const { side } = read(form);
  let held = 0;
  for await (const position of client.account.allPositions({ status: 'open' }))
    if (String(position.marketId) === marketId && position.side === side) held = position.shares;
  if (input !== null) input.value = String(held);
}
