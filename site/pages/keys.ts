import type { Scope } from '../../src/index';
import { html, type SafeHtml } from '../html';
import { confirmDialog } from './confirm-dialog';
import type { Page } from '../layout';
import { connectNotice } from './connect-notice';

/** What a key may do, in the order of the form. */
const SCOPE_TEXTS: Record<Scope, string> = {
  'markets:read': 'Read markets, prices and trades',
  'account:read': 'Read your balance, positions and history',
  'trades:create': 'Buy and sell with your balance',
  'markets:create': 'Open markets, once you are a creator',
  'account:withdraw': 'Withdraw to your own wallet, and to no other',
};

export function keysPage(): Page {
  return {
    status: 200,
    title: 'API keys',
    section: 'portfolio',
    script: 'keys',
    body: html`
<div class="heading"><h1>API keys</h1></div>
<p class="lead">A program trades for your wallet with a key, and so does this browser. Your wallet signs for each key, which costs nothing. It can end a key at any time.</p>
${connectNotice('Connect a wallet to see its keys, to issue one, or to end one.')}
<div data-keys hidden>
  <p class="notice" data-cannot-sign hidden></p>
  <section class="panel" aria-labelledby="keys-title"><h2 id="keys-title">Keys in use</h2><div data-key-list></div><p class="message" role="status" data-list-message></p></section>
  <section class="panel" aria-labelledby="secret-title" data-secret hidden>
    <h2 id="secret-title" tabindex="-1">Your new key</h2>
    <p class="notice">It is shown this once and is stored nowhere but with you. Copy it now.</p>
    <label for="secret">API key</label>
    <div class="row"><input id="secret" class="mono" readonly autocomplete="off" spellcheck="false"><button type="button" data-copy>Copy</button></div>
    <p class="message" role="status" data-copy-message></p>
    <button type="button" data-secret-done>I have stored it</button>
  </section>
  <section class="panel" aria-labelledby="issue-title"><h2 id="issue-title">Issue a key</h2>
    <form data-issue autocomplete="off">
      <label for="key-label">Name, to tell it from your other keys</label>
      <input id="key-label" name="label" maxlength="100" required dir="auto">
      <fieldset class="choices"><legend>What it may do</legend>${Object.entries(SCOPE_TEXTS).map(scopeChoice)}</fieldset>
      <button class="primary wide" data-signs>Sign and issue</button>
      <p class="muted">A wallet holds at most 5 keys. A key makes 60 requests a minute, unless operators allow it more.</p>
      <p class="message" role="status" data-message></p>
    </form>
  </section>
</div>
${confirmDialog()}`,
  };
}

function scopeChoice([scope, text]: [string, string]): SafeHtml {
  return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${scope !== 'account:withdraw' && html` checked`}><span>${text} <span class="muted mono">${scope}</span></span></label>`;
}
