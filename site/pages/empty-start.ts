/** What the start page says while no market is open: what comes next, for a reader and for the operator. */
import { html, type SafeHtml } from '../html';
import type { View } from '../layout';

/** What the host offers to operators. */
export interface OperatorsOffer {
  /** Whether the site has the pages for operators. */
  hasPages: boolean;
}

export function emptyStart(view: View, offer: OperatorsOffer): SafeHtml {
  return view.playMoney ? sampleHint() : firstMarketHint(view, offer);
}

function sampleHint(): SafeHtml {
  return html`<section class="panel" data-empty-start aria-labelledby="sample-title">
  <h2 id="sample-title">Fill it with sample markets</h2>
  <p>There is nothing to trade here yet. The operator of this server can fill its empty database with a dozen made-up markets and weeks of trades:</p>
  <ol><li>Stop the server.</li><li>Run <code>npm run sample</code>, or <code>npx express-prediction-market sample</code> where the package is installed.</li><li>Start the server again.</li></ol>
  <p>Do this before you get play money: the database may hold no wallet yet.</p>
</section>`;
}

function firstMarketHint({ base }: View, { hasPages }: OperatorsOffer): SafeHtml {
  const operators = hasPages
    ? html`<a href="${base}/operators">pages for operators</a>`
    : html`operators' routes`;
  return html`<section class="panel" data-empty-start aria-labelledby="first-market-title">
  <h2 id="first-market-title">No market is open yet</h2>
  <p>Approved creators open markets. <a href="${base}/creators">Apply as a creator</a> and open the next one there, or come back later.</p>
  <p>If you run this server: approve creators on the ${operators}, and put money into the treasury, out of which winners are paid when a market costs the house.</p>
</section>`;
}
