/** The parts of a market's page that change while a reader looks at it. The script of the page draws them too. */
import type {
  MarketDetailView,
  MarketResolutionView,
  PriceHistoryView,
  ResolutionProgressView,
  TradeView,
} from '../../src/index';
import { priceChart, priceTable } from '../chart';
import { moment, percent, percentInColumn, shares, shortMoment, usd } from '../format';
import { html, type SafeHtml } from '../html';
import type { View } from '../layout';
import { resolutionPart } from './resolution';

export interface MarketData {
  market: MarketDetailView;
  history: PriceHistoryView;
  trades: TradeView[];
  /** `null` while the market trades. */
  decision: { resolution: MarketResolutionView; progress: ResolutionProgressView | null } | null;
}

/** By the id of their element. */
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

function tradesTable(trades: readonly TradeView[]): SafeHtml {
  if (trades.length === 0) return html`<p class="muted">There are no trades yet.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Recent trades"><table>
  <caption class="hidden">Newest first; times in UTC</caption>
  <thead><tr><th scope="col">Time (UTC)</th><th scope="col">Trade</th><th scope="col" class="number">Shares</th><th scope="col" class="number">Price</th><th scope="col" class="number">Total</th><th scope="col" class="number">Trader</th></tr></thead>
  <tbody>${trades.map(tradeRow)}</tbody>
</table></div>`;
}

function tradeRow(trade: TradeView): SafeHtml {
  return html`<tr><td><time datetime="${trade.createdAt}">${shortMoment(trade.createdAt)}</time></td><td>${trade.action} <span class="side ${trade.side.toLowerCase()}">${trade.side}</span></td><td class="number">${shares(trade.shares)}</td><td class="number">${percentInColumn(trade.pricePerShare)}</td><td class="number">${usd(trade.totalCost)}</td><td class="mono number">${trade.traderAddress.replace('...', '…')}</td></tr>`;
}
