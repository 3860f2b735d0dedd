/** A chart of prices that a reader can zoom, move and read point by point. Loaded when a page shows one. */
import {
  AreaSeries,
  createChart,
  CrosshairMode,
  HistogramSeries,
  LineType,
  type IChartApi,
  type ISeriesApi,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { PriceHistoryView } from '../../../src/index';
import { percent } from '../../format';
import { element } from '../page';
import { startKeys } from './keys';
import { chartPoints, shownPrices, type ChartPoint } from './points';

export interface PriceChart {
  /** Draws other candles. The part that the reader has chosen stays. */
  show(history: PriceHistoryView): void;
  /** Shows all candles. */
  fit(): void;
}

/** Fills the element with a chart. `readings` shows the point that the reader points at. */
export function mountChart(place: HTMLElement, readings: HTMLElement): PriceChart {
  const canvas = element('div', { class: 'chart-canvas' });
  place.append(canvas);
  const chart = createChart(canvas, {
    autoSize: true,
    // The logo brings an inline style, which the content security policy refuses. The page names the makers.
    layout: { background: { color: 'transparent' }, fontFamily: 'inherit', attributionLogo: false },
    crosshair: { mode: CrosshairMode.Magnet },
    rightPriceScale: {
      borderVisible: false,
      scaleMargins: { top: 0.1, bottom: 0.22 },
      ensureEdgeTickMarksVisible: true,
    },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: false,
      lockVisibleTimeRangeOnResize: true,
    },
    localization: { priceFormatter: percent },
    // A finger that moves up or down scrolls the page.
    handleScroll: { vertTouchDrag: false },
  });
  const series = createSeries(chart);
  keepWheelForPage(canvas);
  followColours(chart, series);

  let points: ChartPoint[] = [];
  const latest = (): string => points.at(-1)?.words ?? '';
  const read = (index: number | null): void => {
    readings.textContent = (index === null ? undefined : points[index]?.words) ?? latest();
  };
  chart.subscribeCrosshairMove(({ time }) => {
    const index = points.findIndex((point) => point.time === time);
    read(index === -1 ? null : index);
  });
  startKeys(canvas, {
    count: () => points.length,
    words: (index) => points[index]?.words ?? '',
    pointAt(index) {
      const point = points[index];
      if (point === undefined) chart.clearCrosshairPosition();
      else chart.setCrosshairPosition(point.price, point.time as UTCTimestamp, series.prices);
      read(point === undefined ? null : index);
    },
    zoom: (factor) => zoom(chart, factor),
  });
  return {
    show(history) {
      points = chartPoints(history);
      const atTime = points.map((point) => ({ ...point, time: point.time as UTCTimestamp }));
      series.prices.setData(atTime.map(({ time, price }) => ({ time, value: price })));
      series.volumes.setData(atTime.map(({ time, volume }) => ({ time, value: volume })));
      read(null);
    },
    fit: () => chart.timeScale().fitContent(),
  };
}

interface ChartSeries {
  prices: ISeriesApi<'Area'>;
  volumes: ISeriesApi<'Histogram'>;
}

function createSeries(chart: IChartApi): ChartSeries {
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
  const prices = chart.addSeries(AreaSeries, {
    // The price does not move between two trades.
    lineType: LineType.WithSteps,
    lineWidth: 2,
    priceFormat: { type: 'custom', formatter: percent, minMove: 0.001 },
    autoscaleInfoProvider: (
      own: () => { priceRange: { minValue: number; maxValue: number } | null } | null,
    ) => {
      const range = own()?.priceRange ?? null;
      return range === null ? null : { priceRange: shownPrices(range.minValue, range.maxValue) };
    },
  });
  return { prices, volumes };
}

/** The wheel scrolls the page. With the control key, as on a map, it zooms the chart. */
function keepWheelForPage(canvas: HTMLElement): void {
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    },
    { capture: true },
  );
}

/** The chart is drawn on a canvas, so it is told the colours of the page, and told again when they change. */
function followColours(chart: IChartApi, { prices, volumes }: ChartSeries): void {
  const apply = (): void => {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    chart.applyOptions({
      layout: { textColor: colour('--muted') },
      grid: { vertLines: { visible: false }, horzLines: { color: colour('--line') } },
      crosshair: {
        vertLine: { color: colour('--muted'), labelVisible: false },
        horzLine: { color: colour('--muted'), labelBackgroundColor: colour('--accent') },
      },
    });
    const line = colour('--yes');
    prices.applyOptions({ lineColor: line, topColor: `${line}40`, bottomColor: `${line}05` });
    volumes.applyOptions({ color: `${colour('--muted')}66` });
  };
  apply();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
}

/** Shows fewer or more points around the middle of what is shown. */
function zoom(chart: IChartApi, factor: number): void {
  const range = chart.timeScale().getVisibleLogicalRange();
  if (range === null) return;
  const middle = (range.from + range.to) / 2;
  const half = Math.max(2, ((range.to - range.from) / 2) * factor);
  chart.timeScale().setVisibleLogicalRange({ from: middle - half, to: middle + half });
}
