/** The order ticket: a form for the browser, and the same order as an API call. */
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
    return html`<section class="panel"><h2>Trading is closed</h2><p class="muted">${market.status === 'resolved' ? 'Winners have been paid; see the portfolio.' : 'Positions are paid out when the market is resolved.'}</p><p><a href="${view.base}/portfolio">To the portfolio</a></p></section>`;
  }
  return html`<section class="panel ticket" aria-labelledby="ticket-title">
  <h2 id="ticket-title">Trade</h2>
  <form data-ticket autocomplete="off">
    <fieldset class="segments"><legend class="hidden">What to do</legend>
      ${segment('action', 'buy', 'Buy', action === 'buy')}${segment('action', 'sell', 'Sell', action === 'sell')}
    </fieldset>
    <fieldset class="segments sides"><legend class="hidden">Which side</legend>
      ${segment('side', 'YES', `Yes ${percent(market.yesPrice)}`, side === 'YES')}${segment('side', 'NO', `No ${percent(market.noPrice)}`, side === 'NO')}
    </fieldset>
    <div data-buy-size${action === 'sell' && html` hidden`}><label for="ticket-amount">Amount in USD, fee included</label>
      <input id="ticket-amount" name="amount" inputmode="decimal" placeholder="10.00" aria-describedby="ticket-quote"></div>
    <div data-sell-size${action === 'buy' && html` hidden`}><label for="ticket-shares">Shares</label>
      <div class="row"><input id="ticket-shares" name="shares" inputmode="decimal" placeholder="10" aria-describedby="ticket-quote"><button type="button" class="secondary" data-sell-all>All</button></div></div>
    <div role="status" id="ticket-quote"><dl class="facts quote" data-quote></dl></div>
    <button class="primary wide" data-submit disabled>Connect to trade</button>
    <button type="button" class="secondary wide" data-put-aside hidden>Put this order aside…</button>
    <p class="muted">An order that would get over 2% less than shown is not executed.</p>
    <p class="message" role="status" data-message></p>
  </form>
  <noscript><p class="notice">The form needs JavaScript. The API below does not.</p></noscript>
  ${apiExample(view, market)}
</section>
${confirmDialog()}`;
}

function segment(name: string, value: string, text: string, checked: boolean): SafeHtml {
  return html`<label class="segment ${value.toLowerCase()}"><input type="radio" name="${name}" value="${value}"${checked && html` checked`}><span data-label="${value}">${text}</span></label>`;
}

function apiExample(view: View, market: MarketDetailView): SafeHtml {
  const address = `${view.apiUrl}/public/markets/${market.id}/trade`;
  return html`<details><summary>Trade through the API</summary>
<pre><code>curl "${view.apiUrl.startsWith('/') ? view.siteUrl + address : address}" \\
  -H "X-API-Key: $API_KEY" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d '{ "side": "YES", "amount": 10 }'</code></pre>
</details>`;
}
