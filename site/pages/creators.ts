import { CATEGORIES } from '../choices';
import { html } from '../html';
import type { Page } from '../layout';

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
    <input id="display-name" name="displayName" maxlength="50" dir="auto" autocomplete="nickname">
    <label for="statement">What will you ask about?</label>
    <textarea id="statement" name="statement" rows="3" maxlength="1000" dir="auto"></textarea>
    <button class="primary wide">Sign and apply</button>
    <p class="muted">The connected wallet signs the application, which costs nothing.</p>
    <p class="message" role="status" data-message></p>
  </form>
</section>
<section class="panel" aria-labelledby="create-title">
  <h2 id="create-title">2. Ask a question</h2>
  <form data-create>
    <label for="question">Question, answerable by yes or no</label>
    <textarea id="question" name="question" rows="2" maxlength="280" required dir="auto" aria-describedby="question-error"></textarea>
    <p class="message" id="question-error"></p>
    <label for="criteria">How it is resolved</label>
    <textarea id="criteria" name="resolutionCriteria" rows="3" maxlength="1000" required dir="auto" aria-describedby="criteria-error"></textarea>
    <p class="message" id="criteria-error"></p>
    <label for="description">Background (optional)</label>
    <textarea id="description" name="description" rows="2" maxlength="2000" dir="auto" aria-describedby="description-error"></textarea>
    <p class="message" id="description-error"></p>
    <div class="row">
      <div><label for="resolve-date">Trading closes (your time)</label><input id="resolve-date" name="resolveDate" type="datetime-local" required aria-describedby="resolve-date-error"><p class="message" id="resolve-date-error"></p></div>
      <div><label for="category">Category</label><select id="category" name="category">${CATEGORIES.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select></div>
    </div>
    <div role="status"><ul class="advice" aria-label="Advice about your question" data-advice></ul></div>
    <button type="button" class="wide" data-show-preview>See how it will look</button>
    <button class="primary wide">Open the market</button>
    <button type="button" data-forget-market hidden>I have looked: it was not opened</button>
    <p class="message" role="status" data-message></p>
  </form>
</section>
</div>
<section class="panel" aria-labelledby="preview-title" tabindex="-1" data-preview hidden>
  <h2 id="preview-title">How the market will look</h2>
  <p class="muted" role="status" data-preview-note></p>
  <div data-preview-place></div>
</section>
<section class="panel" aria-labelledby="own-title" data-own-markets hidden>
  <h2 id="own-title">Your markets</h2>
  <div data-own-list></div>
</section>
<noscript><p class="notice">These forms need JavaScript. The API does not.</p></noscript>`,
  };
}
