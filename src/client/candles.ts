import type { Candle } from './api.generated';
import type { Query } from './operations';

export type CandleQuery = Query<'/public/markets/{id}/history'>;
export type CandleInterval = NonNullable<CandleQuery['interval']>;

const MINUTE_MS = 60_000;

const INTERVALS_MS: Readonly<Record<CandleInterval, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '6h': 360 * MINUTE_MS,
  '1d': 1_440 * MINUTE_MS,
};

/** The most candles of one answer. */
const WINDOW = 500;

/** All candles of the range, oldest first. `createdAt` reads the instant at which the market was created. */
export async function* candlesOf(
  createdAt: () => Promise<number>,
  readWindow: (query: CandleQuery) => Promise<readonly Candle[]>,
  { interval = '1h', startTime, endTime }: Omit<CandleQuery, 'limit'> = {},
): AsyncGenerator<Candle, void, undefined> {
  const length = INTERVALS_MS[interval];
  const end = endTime === undefined ? Infinity : Date.parse(endTime);
  const first = Math.floor((await createdAt()) / length) * length;
  const start = startTime === undefined ? first : Math.ceil(Date.parse(startTime) / length) * length;
  if (Number.isNaN(start) || Number.isNaN(end)) throw new TypeError('startTime and endTime must be times');
  for (let from = Math.max(first, start); from < end; from += WINDOW * length) {
    const to = Math.min(end, from + WINDOW * length);
    const candles = await readWindow({ interval, startTime: isoOf(from), endTime: isoOf(to), limit: WINDOW });
    yield* candles;
    // A window that is not full is the last one.
    if (candles.length < WINDOW) return;
  }
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}
