import { openLive, type LiveOptions, type LiveSubscription } from '../../../src/client/live/open-live';
import type { LiveMessage, LiveState } from '../../../src/client/live/live-messages';
import { manualTimers, quiet } from '../../jobs/manual-timers';
import { fakeSockets, type FakeSocket } from './fake-sockets';
import { event, subscribed, welcome } from './support';

const FIRST_WAIT_MS = 750;

interface Bench {
  live: LiveSubscription;
  sockets: FakeSocket[];
  last(): FakeSocket;
  timers: ReturnType<typeof manualTimers>;
  states: LiveState[];
  /** The first call calls `live.next()`. The fake server then sends a welcome with the position `head`. */
  connect(head: number): void;
  confirm(seq: number): void;
  /** The first call returns the promise of the `live.next()` that `connect` has called. */
  next(): Promise<IteratorResult<LiveMessage, undefined>>;
}

function openOn(channels: readonly string[], options: LiveOptions = {}, fetch = noStreams): Bench {
  const { sockets, socketClass, last } = fakeSockets();
  const states: LiveState[] = [];
  const timers = manualTimers();
  const live = openLive(
    channels,
    { onState: (state) => states.push(state), ...options },
    { apiUrl: 'https://market.example/api/v2', fetch, socketClass, timers, random: () => 0.5 },
  );
  let first: Promise<IteratorResult<LiveMessage, undefined>> | null = null;
  return {
    live,
    sockets,
    last,
    timers,
    states,
    connect(head) {
      if (sockets.length === 0) first = live.next();
      last().say(welcome(head));
    },
    confirm(seq) {
      for (const { op, id, channels: asked } of [...last().sent])
        if (op === 'subscribe') last().say(subscribed(id as number, asked as string[], seq));
    },
    next() {
      const waiting = first ?? live.next();
      first = null;
      return waiting;
    },
  };
}

const noStreams: typeof globalThis.fetch = () => Promise.reject(new Error('no stream'));

async function taken(bench: Bench, count: number): Promise<string[]> {
  const lines: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { value } = await bench.next();
    if (value === undefined) lines.push('end');
    else if (value.type === 'event') lines.push(`${value.channel} ${String(value.seq)}`);
    else lines.push(`${value.type} ${value.channels.join(' ')} at ${String(value.seq)}`);
  }
  return lines;
}

describe('one subscription of all channels', () => {
  it('begins with a snapshot of all, and connects at the first `next`', async () => {
    const bench = openOn(['trades', 'market:7']);
    expect(bench.sockets).toEqual([]);
    bench.connect(10);
    expect(bench.last().address).toBe('wss://market.example/api/v2/ws');
    expect(bench.last().sent).toEqual([{ op: 'subscribe', id: 1, channels: ['trades', 'market:7'] }]);
    const balance = { balance: 5, reserved: 0, available: 5 };
    const told = {
      ...subscribed(1, ['trades', 'market:7'], 10),
      snapshot: { markets: [], account: balance },
    };
    bench.last().say(told);
    expect((await bench.next()).value).toEqual({
      ...{ type: 'snapshot', channels: ['trades', 'market:7'], epoch: 'e1', seq: 10 },
      ...{ markets: [], account: balance },
    });
    expect(bench.states).toEqual(['live']);
  });

  it('resumes all channels behind the newest fact that is known to be whole', async () => {
    const bench = openOn(['trades', 'market:7']);
    bench.connect(10);
    bench.confirm(10);
    bench.last().say(event('trades', 12, 10));
    bench.last().say(event('market:7', 12, 9));
    bench.last().say(event('trades', 14, 12));
    bench.last().end();
    await bench.timers.fire(FIRST_WAIT_MS);
    bench.last().say(welcome(20));
    expect(bench.last().sent.map(({ since }) => since)).toEqual([{ epoch: 'e1', seq: 13 }]);
    bench.last().say(event('trades', 14, 12));
    bench.last().say(event('market:7', 14, 12));
    expect(await taken(bench, 5)).toEqual([
      'snapshot trades market:7 at 10',
      'trades 12',
      'market:7 12',
      'trades 14',
      'market:7 14',
    ]);
    expect(bench.live.position()).toEqual({ epoch: 'e1', seq: 13 });
  });

  it('takes `prev` as the proof that nothing is missing, and resumes before a gap', async () => {
    const bench = openOn(['trades']);
    bench.connect(10);
    bench.confirm(10);
    bench.last().say(event('trades', 12, 8));
    bench.last().say(event('trades', 15, 13));
    expect(bench.last().isOpen).toBe(false);
    await bench.timers.fire(FIRST_WAIT_MS);
    bench.last().say(welcome(15));
    expect(bench.last().sent.map(({ since }) => since)).toEqual([{ epoch: 'e1', seq: 12 }]);
    bench.last().say(event('trades', 13, 12));
    expect(await taken(bench, 3)).toEqual(['snapshot trades at 10', 'trades 12', 'trades 13']);
  });

  it('goes on from a position of the caller, without a snapshot', async () => {
    const bench = openOn(['trades'], { since: { epoch: 'e1', seq: 4 } });
    bench.connect(10);
    expect(bench.last().sent).toEqual([
      { op: 'subscribe', id: 1, channels: ['trades'], since: { epoch: 'e1', seq: 4 } },
    ]);
    bench.confirm(4);
    bench.last().say(event('trades', 6, 3));
    expect(await taken(bench, 1)).toEqual(['trades 6']);
    expect(bench.live.position()).toEqual({ epoch: 'e1', seq: 6 });
  });
});

describe('a resync is a message that the caller sees', () => {
  it('with the reason of the server', async () => {
    const bench = openOn(['trades'], { since: { epoch: 'e1', seq: 4 } });
    bench.connect(10);
    bench.confirm(4);
    bench.last().say({
      ...{ type: 'resync', id: 1, channels: ['trades'], reason: 'RETENTION', epoch: 'e1', seq: 90 },
      snapshot: { seq: 90, markets: [] },
    });
    expect((await bench.next()).value).toMatchObject({ type: 'resync', reason: 'RETENTION', seq: 90 });
    expect(bench.live.position()).toEqual({ epoch: 'e1', seq: 90 });
  });

  it('when the position is of another epoch', async () => {
    const bench = openOn(['trades'], { since: { epoch: 'e0', seq: 4 } });
    bench.connect(10);
    expect(bench.last().sent).toEqual([{ op: 'subscribe', id: 1, channels: ['trades'] }]);
    bench.confirm(10);
    expect((await bench.next()).value).toMatchObject({
      type: 'resync',
      reason: 'EPOCH',
      epoch: 'e1',
      seq: 10,
    });
  });

  it('after a cut, when the caller wants the state and not what it has missed', async () => {
    const bench = openOn(['market:7'], { resume: false });
    bench.connect(10);
    bench.confirm(10);
    bench.last().end();
    await bench.timers.fire(FIRST_WAIT_MS);
    bench.last().say(welcome(11));
    bench.confirm(11);
    expect(await taken(bench, 2)).toEqual(['snapshot market:7 at 10', 'resync market:7 at 11']);
    expect(bench.states).toEqual(['live', 'connecting', 'live']);
  });

  it('after a cut, for prices of which some may be left out; the other channels resume', async () => {
    const bench = openOn(['prices', 'trades'], { conflate: true });
    bench.connect(10);
    expect(bench.last().sent).toEqual([
      { op: 'subscribe', id: 1, channels: ['trades'] },
      { op: 'subscribe', id: 2, channels: ['prices'], conflate: true },
    ]);
    bench.confirm(10);
    bench.last().say(event('trades', 12, 10));
    bench.last().end();
    await bench.timers.fire(FIRST_WAIT_MS);
    bench.last().say(welcome(13));
    expect(bench.last().sent.map(({ since }) => since)).toEqual([{ epoch: 'e1', seq: 12 }, undefined]);
    bench.confirm(13);
    expect(await taken(bench, 4)).toEqual([
      'snapshot trades at 10',
      'snapshot prices at 10',
      'trades 12',
      'resync prices at 13',
    ]);
    expect(bench.live.position()).toEqual({ epoch: 'e1', seq: 12 });
  });
});

describe('the state', () => {
  async function resumed(): Promise<Bench> {
    const bench = openOn(['trades']);
    bench.connect(10);
    bench.confirm(10);
    bench.last().end();
    await bench.timers.fire(FIRST_WAIT_MS);
    bench.last().say(welcome(14));
    bench.confirm(10);
    expect(bench.states).toEqual(['live', 'connecting', 'behind']);
    return bench;
  }

  it('is behind after a cut until what the server had then has come', async () => {
    const bench = await resumed();
    bench.last().say(event('trades', 12, 10));
    expect(bench.live.state()).toBe('behind');
    bench.last().say(event('trades', 14, 12));
    expect(bench.live.state()).toBe('live');
  });

  it('is behind although conflated prices begin anew and go on, until the missed messages have come', async () => {
    const bench = openOn(['prices', 'trades'], { conflate: true });
    bench.connect(10);
    bench.confirm(10);
    bench.last().end();
    await bench.timers.fire(FIRST_WAIT_MS);
    bench.last().say(welcome(14));
    bench.confirm(10);
    expect(bench.live.state()).toBe('behind');
    bench.last().say(event('prices', 15, null));
    expect(bench.live.state()).toBe('behind');
    bench.last().say(event('trades', 14, 10));
    expect(bench.live.state()).toBe('live');
  });

  it('is behind on a quiet channel until the server was silent for a whole interval', async () => {
    const bench = await resumed();
    bench.last().say({ type: 'heartbeat' });
    expect(bench.live.state()).toBe('behind');
    bench.last().say({ type: 'heartbeat' });
    expect(bench.live.state()).toBe('live');
  });

  it('is behind while many messages wait for the caller, until it has taken all of them', async () => {
    const bench = openOn(['trades']);
    bench.connect(0);
    bench.confirm(0);
    for (let seq = 1; seq <= 101; seq += 1) bench.last().say(event('trades', seq, seq - 1));
    expect(bench.live.state()).toBe('behind');
    await taken(bench, 101);
    expect(bench.live.state()).toBe('behind');
    await taken(bench, 1);
    expect(bench.live.state()).toBe('live');
  });

  it('ends the iterator with the error of a listener that throws', async () => {
    const onState = (): void => {
      throw new Error('the listener fails');
    };
    const bench = openOn(['trades'], { onState });
    bench.connect(1);
    bench.confirm(1);
    expect(await taken(bench, 1)).toEqual(['snapshot trades at 1']);
    await expect(bench.next()).rejects.toThrow('the listener fails');
    expect(bench.last().isOpen).toBe(false);
  });

  it('ends the iterator with the error of a listener whose promise rejects, instead of the process', async () => {
    const onState = jest.fn().mockRejectedValue(new Error('the listener fails later'));
    const bench = openOn(['trades'], { onState });
    bench.connect(1);
    bench.confirm(1);
    await quiet();
    expect(bench.last().isOpen).toBe(false);
    expect(await taken(bench, 1)).toEqual(['snapshot trades at 1']);
    await expect(bench.next()).rejects.toThrow('the listener fails later');
  });
});

describe('the end', () => {
  it('of a caller that is too slow is an error, after all that has come; nothing is lost', async () => {
    const bench = openOn(['trades'], { inboxLimit: 3 });
    bench.connect(0);
    bench.confirm(0);
    for (let seq = 1; seq <= 5; seq += 1) bench.last().say(event('trades', seq, seq - 1));
    expect(bench.last().isOpen).toBe(false);
    expect(await taken(bench, 4)).toEqual(['snapshot trades at 0', 'trades 1', 'trades 2', 'trades 3']);
    await expect(bench.next()).rejects.toMatchObject({
      ...{ name: 'LiveInboxFullError', code: 'INBOX_FULL', position: { epoch: 'e1', seq: 3 } },
      message: expect.stringMatching(/^More than 3 messages/) as string,
    });
    expect(await taken(bench, 1)).toEqual(['end']);
  });

  it('of a refused channel is its error', async () => {
    const bench = openOn(['market:99']);
    bench.connect(0);
    const first = bench.next();
    bench.last().say({ type: 'error', id: 1, code: 'MARKET_NOT_FOUND', message: 'No such market.' });
    await expect(first).rejects.toMatchObject({ code: 'MARKET_NOT_FOUND', status: 404, outcome: 'refused' });
    expect(bench.last().isOpen).toBe(false);
    expect(bench.timers.delays()).toEqual([]);
  });

  it('of a command that the server cannot serve now is no end: it is sent again', async () => {
    const bench = openOn(['trades']);
    bench.connect(0);
    bench.last().say({ type: 'error', id: 1, code: 'SERVICE_UNAVAILABLE', message: 'Later.' });
    await bench.timers.fire(3_000);
    expect(bench.last().sent).toHaveLength(2);
    bench.confirm(0);
    expect(await taken(bench, 1)).toEqual(['snapshot trades at 0']);
  });

  it('of a wrong key and of a revoked key is an error, as is the loss of its scope', async () => {
    const follow = (): Bench => openOn(['account', 'trades'], { apiKey: 'pmk_1' });
    const wrong = follow();
    wrong.connect(0);
    expect(wrong.last().sent).toEqual([{ op: 'auth', id: 1, apiKey: 'pmk_1' }]);
    wrong.last().say({ type: 'error', id: 1, code: 'UNAUTHORIZED', message: 'Invalid or missing API key.' });
    await expect(wrong.next()).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });

    const revoked = follow();
    revoked.connect(0);
    revoked.last().say({ type: 'authenticated', id: 1, address: '0x', scopes: [] });
    expect(revoked.last().sent.at(-1)).toMatchObject({ op: 'subscribe', channels: ['trades', 'account'] });
    revoked.last().say(subscribed(2, ['trades', 'account'], 0));
    revoked.last().end(4401);
    expect(await taken(revoked, 1)).toEqual(['snapshot trades account at 0']);
    await expect(revoked.next()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });

    const narrowed = follow();
    narrowed.connect(0);
    narrowed.last().say({ type: 'authenticated', id: 1, address: '0x', scopes: [] });
    narrowed.last().say({ type: 'unsubscribed', id: null, channels: ['account'] });
    await expect(narrowed.next()).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE', status: 403 });
  });

  it('comes with `break` and with the signal, and closes the connection', async () => {
    const broken = openOn(['trades']);
    broken.connect(0);
    broken.confirm(0);
    for await (const message of { [Symbol.asyncIterator]: () => ({ ...broken.live, next: broken.next }) }) {
      expect(message.type).toBe('snapshot');
      break;
    }
    expect(broken.last().isOpen).toBe(false);
    expect(await taken(broken, 1)).toEqual(['end']);

    const abort = new AbortController();
    const aborted = openOn(['trades'], { signal: abort.signal });
    aborted.connect(0);
    aborted.confirm(0);
    aborted.last().say(event('trades', 1, 0));
    abort.abort();
    expect(await taken(aborted, 2)).toEqual(['snapshot trades at 0', 'end']);
    expect(aborted.last().isOpen).toBe(false);
    expect(aborted.timers.delays()).toEqual([]);
  });
});

describe('without sockets,', () => {
  it('a stream tells what the server refuses', async () => {
    const asked: string[] = [];
    const refuse: typeof globalThis.fetch = async (address) => {
      asked.push(address as string);
      const body = { error: 'No such market.', code: 'MARKET_NOT_FOUND', message: 'No such market.' };
      return Response.json(body, { status: 404 });
    };
    const bench = openOn(['market:99'], {}, refuse);
    const first = bench.next();
    bench.last().end();
    await expect(first).rejects.toMatchObject({ code: 'MARKET_NOT_FOUND', message: 'No such market.' });
    expect(asked).toEqual(['https://market.example/api/v2/stream?channels=market%3A99']);
    await quiet();
    expect(bench.sockets).toHaveLength(1);
  });

  it('the answer of a proxy is no refusal: the client tries again', async () => {
    const refuse: typeof globalThis.fetch = async () => new Response('<html>', { status: 403 });
    const bench = openOn(['trades'], {}, refuse);
    void bench.next();
    bench.last().end();
    await quiet();
    await bench.timers.fire(FIRST_WAIT_MS);
    expect(bench.sockets).toHaveLength(2);
  });
});

it('wrong use is told at once', () => {
  expect(() => openOn([])).toThrow('live needs an array of channels');
  expect(() => openOn(['account'])).toThrow('the channel account needs an API key (connectWallet)');
  expect(() => openOn(['trades'], { conflate: true })).toThrow('conflate is for the channel prices');
  expect(() => openOn(['trades'], { inboxLimit: 0 })).toThrow('inboxLimit');
});
