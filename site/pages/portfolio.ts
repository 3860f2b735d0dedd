/** The portfolio. The browser fills it in, because the server does not know the wallet. */
import { html } from '../html';
import type { Page, View } from '../layout';
import { connectNotice } from './connect-notice';

export function portfolioPage(view: View): Page {
  return {
    status: 200,
    title: 'Portfolio',
    section: 'portfolio',
    script: 'portfolio',
    body: html`
<div class="heading"><h1>Portfolio</h1></div>
${connectNotice('Connect a wallet or paste an API key to see balance, positions and history.')}
<div data-portfolio hidden>
  <dl class="facts panel" data-balance></dl>
  <section class="panel" aria-labelledby="positions-title"><h2 id="positions-title">Open positions</h2><div data-positions></div></section>
  <section class="panel" aria-labelledby="closed-title"><h2 id="closed-title">Closed positions</h2><div data-closed></div></section>
  <section class="panel" aria-labelledby="history-title"><h2 id="history-title">History</h2><div data-history></div></section>
  <p class="message" role="status" data-message></p>
  <p class="muted">Profit and loss by average cost, fees included. <a href="${view.base}/">Find a market</a></p>
</div>`,
  };
}
