/** The ranges of a chart and their intervals. A chart of a year or less has at most about 400 candles. */
import type { CandleInterval } from '../src/index';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const RANGES = [
  { name: '1h', text: '1 h', spanMs: HOUR },
  { name: '6h', text: '6 h', spanMs: 6 * HOUR },
  { name: '1d', text: '1 d', spanMs: DAY },
  { name: '7d', text: '7 d', spanMs: 7 * DAY },
  { name: '30d', text: '30 d', spanMs: 30 * DAY },
  { name: 'all', text: 'All', spanMs: Infinity },
] as const;
export type RangeName = (typeof RANGES)[number]['name'];

/** An interval is used for charts of at most `upToMs`. Longer charts use `LONGEST`. */
const INTERVALS: { interval: CandleInterval; stepMs: number; upToMs: number }[] = [
  { interval: '1m', stepMs: MINUTE, upToMs: 6 * HOUR },
  { interval: '5m', stepMs: 5 * MINUTE, upToMs: 30 * HOUR },
  { interval: '15m', stepMs: 15 * MINUTE, upToMs: 4 * DAY },
  { interval: '1h', stepMs: HOUR, upToMs: 15 * DAY },
  { interval: '6h', stepMs: 6 * HOUR, upToMs: 90 * DAY },
];
const LONGEST = { interval: '1d', stepMs: DAY } as const;

export function stepMsOf(name: string): number {
  return INTERVALS.find(({ interval }) => interval === name)?.stepMs ?? LONGEST.stepMs;
}

export function readRange(text: string | null): RangeName {
  return RANGES.find(({ name }) => name === text)?.name ?? 'all';
}

/**
 * `startTime` is in milliseconds, rounded down to the beginning of a candle. A range longer than the market's life
 * shows the whole life.
 */
export function chartWindow(
  range: RangeName,
  createdAt: number,
  now: number,
): { startTime: number; interval: CandleInterval } {
  const spanMs = RANGES.find(({ name }) => name === range)?.spanMs ?? Infinity;
  const from = Math.max(createdAt, now - spanMs);
  const { interval, stepMs } = INTERVALS.find(({ upToMs }) => now - from <= upToMs) ?? LONGEST;
  return { startTime: Math.floor(from / stepMs) * stepMs, interval };
}
