import { atMostEvery } from '../../../site/browser/live/at-most-every';
import { createLiveView } from '../../../site/browser/live/live-view';
import {
  applyToList,
  applyToMarket,
  changesDecision,
  isChartBehind,
} from '../../../site/browser/live/market-data';
import type { ChannelEvent } from '../../../src/client/live/server-messages';
import { manualTimers, quiet } from '../../jobs/manual-timers';
import { fakeCandles, fakeDetail, fakeTrades, NOW } from '../fake-market';
import { event } from '../../client/live/support';

describe('the data of a page', () => {
  function view() {
    const timers = manualTimers();
    const drawn: number[][] = [];
    const readings: { seq: number | null; end(data: number[] | Error): Promise<void> }[] = [];
    let changes = 0;
    const live = createLiveView<number[]>(
      {
        load: (seq) =>
          new Promise((resolve, reject) => {
            readings.push({
              seq,
              async end(data) {
                if (data instanceof Error) reject(data);
                else resolve(data);
                await quiet();
              },
            });
          }),
        apply: (data, { seq }) => (data.includes(seq) ? data : [...data, seq]),
        draw: (data) => void drawn.push(data),
      },
      timers,
      () => (changes += 1),
    );
    return { live, timers, drawn, readings, changes: () => changes };
  }
  const tell = (seq: number): ChannelEvent => event('market:1', seq, null);

  it('contains what arrived during a reading, whether the reading found it or not', async () => {
    const { live, drawn, readings } = view();
    live.stale(3);
    expect(readings[0]?.seq).toBe(3);
    live.event(tell(4));
    live.event(tell(5));
    await readings[0]?.end([3, 4]);
    expect([drawn.at(-1), live.state()]).toEqual([[3, 4, 5], 'fresh']);
    live.event(tell(6));
    expect(drawn.at(-1)).toEqual([3, 4, 5, 6]);
  });

  it('is not fresh while a reading fails, and is read until it succeeds', async () => {
    const { live, timers, readings, changes } = view();
    live.stale(3);
    await readings[0]?.end(new Error('away'));
    expect([live.state(), timers.delays()]).toEqual(['failed', [3_000]]);
    await timers.fire(3_000);
    await readings[1]?.end([3]);
    expect([live.state(), changes()]).toEqual(['fresh', 3]);
  });

  it('is fresh only as of the last place that it was told of', async () => {
    const { live, readings } = view();
    live.stale(3);
    live.stale(9);
    await readings[0]?.end([3]);
    expect(live.state()).toBe('reading');
    await readings[1]?.end([3, 9]);
    expect(live.state()).toBe('fresh');
  });

  it('is not set back by an older reading that ends later', async () => {
    const { live, drawn, readings } = view();
    const first = live.refresh();
    const second = live.refresh();
    await readings[1]?.end([1, 2]);
    await readings[0]?.end([1]);
    await Promise.all([first, second]);
    expect(drawn.at(-1)).toEqual([1, 2]);
  });

  it('is read as of the newest message, so that no answer from before it is shared', async () => {
    const { live, readings } = view();
    live.event(tell(7));
    live.event(tell(6));
    const reading = live.refresh();
    expect(readings[0]?.seq).toBe(7);
    await readings[0]?.end([7]);
    await reading;
  });

  it('keeps no endless list of messages while a reading hangs', async () => {
    const { live, readings } = view();
    const reading = expect(live.refresh()).rejects.toThrow('Too many messages');
    for (let seq = 1; seq <= 2_001; seq += 1) live.event(tell(seq));
    await readings[0]?.end([]);
    await reading;
  });
});

describe('what a message changes', () => {
  const data = {
    market: fakeDetail(1),
    history: { marketId: 1, interval: '1h' as const, candles: fakeCandles(3) },
    trades: fakeTrades(20),
    decision: null,
  };
  const trade = (id: number, createdAt: string): ChannelEvent => ({
    ...event('market:1', 9, null),
    event: 'trade',
    data: {
      ...fakeTrades(1)[0],
      id,
      createdAt,
      ...{ yesPrice: 0.9, noPrice: 0.1, volume: 77, liquidity: 5 },
    },
  });
  const inLastCandle = data.history.candles[2]?.time ?? '';

  it('a trade: prices, the first row, and the candle that it falls into', () => {
    const next = applyToMarket(data, trade(21, inLastCandle));
    expect(next.market).toMatchObject({ yesPrice: 0.9, noPrice: 0.1, volume: 77, liquidity: 5 });
    expect(next.trades.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => 21 - index));
    expect(Object.keys(next.trades[0] ?? {}).sort()).toEqual(Object.keys(data.trades[0] ?? {}).sort());
    expect(next.history.candles.at(-1)).toMatchObject({ close: 0.9, high: 0.9 });
    expect(next.history.candles).toHaveLength(3);
  });

  it('a trade that the data contain already: no second row', () => {
    expect(applyToMarket(data, trade(20, inLastCandle)).trades).toHaveLength(20);
    expect(applyToMarket(data, trade(3, inLastCandle)).trades.map(({ id }) => id)).toEqual(
      data.trades.map(({ id }) => id),
    );
  });

  it('a trade after the last candle needs another candle', () => {
    expect(isChartBehind(data, new Date(NOW - 1).toISOString())).toBe(false);
    expect(isChartBehind(data, new Date(NOW).toISOString())).toBe(true);
    expect(isChartBehind({ ...data, history: { ...data.history, candles: [] } }, inLastCandle)).toBe(true);
  });

  it('the resolution, of which the page has to read the rest', () => {
    const told = (name: string): ChannelEvent => ({ ...event('market:1', 9, null), event: name });
    const names = ['market.resolving', 'market.proposed', 'market.escalated', 'trade'];
    expect(names.filter((name) => changesDecision(told(name)))).toEqual(names.slice(1, 3));
  });

  it('the status of the market, and nothing for what is not known', () => {
    const told = { ...event('market:1', 9, null), event: 'market.resolved', data: { status: 'resolved' } };
    expect(applyToMarket(data, told).market.status).toBe('resolved');
    expect(applyToMarket(data, { ...told, event: 'something.newer' })).toBe(data);
  });

  it('a price: the figures of its market in a list', () => {
    const figures = { yesPrice: 0.7, noPrice: 0.3, volume: 5, liquidity: 6 };
    const told = { ...event('prices', 9, null), event: 'price', data: { marketId: 2, ...figures } };
    const [first, second] = applyToList([fakeDetail(1), fakeDetail(2)], told);
    expect(first).toEqual(fakeDetail(1));
    expect(second).toEqual({ ...fakeDetail(2), ...figures });
  });
});

it('work that many messages wish for runs at the first, and once more after the time', async () => {
  const timers = manualTimers();
  let runs = 0;
  const wish = atMostEvery(timers, 5_000, async () => {
    runs += 1;
    throw new Error('no answer');
  });
  wish();
  wish();
  wish();
  expect(runs).toBe(1);
  await timers.fire(5_000);
  expect(runs).toBe(2);
  await timers.fire(5_000);
  expect([runs, timers.delays()]).toEqual([2, []]);
});
