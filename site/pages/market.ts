/** The page of one market: its question, its prices, and the order form. */
import type { MarketDetailView, PriceHistoryView, TradeView } from '../../src/index';
import { priceChart } from '../chart';
import { moment, percent, shares, shortMoment, usd } from '../format';
import { html, type SafeHtml } from '../html';
import type { Page, View } from '../layout';
import { orderTicket } from './ticket';
import { RANGES, type RangeName } from '../ranges';

export interface MarketData {
  market: MarketDetailView;
  history: PriceHistoryView;
  trades: TradeView[];
}

/**
 * The parts of the page that change while a reader looks at it, by the id of their element. The script of the
 * page draws them too.
 */
export function marketFragments(view: Pick<View, 'now'>, data: MarketData): Record<string, SafeHtml> {
  return {
    'live-price': priceBlock(data.market),
    'live-chart': priceChart(data.history.candles, new Date(view.now).toISOString()),
    'live-facts': facts(data.market),
    'live-trades': tradesTable(data.trades),
  };
}

export function marketPage(view: View, data: MarketData, range: RangeName): Page {
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
    body: html`
<article class="market" data-market="${market.id}" data-slug="${market.slug}" data-status="${market.status}" data-range="${range}">
  <header class="market-head">
    <p class="tags"><span class="tag">${market.category}</span><span class="tag ${market.status}">${market.status}</span><span class="muted">${market.tickerId}</span></p>
    <h1 dir="auto">${market.question}</h1>
    ${live('live-price')}
  </header>
  <section class="panel market-chart" aria-labelledby="chart-title">
    <div class="panel-head"><h2 id="chart-title">Price of YES</h2>${rangeLinks(view, market, range)}</div>
    ${live('live-chart')}
    ${live('live-facts')}
  </section>
  <aside class="market-ticket">${orderTicket(view, market)}</aside>
  <section class="panel market-text" aria-labelledby="rules-title">
    <h2 id="rules-title">How it is resolved</h2>
    <p class="prose" dir="auto">${market.resolutionCriteria}</p>
    ${market.description !== null && html`<h3>Background</h3><p class="prose" dir="auto">${market.description}</p>`}
    <p class="muted">Opened ${moment(market.createdAt)} by <bdi>${market.creator.displayName ?? market.creator.address}</bdi>, who receives 0.5% of every trade.</p>
  </section>
  <section class="panel market-trades" aria-labelledby="trades-title">
    <h2 id="trades-title">Recent trades</h2>
    ${live('live-trades')}
  </section>
</article>`,
  };
}

function priceBlock(market: MarketDetailView): SafeHtml {
  if (market.resolution !== null) {
    const { outcome, resolvedAt } = market.resolution;
    const pays = outcome === 'VOID' ? 'every share pays $0.50' : `a ${outcome} share pays $1`;
    return html`<p class="verdict ${outcome.toLowerCase()}"><strong>Resolved ${outcome}</strong><span>${pays}, ${moment(resolvedAt)}</span></p>`;
  }
  return html`<p class="odds">
  <span class="odd yes"><span>YES</span> <strong>${percent(market.yesPrice)}</strong></span>
  <span class="odd no"><span>NO</span> <strong>${percent(market.noPrice)}</strong></span>
</p>${market.status === 'resolving' && html`<p class="notice">Trading is closed. The outcome is being determined.</p>`}`;
}

function facts(market: MarketDetailView): SafeHtml {
  const closing = market.status === 'open' ? 'Trading closes' : 'Closing date';
  const rows: [string, string][] = [
    ['Traded', usd(market.volume)],
    ['In the pool', usd(market.liquidity)],
    [closing, moment(market.resolveDate)],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function rangeLinks(view: View, market: MarketDetailView, chosen: RangeName): SafeHtml {
  const address = `${view.base}/market/${encodeURIComponent(market.slug)}`;
  return html`<nav class="chips small" aria-label="Time range">${RANGES.map(
    ({ name, text }) =>
      html`<a class="chip" href="${address}${name !== 'all' && `?range=${name}`}"${name === chosen && html` aria-current="true"`}>${text}</a>`,
  )}</nav>`;
}

function tradesTable(trades: readonly TradeView[]): SafeHtml {
  if (trades.length === 0) return html`<p class="muted">There are no trades yet.</p>`;
  return html`<div class="scroll"><table>
  <caption class="hidden">Newest first; times in UTC</caption>
  <thead><tr><th scope="col">Time (UTC)</th><th scope="col">Trade</th><th scope="col" class="number">Shares</th><th scope="col" class="number">Price</th><th scope="col" class="number">Total</th><th scope="col">Trader</th></tr></thead>
  <tbody>${trades.map(tradeRow)}</tbody>
</table></div>`;
}

function tradeRow(trade: TradeView): SafeHtml {
  return html`<tr><td><time datetime="${trade.createdAt}">${shortMoment(trade.createdAt)}</time></td><td>${trade.action} <span class="side ${trade.side.toLowerCase()}">${trade.side}</span></td><td class="number">${shares(trade.shares)}</td><td class="number">${percent(trade.pricePerShare)}</td><td class="number">${usd(trade.totalCost)}</td><td class="mono">${trade.traderAddress}</td></tr>`;
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length <= 150 ? flat : `${[...flat].slice(0, 149).join('')}…`;
}
