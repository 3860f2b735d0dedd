/** The YES price over time, as inline SVG that stretches to any width. */
import type { PriceHistoryView } from '../src/index';
import { percent, shortMoment, usd } from './format';
import { html, type SafeHtml } from './html';

export interface ChartPoint {
  time: string;
  open: number;
  close: number;
}

/**
 * The units of the drawing, which is stretched. Labels are outside of the drawing, so that their text is not stretched.
 */
const WIDTH = 1000;
const HEIGHT = 300;

const round = (value: number): number => Math.round(value * 10) / 10;
const y = (price: number): number => round(HEIGHT * (1 - price));

/** The path of the line. It has steps and no slopes, because the price does not move between two trades. */
export function linePath(points: readonly ChartPoint[]): string {
  const step = WIDTH / points.length;
  const [first] = points;
  if (first === undefined) return '';
  const moves = points.map((point, index) => `H${round((index + 1) * step)}V${y(point.close)}`);
  return `M0 ${y(first.open)}${moves.join('')}`;
}

export function priceChart(points: readonly ChartPoint[], zoneEnd: string): SafeHtml {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return html`<p class="muted">No price history yet.</p>`;
  const line = linePath(points);
  const change = last.close - first.open;
  const summary = `Price of YES from ${shortMoment(first.time)} to ${shortMoment(zoneEnd)} UTC: from ${label(first.open)} to ${label(last.close)}.`;
  return html`<figure class="chart ${change < 0 ? 'falling' : 'rising'}">
    <div class="chart-plot">
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${summary}">
        ${[0, 0.25, 0.5, 0.75, 1].map(
          (price) => html`<line class="grid" x1="0" x2="${WIDTH}" y1="${y(price)}" y2="${y(price)}" />`,
        )}
        <path class="area" d="${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z" />
        <path class="line" d="${line}" />
      </svg>
      <div class="chart-scale" aria-hidden="true">
        ${[1, 0.75, 0.5, 0.25, 0].map((price) => html`<span>${label(price)}</span>`)}
      </div>
    </div>
    <figcaption aria-hidden="true"><span>${shortMoment(first.time)}</span><span>${shortMoment(zoneEnd)}</span></figcaption>
  </figure>`;
}

function label(price: number): string {
  return `${Math.round(price * 100)}%`;
}

const MOST_ROWS = 24;

type Candles = PriceHistoryView['candles'];

/**
 * The same prices as a table, for readers who do not see the chart. A row sums up several candles if there
 * are many.
 */
export function priceTable(candles: Candles): SafeHtml {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Prices"><table>
  <caption class="hidden">Prices of YES, newest first; times in UTC</caption>
  <thead><tr><th scope="col">From (UTC)</th><th scope="col" class="number">YES</th><th scope="col" class="number">Lowest</th><th scope="col" class="number">Highest</th><th scope="col" class="number">Traded</th></tr></thead>
  <tbody>${tableRows(candles).map(
    ({ time, close, low, high, volume }) =>
      html`<tr><td><time datetime="${time}">${shortMoment(time)}</time></td><td class="number">${percent(close)}</td><td class="number">${percent(low)}</td><td class="number">${percent(high)}</td><td class="number">${usd(volume)}</td></tr>`,
  )}</tbody>
</table></div>`;
}

export function tableRows(
  candles: Candles,
): Pick<Candles[number], 'time' | 'close' | 'low' | 'high' | 'volume'>[] {
  const each = Math.max(1, Math.ceil(candles.length / MOST_ROWS));
  const rows = [];
  for (let end = candles.length; end > 0; end -= each) {
    const part = candles.slice(Math.max(0, end - each), end);
    rows.push({
      time: part[0]?.time ?? '',
      close: part.at(-1)?.close ?? 0,
      low: Math.min(...part.map(({ low }) => low)),
      high: Math.max(...part.map(({ high }) => high)),
      volume: part.reduce((sum, { volume }) => sum + volume, 0),
    });
  }
  return rows;
}
