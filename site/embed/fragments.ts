/**
 * The changing parts of a market in a frame. A script bundle contains this file. The addresses of the bundles depend
 * on their content, so only page.ts imports them.
 */
import { priceChart } from '../chart';
import { percent, shortUsd } from '../format';
import { html, type SafeHtml } from '../html';
import type { MarketData } from '../pages/market-data';

/** The parts by the id of their element. The server and the script of the frame draw them. */
export function embedFragments(now: number, { market, history }: MarketData): Record<string, SafeHtml> {
  const { resolution } = market;
  const outcome =
    resolution === null
      ? html`<p class="odds"><span class="odd yes"><span>YES</span> <strong>${percent(market.yesPrice)}</strong></span> <span class="odd no"><span>NO</span> <strong>${percent(market.noPrice)}</strong></span></p>`
      : html`<p class="verdict ${resolution.outcome.toLowerCase()}"><strong>Resolved ${resolution.outcome}</strong></p>`;
  const closed = market.status === 'resolving' && html` · trading is closed`;
  return {
    'embed-price': outcome,
    'embed-chart': priceChart(history.candles, new Date(now).toISOString()),
    'embed-facts': html`<p class="muted">${shortUsd(market.volume)} traded${closed}</p>`,
  };
}
