/** How far back a chart looks, and in which steps: a few hundred candles whatever the range. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const RANGES = [
  { name: '6h', text: '6 h', spanMs: 6 * HOUR },
  { name: '1d', text: '1 d', spanMs: DAY },
  { name: '7d', text: '7 d', spanMs: 7 * DAY },
  { name: '30d', text: '30 d', spanMs: 30 * DAY },
  { name: 'all', text: 'All', spanMs: Infinity },
] as const;
export type RangeName = (typeof RANGES)[number]['name'];
export type Interval = '1m' | '5m' | '15m' | '1h' | '6h' | '1d';

const INTERVALS: [interval: Interval, upToMs: number][] = [
  ['1m', 6 * HOUR],
  ['5m', 30 * HOUR],
  ['15m', 4 * DAY],
  ['1h', 15 * DAY],
  ['6h', 90 * DAY],
];

export function readRange(text: string | null): RangeName {
  return RANGES.find(({ name }) => name === text)?.name ?? 'all';
}

/** `startTime` in milliseconds. A range that is longer than the market's life shows its whole life. */
export function chartWindow(
  range: RangeName,
  createdAt: number,
  now: number,
): { startTime: number; interval: Interval } {
  const spanMs = RANGES.find(({ name }) => name === range)?.spanMs ?? Infinity;
  const startTime = Math.max(createdAt, now - spanMs);
  const interval = INTERVALS.find(([, upToMs]) => now - startTime <= upToMs)?.[0] ?? '1d';
  return { startTime, interval };
}
