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
<div class="heading"><h1>Portfolio</h1><p><a href="${view.base}/keys">API keys</a></p></div>
${connectNotice('Connect a wallet or paste an API key to see balance, positions and history.')}
<div data-portfolio hidden>
  <dl class="facts panel" data-balance></dl>
  <section class="panel" aria-labelledby="value-title" data-value hidden>
    <h2 id="value-title">Value over time</h2>
    <div class="chart-frame" data-value-chart></div>
    <div class="chart-foot" data-value-foot></div>
    <p class="muted">Balance and positions together. Between your trades, a position counts at the price of your last trade of it; the last point is what it would sell for now. Fees that you earn as a creator count from the beginning.</p>
    <p class="muted" data-value-cut hidden>Your account has more rows than this page reads, so the line begins later than your account.</p>
    <details><summary>Values as a table</summary><div data-value-table></div></details>
  </section>
  <p class="notice" data-cannot-sign hidden></p>
  <div class="columns">
  <section class="panel" aria-labelledby="deposit-title"><h2 id="deposit-title">Deposit</h2>
    <form data-deposit autocomplete="off">
      <label for="deposit-amount">Amount to deposit in USD</label>
      <input id="deposit-amount" name="amount" inputmode="decimal" placeholder="25.00" required>
      <button class="primary wide">Sign and deposit</button>
      <button type="button" class="wide" data-forget-pending hidden>Forget this payment</button>
      <p class="muted">Your wallet signs a payment of exactly this amount in USDC.</p>
      <p class="message" role="status" data-message></p>
    </form></section>
  <section class="panel" aria-labelledby="withdraw-title"><h2 id="withdraw-title">Withdraw</h2>
    <form data-withdraw autocomplete="off">
      <label for="withdraw-amount">Amount to withdraw in USD</label>
      <input id="withdraw-amount" name="amount" inputmode="decimal" placeholder="25.00" required>
      <button class="primary wide">Sign and withdraw</button>
      <button type="button" class="wide" data-forget-pending hidden>Forget this withdrawal</button>
      <p class="muted">It goes to your own wallet. Usually at least $1, and at most 5 under way.</p>
      <p class="message" role="status" data-message></p>
    </form></section>
  </div>
  <section class="panel" aria-labelledby="withdrawals-title"><h2 id="withdrawals-title">Withdrawals</h2><div data-withdrawals></div></section>
  <div data-holdings></div>
  <section class="panel" aria-labelledby="history-title" data-history-section>
    <div class="panel-head"><h2 id="history-title">History</h2><div class="buttons"><button type="button" data-csv>Make a CSV file</button><a data-csv-file hidden>Download again</a></div></div>
    <p class="message" role="status" data-csv-message></p>
    <form class="history-filter" data-filter>
      <div><label for="filter-kind">What</label><select id="filter-kind" name="kind"><option value="">All</option><option value="buy">Bought</option><option value="sell">Sold</option><option value="settlement">Paid out</option></select></div>
      <div><label for="filter-market">Market</label><select id="filter-market" name="market"><option value="">All markets</option></select></div>
      <div><label for="filter-from">From</label><input id="filter-from" name="from" type="date"></div>
      <div><label for="filter-to">To</label><input id="filter-to" name="to" type="date"></div>
    </form>
    <div data-history></div>
  </section>
  <p class="muted">Profit by average cost, fees included. <a href="${view.base}/">Find a market</a></p>
</div>`,
  };
}
