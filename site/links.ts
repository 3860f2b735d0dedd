/** Links that strangers have set: authors of markets, and voters that name their sources. */
import { html, type SafeHtml } from './html';

/** Asks search engines not to count the link, and gives the target no access to the page. */
export const LINK_RELATION = 'nofollow ugc noopener noreferrer';

/** Whether the address is full and has a host. Another address could run a script, or be relative to the page. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\/[^/]/i.test(address) && URL.canParse(address);
}

/** A link, or the plain text where the address does not lead to the web. */
export function strangersLink(address: string, text: string): SafeHtml {
  if (!isWebAddress(address)) return html`<span dir="auto">${text}</span>`;
  return html`<a href="${address}" rel="${LINK_RELATION}" dir="auto">${text}</a>`;
}
