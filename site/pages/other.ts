/** The pages that the browser fills in, and the error pages. */
import { CATEGORIES } from '../choices';
import { html, type SafeHtml } from '../html';
import type { Page, View } from '../layout';

function connectNotice(text: string): SafeHtml {
  return html`<div class="panel empty" data-needs-key><p>${text}</p><p><button type="button" class="primary" data-session-open>Connect</button></p><noscript><p class="notice">This page needs JavaScript.</p></noscript></div>`;
}

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

export function creatorsPage(): Page {
  return {
    status: 200,
    title: 'Create a market',
    section: 'creators',
    script: 'creators',
    description: 'Approved creators open markets and receive 0.5% of every trade on them.',
    canonicalPath: '/creators',
    body: html`
<div class="heading"><h1>Create a market</h1></div>
<p class="lead">Approved creators open markets and receive 0.5% of every trade on them. Applications are reviewed within 24 hours.</p>
<div class="columns">
<section class="panel" aria-labelledby="apply-title">
  <h2 id="apply-title">1. Become a creator</h2>
  <p data-creator-status class="notice" role="status">The status of your wallet is shown here once you connect.</p>
  <form data-apply>
    <label for="display-name">Name shown on your markets</label>
    <input id="display-name" name="displayName" maxlength="50" autocomplete="nickname">
    <label for="statement">What will you ask about?</label>
    <textarea id="statement" name="statement" rows="3" maxlength="1000"></textarea>
    <button class="primary wide">Sign and apply</button>
    <p class="muted">Needs the browser wallet: the application is signed.</p>
    <p class="message" role="status" data-message></p>
  </form>
</section>
<section class="panel" aria-labelledby="create-title">
  <h2 id="create-title">2. Ask a question</h2>
  <form data-create>
    <label for="question">Question, answerable by yes or no</label>
    <textarea id="question" name="question" rows="2" maxlength="280" required dir="auto"></textarea>
    <label for="criteria">How it is resolved</label>
    <textarea id="criteria" name="resolutionCriteria" rows="3" maxlength="1000" required dir="auto"></textarea>
    <label for="description">Background (optional)</label>
    <textarea id="description" name="description" rows="2" maxlength="2000" dir="auto"></textarea>
    <div class="row">
      <div><label for="resolve-date">Trading closes (your time)</label><input id="resolve-date" name="resolveDate" type="datetime-local" required></div>
      <div><label for="category">Category</label><select id="category" name="category">${CATEGORIES.map(([value]) => html`<option>${value}</option>`)}</select></div>
    </div>
    <button class="primary wide">Open the market</button>
    <p class="message" role="status" data-message></p>
  </form>
</section>
</div>
<noscript><p class="notice">These forms need JavaScript. The API does not.</p></noscript>`,
  };
}

export function notFoundPage(view: View, text: string): Page {
  return {
    status: 404,
    title: 'Not found',
    body: html`<div class="empty"><h1>Not found</h1><p>${text}</p><p><a href="${view.base}/">To the markets</a></p></div>`,
  };
}

export function unavailablePage(view: View, retryAfterSeconds: number): Page {
  return {
    status: 503,
    title: 'Back in a moment',
    headers: { 'Retry-After': String(retryAfterSeconds) },
    body: html`<div class="empty"><h1>Back in a moment</h1><p>The market cannot be reached right now.</p><p><a href="${view.base}/">Try again</a></p></div>`,
  };
}
