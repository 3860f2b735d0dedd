/**
 * A chart that a reader can zoom, move and read point by point. Import this file dynamically: it contains the chart
 * library.
 */
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
import { percent, usd } from '../../format';
import { element } from '../dom';
import { startKeys } from './keys';
import { shownPrices, type ChartPoint } from './points';

export interface PriceChart {
  /** Replaces the points. */
  show(points: ChartPoint[]): void;
  /** Fits the shown range of time to the points. */
  fit(): void;
}

export interface Subject {
  /** The name of the chart for screen readers. */
  name: string;
  inWords(value: number): string;
  leastStep: number;
  isPossible(value: number): boolean;
  shownPart(lowest: number, highest: number): { minValue: number; maxValue: number };
}

export const PRICE: Subject = {
  name: 'Chart of the price: a moment',
  inWords: percent,
  leastStep: 0.001,
  // A price on the scale is a sum of steps, so rounding may make it a little less than 0 or more than 1.
  isPossible: (price) => price > -1e-9 && price < 1 + 1e-9,
  shownPart: shownPrices,
};

export const VALUE: Subject = {
  name: 'Chart of the value: a moment',
  inWords: usd,
  leastStep: 0.01,
  isPossible: (value) => value > -0.005,
  shownPart: (minValue, maxValue) =>
    maxValue - minValue >= 1
      ? { minValue, maxValue }
      : { minValue: Math.max(0, minValue - 1), maxValue: maxValue + 1 },
};

/** Half the height of a label, in pixels. */
const HALF_A_LABEL = 8;

/** Draws a chart into `place`. `readings` gets the text of the selected point, or else of the last point. */
export function mountChart(place: HTMLElement, readings: HTMLElement, subject: Subject): PriceChart {
  const canvas = element('div', { class: 'chart-canvas' });
  place.append(canvas);
  const chart = createChart(canvas, {
    autoSize: true,
    // The logo needs an inline style, which the content security policy refuses. `makers` names the authors instead.
    layout: { background: { color: 'transparent' }, fontFamily: 'inherit', attributionLogo: false },
    crosshair: { mode: CrosshairMode.Magnet },
    rightPriceScale: {
      borderVisible: false,
      scaleMargins: { top: 0.1, bottom: 0.22 },
    },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: false,
      lockVisibleTimeRangeOnResize: true,
      // Otherwise the edges cut the first label and the last.
      fixLeftEdge: true,
      fixRightEdge: true,
    },
    localization: { priceFormatter: subject.inWords },
    // A finger that moves up or down scrolls the page.
    handleScroll: { vertTouchDrag: false },
  });
  const series = createSeries(chart, subject);
  chart.applyOptions({
    localization: { tickmarksPriceFormatter: (values: number[]) => values.map(scaleLabel) },
  });
  /**
   * The text of a label. It is empty if the edge of the chart would cut the label, and for an impossible value, such as
   * a price above 1.
   */
  function scaleLabel(value: number): string {
    const top = series.prices.priceToCoordinate(value) ?? 0;
    const isCut = top < HALF_A_LABEL || top > chart.paneSize().height - HALF_A_LABEL;
    return isCut || !subject.isPossible(value) ? '' : subject.inWords(value);
  }
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
  startKeys(canvas, subject.name, {
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
    show(others) {
      points = others;
      const atTime = points.map((point) => ({ ...point, time: point.time as UTCTimestamp }));
      series.prices.setData(atTime.map(({ time, price }) => ({ time, value: price })));
      const traded = atTime.filter(({ volume }) => volume > 0);
      series.volumes.setData(traded.map(({ time, volume }) => ({ time, value: volume })));
      read(null);
    },
    fit: () => chart.timeScale().fitContent(),
  };
}

interface ChartSeries {
  prices: ISeriesApi<'Area'>;
  volumes: ISeriesApi<'Histogram'>;
}

function createSeries(chart: IChartApi, { inWords, leastStep, shownPart }: Subject): ChartSeries {
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
    priceFormat: { type: 'custom', formatter: inWords, minMove: leastStep },
    autoscaleInfoProvider: (
      own: () => { priceRange: { minValue: number; maxValue: number } | null } | null,
    ) => {
      const range = own()?.priceRange ?? null;
      return range === null ? null : { priceRange: shownPart(range.minValue, range.maxValue) };
    },
  });
  return { prices, volumes };
}

/** The wheel scrolls the page. With the control or command key, the wheel zooms the chart. */
function keepWheelForPage(canvas: HTMLElement): void {
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    },
    { capture: true },
  );
}

/** Applies the colours of the page, and again when the colour scheme changes, because CSS does not reach a canvas. */
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

/** Changes how many points are visible, around the middle of the visible range. */
function zoom(chart: IChartApi, factor: number): void {
  const range = chart.timeScale().getVisibleLogicalRange();
  if (range === null) return;
  const middle = (range.from + range.to) / 2;
  const half = Math.max(2, ((range.to - range.from) / 2) * factor);
  chart.timeScale().setVisibleLogicalRange({ from: middle - half, to: middle + half });
}
