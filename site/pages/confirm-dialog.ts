/** The dialog that asks before an action that cannot be undone. The script fills it in. */
import { html, type SafeHtml } from '../html';

export function confirmDialog(): SafeHtml {
  return html`<dialog data-confirm aria-labelledby="confirm-title" aria-describedby="confirm-text">
  <form method="dialog"><h2 id="confirm-title"></h2><p id="confirm-text"></p>
  <div class="buttons"><button value="no" autofocus>Cancel</button><button value="yes" class="primary" data-confirm-yes></button></div></form>
</dialog>`;
}
