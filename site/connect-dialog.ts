import { html, type SafeHtml } from './html';

/** The script fills the dialog in and opens it. */
export function connectDialog({ playMoney }: { playMoney: boolean }): SafeHtml {
  return html`<dialog id="connect" aria-labelledby="connect-title">
  <form method="dialog"><button class="close" aria-label="Close" value="cancel">×</button></form>
  <h2 id="connect-title">Connect</h2>
  <section data-signed-in hidden>
    <dl class="facts"><div><dt>Wallet</dt><dd data-session-address></dd></div><div><dt>Available</dt><dd data-session-balance></dd></div></dl>
    ${playMoney && throwAwayOwned()}
    <button type="button" class="secondary wide" data-forget>Forget the key in this browser</button>
    <p class="muted">The key itself stays valid until the wallet revokes it.</p>
  </section>
  <section data-signed-out>
    ${playMoney && throwAwayOffer()}
    <p>There are no accounts and no passwords. A wallet signs a message, which costs nothing, and gets an API key that stays in this browser.</p>
    <div data-wallets></div>
    <p class="muted" data-no-wallet hidden>No wallet was found in this browser. A wallet is an extension of the browser that keeps your keys. Install one, then load this page again.</p>
    <form data-key-login>
      <label for="api-key">or paste an API key</label>
      <div class="row"><input id="api-key" name="apiKey" type="password" autocomplete="off" spellcheck="false" placeholder="pmk_…" required><button class="secondary">Use it</button></div>
    </form>
  </section>
  <p class="message" role="status" data-session-message></p>
</dialog>`;
}

function throwAwayOffer(): SafeHtml {
  return html`<div class="throw-away">
      <h3>Try it with a throw-away wallet</h3>
      <p>One click makes a wallet in this browser, signs in with it, and puts 500 USD of play money into it.</p>
      <button type="button" class="primary wide" data-throw-away-start>Start with a throw-away wallet</button>
      <p class="muted">Its secret is stored in this browser and nowhere else. If you clear the data of the browser, the wallet is gone.</p>
    </div>`;
}

/** The part for a reader who is signed in with the throw-away wallet. */
function throwAwayOwned(): SafeHtml {
  return html`<div class="throw-away" data-throw-away-owned hidden>
      <p>This is a throw-away wallet with play money. Its secret is stored in this browser and nowhere else.</p>
      <button type="button" class="primary wide" data-play-deposit hidden>Get 500 USD of play money</button>
      <button type="button" class="secondary wide" data-show-secret aria-expanded="false" aria-controls="throw-away-secret">Show the secret</button>
      <p id="throw-away-secret" class="mono secret" hidden></p>
      <button type="button" class="secondary wide" data-forget-wallet>Forget this wallet</button>
      <div role="alert" data-forget-question hidden>
        <p class="notice">The wallet is removed from this browser. Its balance of <strong data-session-balance></strong> and its positions are lost, unless you have copied the secret.</p>
        <div class="row"><button type="button" class="secondary" data-forget-yes>Yes, forget it</button><button type="button" class="secondary" data-forget-no>Keep it</button></div>
      </div>
    </div>`;
}
