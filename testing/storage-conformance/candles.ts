import type { Candle } from '../../src/domain/types';
import type { Suite } from './suite';
import { addMarket, GREATEST, HOUR, MINUTE, NOW, sampleCandle } from './samples';

const start = NOW - (NOW % HOUR);

function at(marketId: number, minute: number, fields: Partial<Candle> = {}): Candle {
  return sampleCandle(marketId, { time: start + minute * MINUTE, ...fields });
}

export function candleTests(suite: Suite): void {
  suite.describe('candles', () => {
    storedCandleTests(suite);
    candleQueryTests(suite);
  });
}

function storedCandleTests({ test }: Suite): void {
  test('join into the stored bucket', 'mergeCandles', async ({ storage, check }) => {
    const { id } = await addMarket(storage);
    const list = () =>
      storage.read((r) =>
        r.candles.list({ marketId: id, lengthMs: MINUTE, from: 0, to: NOW * 2, limit: 10 }),
      );
    const merge = (fields: Partial<Candle>) =>
      storage.transaction((transaction) => transaction.candles.merge([at(id, 0, fields)]));
    await merge({ open: 500_000, high: 520_000, low: 490_000, close: 510_000, volume: 10n, trades: 3 });
    await merge({ open: 1, high: 515_000, low: 495_000, close: 500_001, volume: 5n, trades: 1 });
    const inner = { open: 500_000, high: 520_000, low: 490_000, close: 500_001, volume: 15n, trades: 4 };
    check.equal(await list(), [at(id, 0, inner)], 'within the range');
    await merge({ open: 2, high: 600_000, low: 400_000, close: 450_000, volume: 0n, trades: 0 });
    check.equal(
      await list(),
      [at(id, 0, { ...inner, high: 600_000, low: 400_000, close: 450_000 })],
      'beyond the range',
    );
  });

  test('are kept apart by market and resolution', 'mergeCandles', async ({ storage, check }) => {
    const [first, second] = [await addMarket(storage), await addMarket(storage)];
    const candles = [
      at(first.id, 0),
      at(second.id, 0, { close: 7 }),
      at(first.id, 0, { lengthMs: HOUR, close: 8 }),
    ];
    await storage.transaction((transaction) => transaction.candles.merge(candles));
    for (const candle of candles) {
      const { marketId, lengthMs } = candle;
      const query = { marketId, lengthMs, from: 0, to: NOW * 2, limit: 10 };
      check.equal(await storage.read((r) => r.candles.list(query)), [candle]);
    }
  });
}

function candleQueryTests({ test }: Suite): void {
  test(
    'are listed ascending from an instant to before another, the newest of them',
    'candleRange',
    async ({ storage, check }) => {
      const { id } = await addMarket(storage);
      await storage.transaction((transaction) =>
        transaction.candles.merge([4, 0, 9, 2, 7].map((minute) => at(id, minute))),
      );
      const minutes = async (from: number, to: number, limit: number) => {
        const query = {
          marketId: id,
          lengthMs: MINUTE,
          from: start + from * MINUTE,
          to: start + to * MINUTE,
          limit,
        };
        return (await storage.read((r) => r.candles.list(query))).map(({ time }) => (time - start) / MINUTE);
      };
      check.equal(await minutes(0, 100, 10), [0, 2, 4, 7, 9], 'all');
      check.equal(await minutes(2, 9, 10), [2, 4, 7], 'from inclusive, to exclusive');
      check.equal(await minutes(0, 100, 2), [7, 9], 'the newest two');
      check.equal(await minutes(0, 9, 2), [4, 7], 'the newest two before an instant');
      check.equal(await minutes(5, 7, 10), [], 'none');
    },
  );

  test('give the last one before an instant', 'lastCandle', async ({ storage, check }) => {
    const { id } = await addMarket(storage);
    await storage.transaction((transaction) =>
      transaction.candles.merge([at(id, 2), at(id, 5, { close: 7 })]),
    );
    const last = (time: number) =>
      storage.read((r) => r.candles.lastBefore({ marketId: id, lengthMs: MINUTE, time }));
    check.equal(await last(start + 100 * MINUTE), at(id, 5, { close: 7 }), 'long after');
    check.equal(await last(start + 5 * MINUTE), at(id, 2), 'at the start of a bucket');
    check.equal(await last(start + 2 * MINUTE), null, 'before all');
  });

  test('give the volume of many markets since an instant', 'candleVolumes', async ({ storage, check }) => {
    const [one, two, none] = [await addMarket(storage), await addMarket(storage), await addMarket(storage)];
    await storage.transaction((transaction) =>
      transaction.candles.merge([
        at(one.id, 1, { volume: 5n }),
        at(one.id, 3, { volume: 7n }),
        at(one.id, 4, { volume: GREATEST - 7n }),
        at(two.id, 3, { volume: 11n }),
        at(two.id, 9, { volume: 100n, lengthMs: HOUR }),
      ]),
    );
    const since = async (minute: number) => {
      const marketIds = [two.id, one.id, none.id, 999_999];
      const query = { marketIds, lengthMs: MINUTE, from: start + minute * MINUTE };
      return [...(await storage.read((r) => r.candles.volumes(query)))].sort(([a], [b]) => a - b);
    };
    const both = [
      [one.id, GREATEST],
      [two.id, 11n],
    ];
    check.equal(await since(3), both, 'inclusive');
    check.equal(await since(4), [[one.id, GREATEST - 7n]]);
    check.equal(await since(5), [], 'none');
  });
}
