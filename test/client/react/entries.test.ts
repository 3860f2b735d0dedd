import type { MarketDetail, Position } from '../../../src/client/api.generated';
import { PredictionMarketApiError, type ApiErrorCode } from '../../../src/client/errors';
import type { ChannelBeginning } from '../../../src/client/live/channel-work';
import type { LiveEvent } from '../../../src/client/live/live-messages';
import { createAccountEntry } from '../../../src/client/react/account-entry';
import { createMarketEntry } from '../../../src/client/react/market-entry';
import { createOrders } from '../../../src/client/react/orders';
import type { ExecutedTrade } from '../../../src/client/api.generated';
import type { Order } from '../../../src/client/markets';
import { manualTimers, quiet } from '../../jobs/manual-timers';

function apiError(
  code: ApiErrorCode,
  outcome: 'refused' | 'unknown' = 'unknown',
  idempotencyKey: string | null = null,
): PredictionMarketApiError {
  const fields = { code, outcome, status: 0, method: 'GET', path: '/', attempts: 1, idempotencyKey };
  return new PredictionMarketApiError(code, fields);
}

function questions<Answer>() {
  const open: { answer(answer: Answer): Promise<void>; fail(error: Error): Promise<void> }[] = [];
  const ask = (): Promise<Answer> =>
    new Promise((resolve, reject) => {
      open.push({
        async answer(answer) {
          resolve(answer);
          await quiet();
        },
        async fail(error) {
          reject(error);
          await quiet();
        },
      });
    });
  return { open, ask };
}

function testTimers() {
  let time = 1_000;
  const timers = manualTimers();
  return { timers: { ...timers, now: () => time }, manual: timers, at: (next: number) => void (time = next) };
}

describe('a market', () => {
  const detail = {
    id: 7,
    status: 'open',
    yesPrice: 0.5,
    noPrice: 0.5,
    volume: 0,
    liquidity: 0,
    resolution: null,
  };
  const market = detail as unknown as MarketDetail;
  const beginning = (yesPrice: number, marketSeq: number): ChannelBeginning => ({
    ...{ channels: ['market:7'], epoch: 'e1', seq: 10, reason: null },
    snapshot: { markets: [{ ...market, yesPrice, marketSeq }] },
  });
  const event = (name: string, marketSeq: number, data: object): LiveEvent =>
    ({ type: 'event', channel: 'market:7', event: name, marketSeq, data }) as unknown as LiveEvent;

  function entry() {
    const { timers, at } = testTimers();
    const asked = questions<MarketDetail>();
    const { cell, follower, ask } = createMarketEntry({ timers, markets: { get: asked.ask } as never }, 7);
    return { cell, follower, ask, at, open: asked.open };
  }

  it('is live from its snapshot on, and changes with trades that the snapshot does not contain', () => {
    const { cell, follower, at } = entry();
    expect(cell.get()).toEqual({ status: 'loading', data: null, since: null, error: null });
    follower.begin(beginning(0.5, 4));
    at(2_000);
    follower.event(event('trade', 4, { yesPrice: 0.1 }));
    expect(cell.get()).toMatchObject({ status: 'live', since: 1_000, data: { yesPrice: 0.5 } });
    follower.event(event('trade', 5, { yesPrice: 0.6, noPrice: 0.4, volume: 1, liquidity: 2 }));
    expect(cell.get()).toMatchObject({ status: 'live', since: 1_000, data: { yesPrice: 0.6, noPrice: 0.4 } });
    expect(cell.get().data).not.toHaveProperty('marketSeq');
  });

  it('is stale as of the loss of the connection, and live again with the next snapshot', () => {
    const { cell, follower, at } = entry();
    follower.begin(beginning(0.5, 4));
    at(3_000);
    follower.lost();
    at(4_000);
    expect(cell.get()).toMatchObject({ status: 'stale', since: 3_000, data: { yesPrice: 0.5 } });
    follower.begin(beginning(0.7, 9));
    expect(cell.get()).toMatchObject({ status: 'live', since: 4_000, data: { yesPrice: 0.7 } });
  });

  it('is stale when it was asked for, and an answer that comes after the snapshot changes nothing', async () => {
    const { cell, follower, ask, at, open } = entry();
    const first = ask();
    at(5_000);
    await open[0]?.answer({ ...market, yesPrice: 0.3 });
    await first;
    expect(cell.get()).toMatchObject({ status: 'stale', since: 1_000, data: { yesPrice: 0.3 } });
    const second = ask();
    follower.begin(beginning(0.8, 9));
    await open[1]?.answer({ ...market, yesPrice: 0.4 });
    await second;
    expect(cell.get()).toMatchObject({ status: 'live', data: { yesPrice: 0.8 } });
  });

  it('is stale between its resolution and the answer that tells who decided', async () => {
    const { cell, follower, open } = entry();
    follower.begin(beginning(0.5, 4));
    follower.event(event('market.resolved', 5, { status: 'resolved', outcome: 'YES' }));
    expect(cell.get()).toMatchObject({ status: 'stale', data: { status: 'resolved', resolution: null } });
    const resolution = { outcome: 'YES', method: 'oracle', oracleConsensus: 1, resolvedAt: '' } as const;
    await open[0]?.answer({ ...market, resolution });
    expect(cell.get()).toMatchObject({ status: 'live', data: { status: 'resolved', resolution } });
  });

  it('has the error of a refused channel', () => {
    const { cell, follower } = entry();
    follower.refused({ code: 'MARKET_NOT_FOUND', message: 'No such market.' });
    expect(cell.get()).toMatchObject({ status: 'loading', error: { code: 'MARKET_NOT_FOUND', status: 404 } });
  });
});

describe('the positions', () => {
  const held = (shares: number): Position => ({ marketId: 7, side: 'YES', shares }) as Position;
  const beginning: ChannelBeginning = {
    channels: ['account'],
    epoch: 'e1',
    seq: 1,
    snapshot: {},
    reason: null,
  };
  const news = { type: 'event', channel: 'account', event: 'account.trade' } as LiveEvent;

  function entry(key: string | null = 'pmk_1') {
    const { timers, manual, at } = testTimers();
    const asked = questions<Position[]>();
    const changes = new Set<() => void>();
    let present = key;
    const client = {
      timers,
      key: {
        get: () => present,
        onChange(listener: () => void) {
          changes.add(listener);
          return () => changes.delete(listener);
        },
      },
      account: {
        async *allPositions() {
          yield* await asked.ask();
        },
      },
    };
    const made = createAccountEntry(client as never);
    const use = (next: string | null): void => {
      present = next;
      for (const listener of changes) listener();
    };
    return { ...made, use, manual, at, open: asked.open, changes };
  }

  it('are stale until they were read after the channel began, and again after each message', async () => {
    const { cell, follower, open } = entry();
    await open[0]?.answer([held(1)]);
    expect(cell.get()).toMatchObject({ status: 'stale', data: [held(1)] });
    follower.begin(beginning);
    expect(cell.get().status).toBe('stale');
    await open[1]?.answer([held(2)]);
    expect(cell.get()).toMatchObject({ status: 'live', data: [held(2)] });
    follower.event(news);
    expect(cell.get()).toMatchObject({ status: 'stale', data: [held(2)] });
    await open[2]?.answer([held(3)]);
    expect(cell.get()).toMatchObject({ status: 'live', data: [held(3)] });
  });

  it('are read once more when a message came during a reading, and not once for each message', async () => {
    const { cell, follower, open } = entry();
    follower.begin(beginning);
    for (let count = 0; count < 5; count += 1) follower.event(news);
    expect(open).toHaveLength(1);
    await open[0]?.answer([held(1)]);
    expect(cell.get().status).toBe('stale');
    expect(open).toHaveLength(2);
    await open[1]?.answer([held(2)]);
    expect(cell.get()).toMatchObject({ status: 'live', data: [held(2)] });
  });

  it('of another key are gone at once, and an answer to the key before is not shown', async () => {
    const { cell, open, use } = entry();
    await open[0]?.answer([held(1)]);
    use('pmk_2');
    expect(cell.get()).toMatchObject({ status: 'loading', data: null });
    use('pmk_3');
    await open[1]?.answer([held(66)]);
    expect(cell.get()).toMatchObject({ status: 'loading', data: null });
    await open[2]?.answer([held(3)]);
    expect(cell.get()).toMatchObject({ status: 'stale', data: [held(3)] });
    use(null);
    expect([cell.get().status, open.length]).toEqual(['loading', 3]);
  });

  it('are read again after a failure, but not when the key may not read them', async () => {
    const { cell, open, manual, end, changes } = entry();
    await open[0]?.fail(apiError('NETWORK_ERROR'));
    expect(cell.get()).toMatchObject({ status: 'loading', error: { code: 'NETWORK_ERROR' } });
    await manual.fire(3_000);
    await open[1]?.fail(apiError('INSUFFICIENT_SCOPE', 'refused'));
    expect([cell.get().error?.code, manual.delays()]).toEqual(['INSUFFICIENT_SCOPE', []]);
    end?.();
    expect(changes.size).toBe(0);
  });
});

describe('orders', () => {
  const trade = { id: 1 } as ExecutedTrade;
  const order = { side: 'YES', amount: 5 } as const;

  function orders() {
    const asked = questions<ExecutedTrade>();
    const keys: string[] = [];
    /** For each call of the service, whether the call had an idempotency key. */
    const brought: boolean[] = [];
    const told: string[] = [];
    const made = createOrders(
      {
        place(_market, _order, { idempotencyKey } = {}) {
          brought.push(idempotencyKey !== undefined);
          keys.push(idempotencyKey ?? `key ${keys.length}`);
          return asked.ask();
        },
      },
      {
        placing: () => told.push('placing'),
        placed: () => told.push('placed'),
        failed: () => told.push('failed'),
      },
    );
    async function send(code?: ApiErrorCode, outcome?: 'refused', sent: Order = order): Promise<void> {
      const result = made.place(7, sent).catch(() => undefined);
      const question = asked.open.at(-1);
      if (code === undefined) await question?.answer(trade);
      else await question?.fail(apiError(code, outcome, keys.at(-1)));
      await result;
    }
    return { ...made, open: asked.open, keys, brought, told, send };
  }

  it('are sent once while they are under way, and another one is refused', async () => {
    const { place, open, told } = orders();
    const both = [place(7, order), place(7, order)];
    await expect(place(7, { side: 'NO', amount: 5 })).rejects.toThrow('Another order is under way.');
    await open[0]?.answer(trade);
    expect(await Promise.all(both)).toEqual([trade, trade]);
    expect([open.length, told]).toEqual([1, ['placing', 'placed']]);
  });

  it('have a new key each, but the same key again while it is not known whether they were executed', async () => {
    const { keys, brought, forget, send } = orders();
    await send();
    await send('MARKET_CLOSED', 'refused');
    await send('NETWORK_ERROR');
    await send('TIMEOUT');
    await send();
    await send('NETWORK_ERROR');
    forget();
    await send();
    const [executed, refused, lost, again, found, lostToo, last] = keys;
    expect([again, found]).toEqual([lost, lost]);
    expect(new Set([executed, refused, lost, lostToo, last]).size).toBe(5);
    expect(brought).toEqual([false, false, false, true, true, false, false]);
  });

  it('keep the key after a refusal, which does not say what became of the copy that was lost', async () => {
    const { keys, send } = orders();
    await send('NETWORK_ERROR');
    await send('RATE_LIMIT_EXCEEDED', 'refused');
    await send('SLIPPAGE_EXCEEDED', 'refused');
    await send();
    await send();
    const [lost, limited, slipped, executed, next] = keys;
    expect([limited, slipped, executed]).toEqual([lost, lost, lost]);
    expect(next).not.toBe(lost);
  });

  it('keep the key of each order whose outcome is not known, while other orders are placed', async () => {
    const { keys, send, forget } = orders();
    const other: Order = { side: 'NO', amount: 7 };
    await send('NETWORK_ERROR');
    await send('NETWORK_ERROR', undefined, other);
    await send(undefined, undefined, { side: 'NO', amount: 8 });
    await send();
    await send();
    await send('TIMEOUT', undefined, other);
    forget();
    await send(undefined, undefined, other);
    const [first, second, , firstAgain, newOne, secondAgain, secondAnew] = keys;
    expect([firstAgain, secondAgain]).toEqual([first, second]);
    expect(new Set([first, second, newOne, secondAnew]).size).toBe(4);
  });

  it('of unknown outcome are never so many that one would be forgotten', async () => {
    const { keys, place, forget, send } = orders();
    for (let amount = 1; amount <= 100; amount += 1)
      await send('NETWORK_ERROR', undefined, { side: 'YES', amount });
    await expect(place(7, { side: 'NO', amount: 1 })).rejects.toThrow('100 orders');
    await send(undefined, undefined, { side: 'YES', amount: 1 });
    expect(keys[100]).toBe(keys[0]);
    await send('NETWORK_ERROR', undefined, { side: 'NO', amount: 1 });
    await expect(place(7, { side: 'NO', amount: 2 })).rejects.toThrow('100 orders');
    forget();
    await send(undefined, undefined, { side: 'NO', amount: 2 });
  });

  it('are the same in any order of their fields', async () => {
    const { keys, send } = orders();
    await send('NETWORK_ERROR');
    await send(undefined, undefined, { amount: 5, side: 'YES', maxPrice: undefined } as unknown as Order);
    expect(keys[1]).toBe(keys[0]);
  });
});
