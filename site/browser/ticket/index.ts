/** The order form: it shows a quote while the trader types, and sends an order on submit. */
import type { PriceView, QuoteView } from '../../../src/index';
import type { ExecutedTrade } from '../../../src/client';
import { confirmed } from '../confirm';
import { openDialog } from '../connect-dialog';
import { fillOrder, newOrder, orderInWords, quoteQuery, quoteRows, readOrder } from './order-form';
import { NOT_KNOWN, orderSender, TOO_OLD, type OrderSender } from './order-sender';
import { maySendAgain } from './order-state';
import { count, find, localTime, messageOf, onSubmit, show, usd } from '../dom';
import { placeOrder } from './place-order';
import { pendingOrdersOf, type OrderChoice, type PendingOrder } from './pending-order';
import { windowsPlace } from '../windows-place';
import { currentSession, onSession, refreshSession } from '../session';
import { siteData } from '../site-data';
import { onPositionsChanged, timers, type LivePage } from '../live';
import { atMostEvery } from '../live/at-most-every';
import { startQuickSizes, startSlippage, tell } from './aids';
import { startHeld, type Held } from './held-positions';
import { isWithinBounds, slippagePercent } from './slippage';

const QUOTE_DELAY_MS = 200;
/** A moving price makes the form ask for a new quote at most once in this time. */
const REQUOTE_MS = 2_000;
/**
 * Messages make the form read the positions at most once in this time. Otherwise a wallet that trades by a
 * program would use up the quota of its key.
 */
const REFRESH_HELD_MS = 5_000;

interface Ticket {
  form: HTMLFormElement;
  marketId: string;
  quote: QuoteView | null;
  /** The newest price that the page knows; null before the page has drawn a price. */
  yesPrice: number | null;
  /** The number of the newest request for a quote. Answers to older requests are dropped. */
  asked: number;
  sender: OrderSender;
  page: LivePage;
  /** Whether the page was live at the last call of `liveChanged`. */
  wasLive: boolean;
}

export function startTicket(form: HTMLFormElement, marketId: string, page: LivePage): TicketHandle {
  const sender = orderSender(pendingOrdersOf(windowsPlace, marketId), (order) => placeOrder(marketId, order));
  const ticket: Ticket = {
    form,
    marketId,
    quote: null,
    yesPrice: null,
    asked: 0,
    sender,
    page,
    wasLive: false,
  };
  askWhileTyping(ticket);
  startQuickSizes(form, marketId, () => void ask(ticket));
  startSlippage(form);
  find('[data-put-aside]', form)?.addEventListener('click', () => void putAside(ticket));
  const held = followHeld(ticket);
  // Another window of this browser may have stored an order, or learnt the outcome of an order.
  addEventListener('storage', () => showStored(ticket));
  onSubmit(
    form,
    () => submit(ticket, held),
    () => render(ticket),
  );
  render(ticket);
  return followPrice(ticket);
}

function askWhileTyping(ticket: Ticket): void {
  let timer = 0;
  ticket.form.addEventListener('input', () => {
    render(ticket);
    clearTimeout(timer);
    timer = window.setTimeout(() => void ask(ticket), QUOTE_DELAY_MS);
  });
}

/** Shows the shares that the wallet holds in this market, and keeps them current. */
function followHeld(ticket: Ticket): Held {
  const { form, marketId } = ticket;
  const held = startHeld(form, marketId, (side, shares) => {
    if (pendingOf(ticket) !== null) return;
    fillOrder(form, { side, action: 'sell', size: shares });
    void ask(ticket);
  });
  const refreshHeld = atMostEvery(timers, REFRESH_HELD_MS, held.refresh);
  onPositionsChanged((changed) => {
    if (changed === null || String(changed) === marketId) refreshHeld();
  });
  let owner: string | null = null;
  onSession((session) => {
    showStored(ticket);
    // A message about the balance is no reason to read the positions again.
    if (session?.address === owner) return;
    owner = session?.address ?? null;
    void held.refresh();
  });
  return held;
}

/** Sends the order, and resolves with the text that the form shows. Without a connected wallet, opens the dialog. */
async function submit(ticket: Ticket, held: Held): Promise<string> {
  const { form, page } = ticket;
  const session = currentSession();
  if (session === null) {
    openDialog();
    return '';
  }
  const checked = pendingOf(ticket) === null ? await checkedOrder(ticket) : null;
  const sent = ticket.sender.send(session.address, () => checked ?? orderOf(ticket));
  render(ticket);
  const trade = await sent;
  form.reset();
  void ask(ticket);
  const shown = page.isLive() ? null : page.refresh();
  await Promise.allSettled([shown, refreshSession(), held.refresh()]);
  return describe(trade);
}

/** Asks for the quote again when the price has moved, and when the page is live again. */
function followPrice(ticket: Ticket): TicketHandle {
  const { form, page } = ticket;
  const requote = atMostEvery(timers, REQUOTE_MS, () => ask(ticket, { keep: true }));
  return {
    priceMoved(yesPrice) {
      ticket.yesPrice = yesPrice;
      if (ticket.quote === null || pendingOf(ticket) !== null) return;
      find('[data-quote]', form)?.classList.add('stale');
      requote();
    },
    liveChanged() {
      const isBack = page.isLive() && !ticket.wasLive;
      ticket.wasLive = page.isLive();
      if (isBack && ticket.quote !== null && pendingOf(ticket) === null) requote();
      showAway(ticket);
    },
  };
}

export interface TicketHandle {
  /** Called when the price has changed, so that the quote in the form may be old. */
  priceMoved(yesPrice: number): void;
  /** Called when `isLive` of the page may have changed. */
  liveChanged(): void;
}

/** Says that the quote may be old while the page is not live. */
function showAway(ticket: Ticket): void {
  const { form, quote, page } = ticket;
  show(find('[data-quote-away]', form), !page.isLive() && quote !== null && pendingOf(ticket) === null);
}

function pendingOf({ sender }: Ticket): PendingOrder | null {
  const state = sender.state();
  return state.kind === 'free' ? null : state.pending;
}

function render(ticket: Ticket): void {
  const { form, quote, sender } = ticket;
  const pending = pendingOf(ticket);
  if (pending !== null) fillOrder(form, pending.order);
  for (const input of form.querySelectorAll<HTMLInputElement>('[name], [data-quick]'))
    input.disabled = pending !== null;
  const { side, action, size } = pending?.order ?? readOrder(form);
  show(find('[data-buy-size]', form), action === 'buy');
  show(find('[data-sell-size]', form), action === 'sell');
  const available = currentSession()?.available;
  const tooLittle = pending === null && action === 'buy' && available !== undefined && size > available;
  show(find('[data-too-little]', form), tooLittle);
  const state = sender.state();
  show(find('[data-put-aside]', form), state.kind === 'unknown');
  showAway(ticket);
  const submit = find<HTMLButtonElement>('[data-submit]', form);
  if (submit === null) return;
  const connected = currentSession() !== null;
  const verb = action === 'buy' ? 'Buy' : 'Sell';
  submit.textContent = connected
    ? `${state.kind === 'unknown' ? `Send again: ${verb}` : verb} ${side}`
    : 'Connect to trade';
  const maySend = state.kind === 'free' ? size > 0 && quote !== null : maySendAgain(state, Date.now());
  submit.disabled = connected && !maySend;
}

/** Asks for the quote of the order in the form, and shows it. */
async function ask(ticket: Ticket, { keep = false } = {}): Promise<void> {
  const { form } = ticket;
  const order = readOrder(form);
  const turn = ++ticket.asked;
  const quoteList = find('[data-quote]', form);
  if (!keep) {
    ticket.quote = null;
    quoteList?.replaceChildren();
  }
  render(ticket);
  if (!(order.size > 0)) return;
  try {
    const price = await readPrice(ticket, order);
    // An older answer may arrive late.
    if (turn !== ticket.asked) return;
    showQuote(ticket, order, price);
    if (pendingOf(ticket) === null) tell(form, '');
  } catch (error) {
    if (turn === ticket.asked) tell(form, messageOf(error), 'bad');
  }
  render(ticket);
}

function readPrice({ marketId, yesPrice }: Ticket, order: OrderChoice): Promise<PriceView> {
  return siteData(`quote?${quoteQuery(marketId, order, yesPrice)}`);
}

function showQuote(ticket: Ticket, order: OrderChoice, { quote, yesPrice, noPrice }: PriceView): void {
  ticket.quote = quote;
  const quoteList = find('[data-quote]', ticket.form);
  quoteList?.classList.remove('stale');
  const priceNow = order.side === 'YES' ? yesPrice : noPrice;
  if (quote !== null) quoteList?.replaceChildren(...quoteRows(order, quote, priceNow));
}

const MOVED =
  'The price has moved since this quote, so nothing was sent. Look at the new one, then send again.';

/**
 * The order as the trader sees it. If the page is not live, the present price is read first. If that price does not fit
 * the bounds of the order, rejects and shows the new quote.
 */
async function checkedOrder(ticket: Ticket): Promise<PendingOrder> {
  const seen = orderOf(ticket);
  if (ticket.page.isLive()) return seen;
  const price = await readPrice(ticket, seen.order);
  if (price.quote !== null && isWithinBounds(seen.body, price.quote)) return seen;
  ticket.asked += 1;
  showQuote(ticket, seen.order, price);
  throw new Error(MOVED);
}

function orderOf({ form, quote }: Ticket): PendingOrder {
  if (quote === null) throw new Error('Wait for the price, then try again.');
  return newOrder(readOrder(form), quote, slippagePercent(localStorage) / 100);
}

/** Shows the order of unknown outcome of the wallet that is connected now. */
function showStored(ticket: Ticket): void {
  const { form, sender } = ticket;
  const before = pendingOf(ticket);
  sender.look(currentSession()?.address ?? null);
  const state = sender.state();
  if (state.kind === 'unknown') tell(form, maySendAgain(state, Date.now()) ? NOT_KNOWN : TOO_OLD, 'bad');
  // The order was decided in another window, or belongs to the wallet that was connected before.
  else if (state.kind === 'free' && before !== null) {
    form.reset();
    tell(form, '');
  }
  render(ticket);
}

/** Puts the order of unknown outcome aside, if the trader confirms. The form can then send another order. */
async function putAside(ticket: Ticket): Promise<void> {
  const { form, sender } = ticket;
  const state = sender.state();
  const address = currentSession()?.address;
  if (state.kind !== 'unknown' || address === undefined) return;
  const { order, sentAt, idempotencyKey } = state.pending;
  const words = `“${orderInWords(order)}” of ${localTime(new Date(sentAt).toISOString())}`;
  const yes = await confirmed({
    title: 'Put this order aside?',
    text: `This does not cancel the order. ${words} may have been executed, or may still be executed. If you then send another order, both can trade.`,
    yes: 'Put it aside',
  });
  // The outcome may have become known while the dialog was open.
  if (!yes || pendingOf(ticket)?.idempotencyKey !== idempotencyKey) return;
  await sender.putAside(address);
  form.reset();
  void ask(ticket);
  render(ticket);
  tell(form, `Put aside. Look in the history of your portfolio for ${words}, now and in some minutes.`);
}

function describe(trade: ExecutedTrade): string {
  const verb = trade.action === 'buy' ? 'Bought' : 'Sold';
  return `${verb} ${count(trade.shares)} ${trade.side} for ${usd(trade.totalCost)}. You now hold ${count(trade.position.shares)}.`;
}
