/** The parts of a market's page that change while a reader looks at it. The script of the page draws them too. */
import type { MarketDetailView, TradeView } from '../../src/index';
import { priceChart, priceTable } from '../chart';
import { moment, percent, percentInColumn, shares, shortMoment, usd } from '../format';
import { html, type SafeHtml } from '../html';
import type { View } from '../layout';
import type { MarketData } from './market-data';
import { resolutionPart } from './resolution';

/**
 * The fields that a market gets when it is opened. A preview has none of them, except that it may have a
 * slug.
 */
type NotYetGiven = 'id' | 'tickerId' | 'slug' | 'creator';

/** The HTML of each part, by the id of its element. */
export function marketFragments(view: Pick<View, 'now'>, data: MarketData): Record<string, SafeHtml> {
  return {
    'live-price': priceBlock(data.market),
    'live-chart': priceChart(data.history.candles, new Date(view.now).toISOString()),
    'live-prices': priceTable(data.history.candles),
    'live-facts': facts(data.market),
    'live-trades': tradesTable(data.trades),
    'live-resolution': resolutionPart(data.decision),
  };
}

export function priceBlock(market: Omit<MarketDetailView, NotYetGiven>): SafeHtml {
  if (market.resolution !== null) {
    const { outcome, resolvedAt } = market.resolution;
    const pays = outcome === 'VOID' ? 'Every share pays $0.50' : `Each ${outcome} share pays $1`;
    return html`<p class="verdict ${outcome.toLowerCase()}"><strong>Resolved ${outcome}</strong><span>${pays}, ${moment(resolvedAt)}</span></p>`;
  }
  return html`<p class="odds">
  <span class="odd yes"><span>YES</span> <strong>${percent(market.yesPrice)}</strong></span>
  <span class="odd no"><span>NO</span> <strong>${percent(market.noPrice)}</strong></span>
</p>${market.status === 'resolving' && html`<p class="notice">Trading is closed. The outcome is being determined.</p>`}`;
}

export function facts(market: Omit<MarketDetailView, NotYetGiven>): SafeHtml {
  const closing = market.status === 'open' ? 'Trading closes' : 'Closing date';
  const rows: [string, string][] = [
    ['Traded', usd(market.volume)],
    ['In the pool', usd(market.liquidity)],
    [closing, moment(market.resolveDate)],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function tradesTable(trades: readonly TradeView[]): SafeHtml {
  if (trades.length === 0) return html`<p class="muted">There are no trades yet.</p>`;
  const columns: [string, string][] = [
    ['Time (UTC)', ''],
    ['Trade', ''],
    ['Shares', 'number'],
    ['Price', 'number'],
    ['Total', 'number'],
    ['Trader', 'number'],
  ];
  const head = columns.map(
    ([title, kind]) => html`<th scope="col" role="columnheader" class="${kind}">${title}</th>`,
  );
  // Roles are written out, because rows that are shown as blocks lose their roles.
  return html`<table class="trades" role="table">
  <caption class="hidden">Newest first; times in UTC</caption>
  <thead role="rowgroup"><tr role="row">${head}</tr></thead>
  <tbody role="rowgroup">${trades.map(tradeRow)}</tbody>
</table>`;
}

function tradeRow(trade: TradeView): SafeHtml {
  const { createdAt, action, side, traderAddress } = trade;
  return html`<tr role="row"><td role="cell"><time datetime="${createdAt}">${shortMoment(createdAt)}</time></td><td role="cell">${action} <span class="side ${side.toLowerCase()}">${side}</span></td><td role="cell" class="number">${shares(trade.shares)}</td><td role="cell" class="number" data-label="at ">${percentInColumn(trade.pricePerShare)}</td><td role="cell" class="number">${usd(trade.totalCost)}</td><td role="cell" class="mono number">${traderAddress.replace('...', '…')}</td></tr>`;
}
