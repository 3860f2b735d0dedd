/** What every page says while the market has play money. */
import { html, type SafeHtml } from './html';

export function playMoneyBanner(base: string): SafeHtml {
  return html`<aside class="play-money" aria-label="Play money"><p><strong>Play money.</strong> Nothing here is worth anything. <a href="${base}/play-money">What this means</a></p><button type="button" class="primary" data-begin hidden>Get 500 USD of play money</button></aside>`;
}
