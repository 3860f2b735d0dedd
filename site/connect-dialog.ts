/** The dialog in which a reader connects a wallet. */
import { html, type SafeHtml } from './html';

/**
 * The script fills the dialog in. Without the script no wallet can sign, so the dialog stays closed. It offers
 * wallets also to a reader who has pasted a key, because a key cannot sign.
 */
export function connectDialog(): SafeHtml {
  return html`<dialog id="connect" aria-labelledby="connect-title">
  <form method="dialog"><button class="close" aria-label="Close" value="cancel">×</button></form>
  <h2 id="connect-title">Connect</h2>
  <section data-signed-in hidden>
    <dl class="facts"><div><dt>Wallet</dt><dd data-session-address></dd></div><div><dt>Available</dt><dd data-session-balance></dd></div></dl>
    <button type="button" class="secondary wide" data-forget>Forget the key in this browser</button>
    <p class="muted">The key itself stays valid until the wallet revokes it.</p>
  </section>
  <section data-signed-out>
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
