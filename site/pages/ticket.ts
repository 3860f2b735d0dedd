/** The order ticket: a form for the browser, and an example of an order as an API call. */
import type { MarketDetailView } from '../../src/index';
import { percent } from '../format';
import { html, type SafeHtml } from '../html';
import type { View } from '../layout';
import { confirmDialog } from './confirm-dialog';

/** The order with which the form begins. */
export interface Preset {
  side: 'YES' | 'NO';
  action: 'buy' | 'sell';
}

/** Other pages link to a market with `?side=NO&action=sell`. */
export function readPreset(query: URLSearchParams): Preset {
  return {
    side: query.get('side') === 'NO' ? 'NO' : 'YES',
    action: query.get('action') === 'sell' ? 'sell' : 'buy',
  };
}

export function orderTicket(view: View, market: MarketDetailView, preset: Preset): SafeHtml {
  const { side, action } = preset;
  if (market.status !== 'open') {
    return html`<section class="panel"><h2>Trading is closed</h2><p class="muted">${market.status === 'resolved' ? 'Positions have been paid out; see the portfolio.' : 'Positions are paid out when the market is resolved.'}</p><p><a href="${view.base}/portfolio">To the portfolio</a></p></section>`;
  }
  return html`<section class="panel ticket" aria-labelledby="ticket-title">
  <h2 id="ticket-title">Trade</h2>
  <form data-ticket autocomplete="off">
    <div data-held hidden></div>
    <fieldset class="segments"><legend class="hidden">What to do</legend>
      ${segment('action', 'buy', 'Buy', action === 'buy')}${segment('action', 'sell', 'Sell', action === 'sell')}
    </fieldset>
    <fieldset class="segments sides"><legend class="hidden">Which side</legend>
      ${segment('side', 'YES', `YES ${percent(market.yesPrice)}`, side === 'YES')}${segment('side', 'NO', `NO ${percent(market.noPrice)}`, side === 'NO')}
    </fieldset>
    <div data-buy-size${action === 'sell' && html` hidden`}><label for="ticket-amount">Amount in USD, fee included</label>
      <input id="ticket-amount" name="amount" inputmode="decimal" placeholder="10.00" aria-describedby="ticket-quote">
      ${quickSizes('Quick amounts', BUY_SIZES)}</div>
    <div data-sell-size${action === 'buy' && html` hidden`}><label for="ticket-shares">Shares</label>
      <input id="ticket-shares" name="shares" inputmode="decimal" placeholder="10" aria-describedby="ticket-quote">
      ${quickSizes('Part of your shares', SELL_SIZES)}</div>
    <div role="status" id="ticket-quote"><dl class="facts quote" data-quote></dl>
      <p class="notice" data-quote-away hidden>The page is not live, so this quote may be old. It is asked for again before your order is sent.</p></div>
    <button class="primary wide" data-submit disabled>Connect to trade</button>
    <button type="button" class="secondary wide" data-put-aside hidden>Put this order aside…</button>
    <p class="notice" data-too-little hidden>This is more than your balance. <a href="${view.base}/portfolio">Deposit</a></p>
    <p class="message" role="status" data-message></p>
    <details><summary>If the price moves</summary>
      <label for="ticket-slippage">Do not execute an order that gets this many percent less than shown (0.1 to 20)</label>
      <input id="ticket-slippage" type="number" min="0.1" max="20" step="0.1" value="2" required data-slippage>
    </details>
  </form>
  <noscript><p class="notice">The form needs JavaScript. The API below does not.</p></noscript>
  ${apiExample(view, market)}
</section>
${confirmDialog()}`;
}

const BUY_SIZES: readonly [string, string][] = [
  ['5', '$5'],
  ['25', '$25'],
  ['100', '$100'],
  ['max', 'Max'],
];
const SELL_SIZES: readonly [string, string][] = [
  ['25', '25%'],
  ['50', '50%'],
  ['100', 'All'],
];

function quickSizes(label: string, sizes: readonly [string, string][]): SafeHtml {
  return html`<div class="quick-sizes" role="group" aria-label="${label}">${sizes.map(([size, text]) => html`<button type="button" class="secondary" data-quick="${size}">${text}</button>`)}</div>`;
}

function segment(name: string, value: string, text: string, checked: boolean): SafeHtml {
  return html`<label class="segment ${value.toLowerCase()}"><input type="radio" name="${name}" value="${value}"${checked && html` checked`}><span data-label="${value}">${text}</span></label>`;
}

function apiExample(view: View, market: MarketDetailView): SafeHtml {
  const { base, apiUrl } = view;
  return html`<details><summary>Trade through the API</summary>
<pre><code>curl "${apiOrigin(view)}${apiUrl}/public/markets/${market.id}/trade" \\
  -H "X-API-Key: $API_KEY" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d '{ "side": "YES", "amount": 10 }'</code></pre>
<p class="muted"><code>$API_KEY</code> is a key that your wallet issues on the page <a href="${base}/keys">API keys</a>. The <a href="${apiUrl}/docs#auth">API reference</a> says how a program gets one.</p>
</details>`;
}

/** What stands before `apiUrl` in the example. Without `siteUrl`, the script of the page fills in the origin. */
function apiOrigin({ apiUrl, siteUrl }: View): SafeHtml | string {
  if (!apiUrl.startsWith('/')) return '';
  return siteUrl === '' ? html`<span data-origin></span>` : new URL(siteUrl).origin;
}
