import type { PriceHistoryView } from '../../../src/index';
import { percent, shortMoment, usd } from '../../format';
import { stepMsOf } from '../../chart-ranges';

export interface ChartPoint {
  /** Seconds since 1970. */
  time: number;
  price: number;
  volume: number;
  words: string;
}

/**
 * The opening price of the first candle, then the closing price of each candle. Without the opening price, a new market
 * would have a single point.
 */
export function chartPoints({ candles, interval }: PriceHistoryView): ChartPoint[] {
  const [first] = candles;
  if (first === undefined) return [];
  const before = Date.parse(first.time) - stepMsOf(interval);
  return [
    { time: before / 1000, price: first.open, volume: 0, words: `At first: YES ${percent(first.open)}` },
    ...candles.map((candle) => ({
      time: Date.parse(candle.time) / 1000,
      price: candle.close,
      volume: candle.volume,
      words: candleInWords(candle),
    })),
  ];
}

function candleInWords({ time, close, volume, trades }: PriceHistoryView['candles'][number]): string {
  const traded =
    trades === 0 ? 'no trades' : `${trades === 1 ? '1 trade' : `${trades} trades`}, ${usd(volume)}`;
  return `${shortMoment(time)} UTC: YES ${percent(close)}, ${traded}`;
}

/** The chart shows at least this part of the scale, so that a small move does not look large. */
const LEAST_SPAN = 0.1;

/** The part of the scale from 0 to 1 that the chart shows for these prices. */
export function shownPrices(lowest: number, highest: number): { minValue: number; maxValue: number } {
  const missing = Math.max(0, LEAST_SPAN - (highest - lowest)) / 2;
  const minValue = Math.min(Math.max(0, lowest - missing), 1 - LEAST_SPAN);
  const maxValue = Math.max(Math.min(1, highest + missing), LEAST_SPAN);
  return { minValue, maxValue };
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -Infinity,
  End: Infinity,
};

/** The index of the point that the key selects. `null`: the key selects no point. */
export function indexAfterKey(key: string, index: number, last: number): number | null {
  const step = STEPS[key];
  return step === undefined ? null : Math.min(Math.max(0, index + step), Math.max(0, last));
}
