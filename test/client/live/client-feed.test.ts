import { accept, event, feedOf, sinceOf, subscribed, welcome, type Bench } from './support';

const MARKET = 'market:7';
const WELCOME_MS = 5_000;
const SILENCE_MS = 50_000;
/** These two pauses result from the random number 0.5, which `feedOf` uses by default. */
const FIRST_WAIT_MS = 750;
const SOCKET_AGAIN_MS = 45_000;

function liveOnSocket(channels = [MARKET], head = 10): Bench {
  const bench = feedOf(channels);
  bench.feed.start();
  accept(bench.last(), head);
  return bench;
}

function liveOnStream(channels = [MARKET], head = 10): Bench {
  const bench = feedOf(channels);
  bench.feed.start();
  bench.last().wire.closed('other');
  accept(bench.last(), head);
  return bench;
}

describe('on a socket', () => {
  it('subscribes each channel after the welcome, reads the data as of there, and is live', () => {
    const { last, told, statuses, connections } = liveOnSocket([MARKET, 'markets'], 10);
    expect(connections.map(({ kind }) => kind)).toEqual(['socket']);
    expect(last().sent).toEqual([
      { op: 'subscribe', id: 1, channels: [MARKET] },
      { op: 'subscribe', id: 2, channels: ['markets'] },
    ]);
    expect(told).toEqual([`read ${MARKET} at 10`, 'read markets at 10']);
    expect(statuses).toEqual(['connecting', 'live']);
  });

  it('is not live before each channel is confirmed', () => {
    const { feed, last, statuses } = feedOf([MARKET, 'markets']);
    feed.start();
    last().wire.message(welcome(10));
    last().wire.message(subscribed(1, [MARKET], 10));
    expect(statuses).toEqual(['connecting']);
  });

  it('hands on each message once and in order, and drops copies by seq and channel', () => {
    const { last, told } = liveOnSocket([MARKET, 'trades'], 10);
    told.length = 0;
    for (const sent of [
      event(MARKET, 11, null),
      event('trades', 11, 9),
      event(MARKET, 11, null),
      event(MARKET, 14, 11),
    ])
      last().wire.message(sent);
    expect(told).toEqual([`${MARKET} 11`, 'trades 11', `${MARKET} 14`]);
  });

  it('resumes each channel at its own place after the connection was lost', async () => {
    const { last, told, statuses, timers } = liveOnSocket([MARKET, 'markets'], 10);
    last().wire.message(event(MARKET, 12, 9));
    last().wire.closed('other');
    expect(statuses.at(-1)).toBe('away');
    await timers.fire(FIRST_WAIT_MS);
    last().wire.message(welcome(15));
    expect(last().sent.map(sinceOf)).toEqual([
      { epoch: 'e1', seq: 12 },
      { epoch: 'e1', seq: 10 },
    ]);
    told.length = 0;
    last().wire.message(subscribed(1, [MARKET], 15));
    last().wire.message(event(MARKET, 14, 12));
    last().wire.message(subscribed(2, ['markets'], 15));
    expect(told).toEqual([`${MARKET} 14`]);
    expect(statuses.at(-1)).toBe('live');
  });

  it('reads the data again where the server says resync, and goes on from there', () => {
    const { last, told } = liveOnSocket();
    told.length = 0;
    last().wire.message({ type: 'resync', channels: [MARKET], seq: 90 });
    last().wire.message(event(MARKET, 91, 80));
    expect(told).toEqual([`read ${MARKET} at 90`, `${MARKET} 91`]);
  });

  it('resumes nothing in another epoch', async () => {
    const { last, timers } = liveOnSocket();
    last().wire.closed('other');
    await timers.fire(FIRST_WAIT_MS);
    last().wire.message(welcome(3, 'e2'));
    expect(last().sent.map(sinceOf)).toEqual([null]);
  });

  it('reads the data again instead of receiving thousands of messages', async () => {
    const { last, timers } = liveOnSocket();
    last().wire.closed('other');
    await timers.fire(FIRST_WAIT_MS);
    last().wire.message(welcome(10 + 5_001));
    expect(last().sent.map(sinceOf)).toEqual([null]);
  });

  it('drops a connection on which a message is missing, and resumes before the gap', async () => {
    const { last, told, timers } = liveOnSocket();
    last().wire.message(event(MARKET, 12, 9));
    last().wire.message(event(MARKET, 15, 14));
    expect(last().isOpen).toBe(false);
    await timers.fire(FIRST_WAIT_MS);
    last().wire.message(welcome(15));
    expect(sinceOf(last().sent[0])).toEqual({ epoch: 'e1', seq: 12 });
    expect(told).not.toContain(`${MARKET} 15`);
  });

  it('asks for the last prices only, and checks no order there', () => {
    const { last, told } = liveOnSocket(['prices'], 10);
    expect(last().sent).toEqual([{ op: 'subscribe', id: 1, channels: ['prices'], conflate: true }]);
    last().wire.message(event('prices', 14, 11));
    last().wire.message(event('prices', 12, null));
    last().wire.message(event('prices', 20, 19));
    expect(told.slice(1)).toEqual(['prices 14', 'prices 12', 'prices 20']);
  });

  it('is not live once heartbeats are missing, and connects again', async () => {
    const { last, connections, statuses, timers } = liveOnSocket();
    last().wire.message({ type: 'heartbeat' });
    expect(timers.delays()).toEqual([SILENCE_MS]);
    await timers.fire(SILENCE_MS);
    expect([last().isOpen, statuses.at(-1)]).toEqual([false, 'away']);
    await timers.fire(FIRST_WAIT_MS);
    expect(connections.map(({ kind }) => kind)).toEqual(['socket', 'socket']);
  });

  it('asks once more after a while where the storage was away', async () => {
    const { feed, last, timers, statuses } = feedOf([MARKET]);
    feed.start();
    last().wire.message(welcome(10));
    last().wire.message({ type: 'error', id: 1, code: 'SERVICE_UNAVAILABLE' });
    expect(last().sent).toHaveLength(1);
    await timers.fire(3_000);
    last().wire.message(subscribed(2, [MARKET], 10));
    expect(statuses.at(-1)).toBe('live');
  });

  it('makes no connection for a page that follows nothing', () => {
    const { feed, connections, statuses } = feedOf([]);
    feed.start();
    expect([connections, statuses]).toEqual([[], ['connecting']]);
  });
});

describe('the wallet of the page', () => {
  it('is authenticated on the socket that is open, then its account is subscribed', () => {
    const { feed, last, connections, statuses } = liveOnSocket();
    feed.useKey('pmk_a');
    expect(statuses.at(-1)).toBe('connecting');
    expect(last().sent.at(-1)).toEqual({ op: 'auth', id: 2, apiKey: 'pmk_a' });
    last().wire.message({ type: 'authenticated', id: 2 });
    expect(last().sent.at(-1)).toEqual({ op: 'subscribe', id: 3, channels: ['account'] });
    last().wire.message(subscribed(3, ['account'], 12));
    expect([statuses.at(-1), connections.length]).toEqual(['live', 1]);
  });

  it('gets a connection of its own when another wallet takes its place, and resumes nothing of the other', async () => {
    const { feed, last, connections } = liveOnSocket();
    feed.useKey('pmk_a');
    last().wire.message({ type: 'authenticated', id: 2 });
    last().wire.message(subscribed(3, ['account'], 12));
    feed.useKey('pmk_b');
    expect(connections.map(({ isOpen }) => isOpen)).toEqual([false, true]);
    last().wire.message(welcome(12));
    last().wire.message({ type: 'authenticated', id: 2 });
    expect(last().sent.map(({ op, since }) => [op, since])).toEqual([
      ['subscribe', { epoch: 'e1', seq: 10 }],
      ['auth', undefined],
      ['subscribe', undefined],
    ]);
  });

  it('is the only reason for a connection on a page without channels', () => {
    const { feed, last, connections, statuses } = feedOf([]);
    feed.start();
    feed.useKey('pmk_a');
    last().wire.message(welcome(10));
    last().wire.message({ type: 'authenticated', id: 1 });
    last().wire.message(subscribed(2, ['account'], 10));
    expect(statuses).toEqual(['connecting', 'live']);
    feed.useKey(null);
    expect([connections.map(({ isOpen }) => isOpen), statuses.at(-1)]).toEqual([[false], 'connecting']);
  });

  it('is signed out when its key is revoked, and the page goes on without it', async () => {
    const { feed, last, told, timers } = liveOnSocket();
    feed.useKey('pmk_a');
    last().wire.closed('key');
    expect(told.at(-1)).toBe('key refused');
    await timers.fire(FIRST_WAIT_MS);
    accept(last(), 10);
    expect(last().sent.map(({ op }) => op)).toEqual(['subscribe']);
  });

  it('is signed out when its key is wrong, and the connection stays', () => {
    const { feed, last, told, statuses } = liveOnSocket();
    feed.useKey('pmk_a');
    last().wire.message({ type: 'error', id: 2, code: 'UNAUTHORIZED' });
    expect([told.at(-1), statuses.at(-1), last().isOpen]).toEqual(['key refused', 'live', true]);
  });

  it('is not signed out when its key may not read the account', () => {
    const { feed, last, told, statuses } = liveOnSocket();
    feed.useKey('pmk_a');
    last().wire.message({ type: 'authenticated', id: 2 });
    last().wire.message({ type: 'error', id: 3, code: 'INSUFFICIENT_SCOPE' });
    expect([told.at(-1), statuses.at(-1)]).toEqual([`read ${MARKET} at 10`, 'live']);
  });

  it('begins anew after the server took it off a stream, because its messages were not sent meanwhile', async () => {
    const { feed, last, timers } = liveOnStream();
    feed.useKey('pmk_a');
    last().wire.closed('other');
    accept(last(), 10);
    last().wire.message({ type: 'unsubscribed', channels: ['account'] });
    last().wire.message(event(MARKET, 12, 9));
    last().wire.reached({ epoch: 'e1', seq: 12 });
    last().wire.closed('other');
    await timers.fire(FIRST_WAIT_MS);
    last().wire.closed('other');
    expect(last().request).toEqual({ channels: [MARKET, 'account'], since: null, apiKey: 'pmk_a' });
  });

  it('is in the request of a stream, and is signed out when the stream refuses it', async () => {
    const { feed, last, told, connections, timers } = liveOnStream();
    feed.useKey('pmk_a');
    last().wire.closed('other');
    expect(last().request).toEqual({ channels: [MARKET, 'account'], since: null, apiKey: 'pmk_a' });
    last().wire.closed('key');
    expect(told.at(-1)).toBe('key refused');
    await timers.fire(FIRST_WAIT_MS);
    last().wire.closed('other');
    expect(last().request?.apiKey).toBeNull();
    expect(connections.at(-1)?.kind).toBe('stream');
  });
});

describe('without a socket', () => {
  it.each([
    ['refuses it', async ({ last }: Bench) => last().wire.closed('other')],
    ['never answers', async ({ timers }: Bench) => timers.fire(WELCOME_MS)],
  ])('falls back to a stream when the server %s', async (_what, fail) => {
    const bench = feedOf([MARKET]);
    bench.feed.start();
    await fail(bench);
    expect(bench.connections.map(({ kind }) => kind)).toEqual(['socket', 'stream']);
    accept(bench.last(), 10);
    bench.last().wire.message(event(MARKET, 12, 9));
    expect(bench.told).toEqual([`read ${MARKET} at 10`, `${MARKET} 12`]);
    expect(bench.statuses.at(-1)).toBe('live');
  });

  it('resumes a stream where the last fact was complete', async () => {
    const { last, timers } = liveOnStream([MARKET, 'markets'], 10);
    last().wire.message(event(MARKET, 12, 9));
    last().wire.reached({ epoch: 'e1', seq: 12 });
    last().wire.message(event(MARKET, 13, 12));
    last().wire.closed('other');
    await timers.fire(FIRST_WAIT_MS);
    last().wire.closed('other');
    expect(last().request?.since).toEqual({ epoch: 'e1', seq: 12 });
  });

  it('returns to the socket, which resumes what the stream has told, and closes the stream', async () => {
    const { last, connections, told, timers, statuses } = liveOnStream();
    last().wire.message(event(MARKET, 12, 9));
    await timers.fire(SOCKET_AGAIN_MS);
    const [, stream, socket] = connections;
    stream?.wire.message(event(MARKET, 13, 12));
    socket?.wire.message(welcome(13));
    expect(stream?.isOpen).toBe(false);
    expect(sinceOf(socket?.sent[0])).toEqual({ epoch: 'e1', seq: 13 });
    stream?.wire.message(event(MARKET, 14, 13));
    socket?.wire.message(subscribed(1, [MARKET], 13));
    socket?.wire.message(event(MARKET, 14, 13));
    expect(told.slice(1)).toEqual([`${MARKET} 12`, `${MARKET} 13`, `${MARKET} 14`]);
    expect([statuses.at(-1), last().kind]).toEqual(['live', 'socket']);
  });

  it('stays on the stream while the socket keeps failing', async () => {
    const { connections, timers, statuses, asks } = liveOnStream();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await timers.fire(SOCKET_AGAIN_MS);
      connections.at(-1)?.wire.closed('other');
    }
    expect(connections.map(({ kind, isOpen }) => `${kind} ${isOpen}`)).toEqual([
      'socket false',
      'stream true',
      'socket false',
      'socket false',
      'socket false',
    ]);
    expect([statuses.at(-1), asks.length]).toEqual(['live', 0]);
  });

  it('is not live once the comments of the stream are missing', async () => {
    const { last, timers, statuses } = liveOnStream();
    last().wire.alive();
    const stream = last();
    await timers.fire(SILENCE_MS);
    expect([stream.isOpen, statuses.at(-1)]).toEqual([false, 'away']);
  });

  it('gives the stream up while the page is hidden, and resumes it when it is seen again', () => {
    const { feed, last } = liveOnStream();
    last().wire.message(event(MARKET, 12, 9));
    const hidden = last();
    feed.setVisible(false);
    expect(hidden.isOpen).toBe(false);
    feed.setVisible(true);
    last().wire.closed('other');
    expect(last().request?.since).toEqual({ epoch: 'e1', seq: 12 });
  });
});

describe('with neither socket nor stream', () => {
  function asking(): Bench {
    const bench = feedOf([MARKET]);
    bench.feed.start();
    bench.last().wire.closed('other');
    bench.last().wire.closed('other');
    return bench;
  }

  it('asks every few seconds and says so', async () => {
    const { asks, statuses, timers } = asking();
    await asks[0]?.answer(true);
    expect(statuses).toEqual(['connecting', 'away', 'polling']);
    await timers.fire(3_000);
    expect(asks).toHaveLength(2);
  });

  it('waits longer from failure to failure, between attempts and between questions', async () => {
    const { last, asks, timers, statuses } = asking();
    const waits: number[] = [];
    for (let failure = 0; failure < 7; failure += 1) {
      const [wait = 0] = timers.delays();
      waits.push(wait);
      await timers.fire(wait);
      last().wire.closed('other');
      last().wire.closed('other');
    }
    expect(waits).toEqual([750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500]);
    const questions: number[] = [];
    for (let failure = 0; failure < 6; failure += 1) {
      await asks.at(-1)?.answer(false);
      const wait = timers.delays().find((delay) => delay !== 22_500) ?? 0;
      questions.push(wait);
      await timers.fire(wait);
    }
    expect(questions).toEqual([6_000, 12_000, 24_000, 48_000, 48_000, 48_000]);
    expect(statuses.at(-1)).toBe('away');
  });

  it('stops asking when a connection works again', async () => {
    const { last, asks, timers, statuses } = asking();
    await asks[0]?.answer(true);
    await timers.fire(FIRST_WAIT_MS);
    accept(last(), 10);
    expect(statuses.at(-1)).toBe('live');
    expect(timers.delays()).toEqual([SILENCE_MS]);
    last().wire.closed('other');
    expect(statuses.at(-1)).toBe('away');
  });

  it('asks nothing while the page is hidden', async () => {
    const { feed, asks, timers } = asking();
    await asks[0]?.answer(true);
    feed.setVisible(false);
    await timers.fire(3_000);
    expect(asks).toHaveLength(1);
    feed.setVisible(true);
    await timers.fire(3_000);
    expect(asks).toHaveLength(2);
  });

  it('tries at once when the network is back', () => {
    const { feed, connections } = asking();
    feed.wake();
    expect(connections.map(({ kind }) => kind)).toEqual(['socket', 'stream', 'socket']);
  });
});

it('the feed lets pages wait for different times', () => {
  const waits = [0, 0.25, 0.999].map((chance) => {
    const { feed, last, timers } = feedOf([MARKET], () => chance);
    feed.start();
    accept(last(), 1);
    last().wire.closed('other');
    return timers.delays()[0];
  });
  expect(waits).toEqual([500, 625, 999.5]);
});
