/** The chart on a market's page. Once the chart is loaded, the server's drawing is hidden. */
import type { PriceHistoryView } from '../../../src/index';
import { element, find, show } from '../dom';
import { chartPoints } from './points';
import type { PriceChart } from './price-chart';

export interface MarketChart {
  show(history: PriceHistoryView): void;
  fit(): void;
}

/** If the script of the chart cannot be loaded, the server's drawing stays. */
export function startMarketChart(): MarketChart {
  const place = find('[data-chart]');
  let latest: PriceHistoryView | null = null;
  let chart: PriceChart | null = null;

  async function load(): Promise<void> {
    const { mountChart, PRICE } = await import('./price-chart');
    if (place === null || latest === null) return;
    const readings = element('p', { class: 'chart-reading muted' });
    chart = mountChart(place, readings, PRICE);
    chart.show(chartPoints(latest));
    chart.fit();
    show(find('#live-chart'), false);
    find('[data-chart-foot]')?.replaceChildren(readings, makers());
    place.dataset.chart = 'ready';
  }
  return {
    show(history) {
      const isFirst = latest === null;
      latest = history;
      if (isFirst && history.candles.length > 0) load().catch(() => undefined);
      chart?.show(chartPoints(history));
    },
    fit: () => chart?.fit(),
  };
}

/** The licence of Lightweight Charts asks for this notice and link. */
export function makers(): HTMLElement {
  const link = element('a', { href: 'https://www.tradingview.com/', rel: 'noopener' }, 'TradingView');
  return element('p', { class: 'muted' }, 'Chart: Lightweight Charts™ by ', link);
}
