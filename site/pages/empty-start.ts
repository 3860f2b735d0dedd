/** The start page while no market is open. It tells the reader and the operator what to do next. */
import { html, type SafeHtml } from '../html';
import type { View } from '../layout';
import type { Operators } from './operators';

/** `operators`: null if the site has no operators' pages. */
export function emptyStart(view: View, operators: Operators | null): SafeHtml {
  return view.playMoney ? sampleHint(view, operators) : firstMarketHint(view, operators);
}

function sampleHint({ base }: View, operators: Operators | null): SafeHtml {
  return html`<section class="panel" data-empty-start aria-labelledby="sample-title">
  <h2 id="sample-title">Fill it with sample markets</h2>
  <p>There is nothing to trade here yet. If you run this server, you can fill it with a dozen made-up markets and weeks of trades.</p>
  ${operators?.sampleMarkets === true ? byButton(base) : byCommand()}
</section>`;
}

function byButton(base: string): SafeHtml {
  return html`<p><a href="${base}/operators">Go to the operators’ page</a> and press “Fill with sample markets”. The terminal in which the server was started shows an address that signs you in.</p>
  <p class="muted">Without a browser: stop the server, run <code>npm run sample</code>, and start it again.</p>`;
}

function byCommand(): SafeHtml {
  return html`<ol><li>Stop the server.</li><li>Run <code>npm run sample</code>, or <code>npx express-prediction-market sample</code> where the package is installed.</li><li>Start the server again.</li></ol>`;
}

function firstMarketHint({ base }: View, operators: Operators | null): SafeHtml {
  const pages =
    operators === null ? html`operators’ routes` : html`<a href="${base}/operators">pages for operators</a>`;
  return html`<section class="panel" data-empty-start aria-labelledby="first-market-title">
  <h2 id="first-market-title">No market is open yet</h2>
  <p>Approved creators open markets. <a href="${base}/creators">Apply as a creator</a> and open the next one there, or come back later.</p>
  <p>If you run this server: approve creators on the ${pages}, and put money into the treasury, out of which winners are paid when a market costs the house.</p>
</section>`;
}
