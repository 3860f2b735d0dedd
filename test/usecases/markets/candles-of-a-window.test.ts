import fc from 'fast-check';
import { createTestMarket } from '../../../testing';
import { buildCandles, candlesOfTrade } from '../../../src/domain/candles';
import type { CandleView } from '../../../src/views/price';

const MINUTE_MS = 60_000;

describe('candles of a window that begins with a trade', () => {
  it('are the last ones of the whole history', () => {
    const marketId = 1;
    const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 20 });
    const limits = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(
        minutes,
        fc.infiniteStream(fc.integer({ min: 10_000, max: 990_000 })),
        limits,
        (at, prices, limit) => {
          let before = 500_000;
          const stored = [...at]
            .sort((one, other) => one - other)
            .map((minute) => {
              const yesPriceAfter = prices.next().value;
              const trade = { marketId, notional: 1n, yesPriceAfter, createdAt: minute * MINUTE_MS };
              const [candle] = candlesOfTrade(trade, before);
              before = yesPriceAfter;
              if (candle === undefined) throw new Error('a trade without candles');
              return candle;
            });
          const request = { marketId, previousClose: null, to: 60 * MINUTE_MS, intervalMs: 5 * MINUTE_MS };
          const all = buildCandles({ ...request, stored, from: 0, limit: 12 });
          const from = (12 - limit) * 5 * MINUTE_MS;
          const inside = stored.filter((candle) => candle.time >= from);
          const closeBefore = stored.filter((candle) => candle.time < from).at(-1)?.close ?? null;
          // A window with a stored candle needs no earlier close, so `null` must give the same result.
          for (const previousClose of inside.length > 0 ? [closeBefore, null] : [closeBefore]) {
            const part = buildCandles({ ...request, stored: inside, previousClose, from, limit });
            expect(part).toEqual(all.slice(-limit));
          }
        },
      ),
    );
  });

  it('are the last ones of the whole history by the typed method too', async () => {
    const test = await createTestMarket();
    try {
      const { pm, clock } = test;
      const [creator, trader] = [
        '0x00000000000000000000000000000000000000a1',
        '0x00000000000000000000000000000000000000a2',
      ];
      await pm.approveCreator({ address: creator });
      await pm.deposit({ address: trader, amount: 100, reference: 'first' });
      const resolveDate = new Date(clock.now() + 48 * 60 * MINUTE_MS).toISOString();
      const draft = { question: 'Q', resolutionCriteria: 'c', category: 'other', resolveDate } as const;
      const market = (await pm.createMarket({ ...draft, creator })).id;
      for (const amount of [5, 7, 9]) {
        await pm.placeTrade({ wallet: trader, market, side: 'YES', amount });
        clock.advance(15 * MINUTE_MS);
      }
      const history = async (limit: number): Promise<CandleView[]> =>
        (await pm.getPriceHistory({ market, interval: '15m', limit })).candles;
      const all = await history(500);
      for (const limit of [1, 2, 3, 4]) expect(await history(limit)).toEqual(all.slice(-limit));
    } finally {
      await test.close();
    }
  });
});
