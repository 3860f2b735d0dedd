import type { MarketDetailView, MarketView } from '../../src/index';
import { categoryName } from '../choices';
import { moment, percent, shortAddress } from '../format';
import { html, type SafeHtml } from '../html';
import type { Page, View } from '../layout';
import { pictureTags } from '../picture';
import type { MarketData } from './market-data';
import { marketFragments } from './market-parts';
import { categoryAddress, marketCards } from './markets';
import { rulesText } from './rules-text';
import { orderTicket, type Preset } from './ticket';
import { RANGES, type RangeName } from '../chart-ranges';

/** What the page shows beside the live parts. */
export interface MarketExtras {
  range: RangeName;
  preset: Preset;
  related: readonly MarketView[];
}

export function marketPage(view: View, data: MarketData, extras: MarketExtras): Page {
  const { range, preset, related } = extras;
  const { market } = data;
  const live = (id: string): SafeHtml =>
    html`<div id="${id}">${marketFragments(view, data)[id] ?? null}</div>`;
  return {
    status: 200,
    title: market.question,
    description: `${percent(market.yesPrice)} YES. ${oneLine(market.resolutionCriteria)}`,
    canonicalPath: `/market/${encodeURIComponent(market.slug)}`,
    section: 'markets',
    script: 'market',
    ...(view.siteUrl !== '' && { head: html`${oembedLink(view, market.slug)}${pictureTags(view, market)}` }),
    body: html`
<article class="market" data-market="${market.id}" data-slug="${market.slug}" data-status="${market.status}" data-range="${range}">
  <header class="market-head">
    <p class="tags"><a class="tag" href="${categoryAddress(view, market.category)}">${market.category}</a><span class="tag ${market.status}">${market.status}</span><span class="muted">${market.tickerId}</span></p>
    <h1 dir="auto">${market.question}</h1>
    ${live('live-price')}
  </header>
  <section class="panel market-chart" aria-labelledby="chart-title">
    <div class="panel-head"><h2 id="chart-title">Price of YES</h2>${rangeLinks(view, market, range)}</div>
    <div class="chart-frame" data-chart>${live('live-chart')}</div>
    <div class="chart-foot" data-chart-foot></div>
    ${live('live-facts')}
    <details><summary>Prices as a table</summary>${live('live-prices')}</details>
  </section>
  <aside class="market-ticket">${orderTicket(view, market, preset)}</aside>
  <section class="panel market-text" aria-labelledby="rules-title">
    <h2 id="rules-title">How it is resolved</h2>
    ${rulesText(market, 'h2')}
    <p class="muted">Opened ${moment(market.createdAt)} by ${creatorOf(market)}, who receives 0.5% of every trade.</p>
  </section>
  ${
    data.decision !== null &&
    html`<section class="panel market-resolution" aria-labelledby="resolution-title">
    <h2 id="resolution-title">Resolution</h2>
    ${live('live-resolution')}
  </section>`
  }
  <section class="panel market-trades" aria-labelledby="trades-title">
    <h2 id="trades-title">Recent trades</h2>
    ${live('live-trades')}
  </section>
</article>
${related.length > 0 && html`<section class="related" aria-labelledby="related-title"><h2 id="related-title">More in ${categoryName(market.category)}</h2>${marketCards(view, related)}</section>`}`,
  };
}

function creatorOf({ creator: { displayName, address } }: MarketData['market']): SafeHtml {
  if (displayName !== null) return html`<bdi>${displayName}</bdi>`;
  return html`<bdi class="mono" title="${address}">${shortAddress(address)}</bdi>`;
}

/** Tells other sites how to show this market. */
function oembedLink(view: View, slug: string): SafeHtml {
  const page = encodeURIComponent(`${view.siteUrl}/market/${encodeURIComponent(slug)}`);
  return html`<link rel="alternate" type="application/json+oembed" href="${view.siteUrl}/oembed?url=${page}" title="oEmbed">`;
}

function rangeLinks(view: View, market: MarketDetailView, chosen: RangeName): SafeHtml {
  const address = `${view.base}/market/${encodeURIComponent(market.slug)}`;
  return html`<nav class="chips small" aria-label="Time range">${RANGES.map(
    ({ name, text }) =>
      html`<a class="chip" data-range-link="${name}" href="${address}${name !== 'all' && `?range=${name}`}"${name === chosen && html` aria-current="true"`}>${text}</a>`,
  )}</nav>`;
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length <= 150 ? flat : `${[...flat].slice(0, 149).join('')}…`;
}
