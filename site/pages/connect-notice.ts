/** What a page shows in place of a wallet's data while no wallet is connected. */
import { html, type SafeHtml } from '../html';

export function connectNotice(text: string): SafeHtml {
  return html`<div class="panel empty" data-needs-key><p>${text}</p><p><button type="button" class="primary" data-session-open>Connect</button></p><noscript><p class="notice">This page needs JavaScript.</p></noscript></div>`;
}
