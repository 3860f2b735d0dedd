import fc from 'fast-check';
import { chartPoints, indexAfterKey, shownPrices } from '../../site/browser/chart/points';
import { tableRows } from '../../site/chart';
import { fakeCandles } from './fake-market';

describe('the points of a chart', () => {
  const minute = (index: number, open: number, close: number) => ({
    time: new Date(Date.UTC(2026, 10, 21, 12, index)).toISOString(),
    open,
    high: Math.max(open, close),
    low: Math.min(open, close),
    close,
    volume: close === open ? 0 : 25,
    trades: close === open ? 0 : 1,
  });

  it('are the minutes of a market of minutes, after the price that it began with', () => {
    const candles = [minute(0, 0.5, 0.55), minute(1, 0.55, 0.55), minute(2, 0.55, 0.6)];
    const points = chartPoints({ marketId: 1, interval: '1m', candles });
    expect(points.map(({ price, volume }) => [price, volume])).toEqual([
      [0.5, 0],
      [0.55, 25],
      [0.55, 0],
      [0.6, 25],
    ]);
    expect(points.map(({ time }) => time - (points[0]?.time ?? 0))).toEqual([0, 60, 120, 180]);
    expect(points[3]?.words).toBe('21 Nov, 12:02 UTC: YES 60%, 1 trade, $25.00');
    expect(points[2]?.words).toBe('21 Nov, 12:01 UTC: YES 55%, no trades');
  });

  it('are none without candles', () => {
    expect(chartPoints({ marketId: 1, interval: '1m', candles: [] })).toEqual([]);
  });
});

describe('the scale of a chart', () => {
  it('shows all prices and at least ten percentage points, and nothing below 0 or above 1', () => {
    const price = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(price, price, (one, other) => {
        const [lowest, highest] = [Math.min(one, other), Math.max(one, other)];
        const { minValue, maxValue } = shownPrices(lowest, highest);
        expect(minValue).toBeGreaterThanOrEqual(0);
        expect(maxValue).toBeLessThanOrEqual(1);
        expect(minValue).toBeLessThanOrEqual(lowest + 1e-12);
        expect(maxValue).toBeGreaterThanOrEqual(highest - 1e-12);
        expect(maxValue - minValue).toBeGreaterThan(0.1 - 1e-9);
      }),
    );
  });
});

describe('the table beside a chart', () => {
  it('has few rows, which hold all that was traded and the newest price first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), (count) => {
        const candles = fakeCandles(count);
        const rows = tableRows(candles);
        expect(rows.length).toBeLessThanOrEqual(24);
        expect(rows[0]?.close).toBe(candles.at(-1)?.close);
        expect(rows.at(-1)?.time).toBe(candles[0]?.time);
        expect(rows.reduce((sum, { volume }) => sum + volume, 0)).toBe(10 * count);
      }),
    );
    expect(tableRows([])).toEqual([]);
  });
});

describe('the keys of a chart', () => {
  it.each([
    ['ArrowLeft', 5, 4],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 9, 9],
    ['PageUp', 2, 9],
    ['Home', 5, 0],
    ['End', 5, 9],
    ['Tab', 5, null],
  ])('%s at %i leads to %s', (key, index, next) => expect(indexAfterKey(key, index, 9)).toBe(next));
});
