import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { PredictionMarketError } from '../../../src/domain/errors';
import type { ApiKey } from '../../../src/domain/types';
import { feedBatch } from '../../../src/live/feed/message-batch';
import type { FeedMessage } from '../../../src/live/feed/feed-message';
import type { FeedConnection, FeedReader, SubscribeRequest, Subscribed } from '../../../src/live/feed/types';
import { createEventStreams, type StreamRequest } from '../../../src/live/stream';
import { items } from '../../../src/live/stream/event-stream-text';
import { createEventStreamParser as readText } from '../../../src/client/live/event-stream';
import { manualTimers, type ManualTimers } from '../../jobs/manual-timers';
import { until } from '../../support/until';
import { openStream, type StreamClient } from './client';

interface FakeConnection {
  reader: FeedReader;
  request: SubscribeRequest | null;
  key: ApiKey | null;
  isOpen: boolean;
}

let timers: ManualTimers;
let connections: FakeConnection[];
let onSubscribe: (connection: FakeConnection, accepted: (subscribed: Subscribed) => void) => Promise<void>;
let places: { free: number };
let refused: PredictionMarketError[];
let responses: ServerResponse[];
let server: Server;
let request: StreamRequest;
let prepare: (response: ServerResponse) => void;

beforeEach(async () => {
  timers = manualTimers();
  connections = [];
  refused = [];
  responses = [];
  const own = { free: 3 };
  places = own;
  prepare = () => undefined;
  request = { channels: ['trades', 'market:1'], since: null, key: null, address: 'a' };
  onSubscribe = async ({ request: asked }, accepted) =>
    accepted({ channels: [...(asked?.channels ?? [])], seq: 10, snapshot: null, isResynced: false });
  const streams = createEventStreams(
    { connect, position: () => ({ epoch: 'e1', seq: 12 }) },
    {
      open(address) {
        if (own.free === 0) throw new PredictionMarketError('RATE_LIMIT_EXCEEDED', 'Too many.');
        own.free -= 1;
        return { address, release: () => void (own.free += 1) };
      },
    },
    { heartbeatSeconds: 20, waitingBytesLimit: 1_000_000 },
    timers,
  );
  server = createServer((_request, response) => {
    responses.push(response);
    prepare(response);
    streams.open(request, response).catch((error: PredictionMarketError) => {
      refused.push(error);
      response.statusCode = 500;
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function connect(reader: FeedReader): FeedConnection {
  const connection: FakeConnection = { reader, request: null, key: null, isOpen: true };
  connections.push(connection);
  return {
    isOpen: true,
    unsubscribe: () => undefined,
    authenticate: (key) => void (connection.key = key),
    close: () => void (connection.isOpen = false),
    subscribe: async (asked, accepted) => {
      connection.request = asked;
      await onSubscribe(connection, accepted);
    },
  };
}

const open = (): Promise<StreamClient> =>
  openStream(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
const message = (seq: number, text: object = { seq }): FeedMessage =>
  ({ seq, text: JSON.stringify(text) }) as FeedMessage;
const deliver = (...messages: FeedMessage[]): void =>
  connections.at(-1)?.reader.deliver(feedBatch(messages, false));

it('a stream begins with the welcome and the channels, and says where it is', async () => {
  const stream = await open();
  expect(stream.response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(await stream.take(2)).toEqual([
    { id: null, message: { type: 'welcome', epoch: 'e1', seq: 12, heartbeatSeconds: 20 } },
    {
      id: 'e1:10',
      message: { type: 'subscribed', id: null, channels: ['trades', 'market:1'], seq: 10 },
    },
  ]);
});

it('a stream hands the last id of the client and its key on to the feed', async () => {
  const key = { id: 7 } as ApiKey;
  request = { ...request, since: { epoch: 'e1', seq: 4 }, key };
  await open();
  expect(connections[0]).toMatchObject({
    key,
    request: { channels: ['trades', 'market:1'], since: { epoch: 'e1', seq: 4 }, conflate: false },
  });
});

it('of two channels of one fact, only the last message has an id', async () => {
  const stream = await open();
  await stream.take(2);
  deliver(message(11, { on: 'trades' }), message(11, { on: 'market:1' }), message(13));
  expect(await stream.take(3)).toEqual([
    { id: null, message: { on: 'trades' } },
    { id: 'e1:11', message: { on: 'market:1' } },
    { id: 'e1:13', message: { seq: 13 } },
  ]);
});

it('a client that is cut off anywhere resumes after its last id, and has every message', () => {
  const facts = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(facts, fc.nat(), (sizes, cut) => {
      const messages = sizes.flatMap((size, index) =>
        Array.from({ length: size }, (_, channel) => message(index + 1, { key: `${index + 1}/${channel}` })),
      );
      const got = new Set<string>();
      let last = 0;
      const receive = (text: string): void => {
        readText(
          ({ id, data }) => {
            got.add((JSON.parse(data) as { key: string }).key);
            if (id !== null) last = Number(id.split(':')[1]);
          },
          () => undefined,
        )(text);
      };
      const text = items('e1', messages);
      receive(text.slice(0, cut % (text.length + 1)));
      receive(
        items(
          'e1',
          messages.filter(({ seq }) => seq > last),
        ),
      );
      expect(got.size).toBe(messages.length);
    }),
  );
});

it('the text of a batch is made once for all streams', async () => {
  const [one, other] = [await open(), await open()];
  let made = 0;
  const counted = {
    seq: 11,
    get text() {
      made += 1;
      return '{}';
    },
  } as FeedMessage;
  const batch = feedBatch([counted], false);
  for (const { reader } of connections) reader.deliver(batch);
  expect([await one.take(3), await other.take(3)].map((taken) => taken[2]?.id)).toEqual(['e1:11', 'e1:11']);
  expect(made).toBe(1);
});

it('every stream gets a comment every 20 seconds, and without streams no timer runs', async () => {
  const [one, other] = [await open(), await open()];
  expect(timers.delays()).toEqual([20_000]);
  await timers.fire(20_000);
  await until(() => one.comments() === 1 && other.comments() === 1);
  one.leave();
  other.leave();
  await until(() => connections.every(({ isOpen }) => !isOpen));
  await timers.fire(20_000);
  expect(timers.delays()).toEqual([]);
});

it('a stream that comes after the last one has left gets no second timer', async () => {
  const one = await open();
  one.leave();
  await until(() => connections[0]?.isOpen === false);
  await open();
  expect(timers.delays()).toEqual([20_000]);
});

it('a resync says where the stream begins anew', async () => {
  const stream = await open();
  await stream.take(2);
  const snapshot = { seq: 90, markets: [] };
  connections[0]?.reader.resync({
    channels: ['trades'],
    reason: 'RETENTION',
    epoch: 'e1',
    seq: 90,
    snapshot,
  });
  expect(await stream.next()).toEqual({
    id: 'e1:90',
    message: {
      type: 'resync',
      id: null,
      channels: ['trades'],
      reason: 'RETENTION',
      epoch: 'e1',
      seq: 90,
      snapshot,
    },
  });
});

it('a beginning that a resync follows has no id, so that a client that is cut off before it gets it again', async () => {
  onSubscribe = async ({ reader }, accepted) => {
    accepted({ channels: ['trades'], seq: 90, snapshot: null, isResynced: true });
    const snapshot = { seq: 90, markets: [] };
    reader.resync({ channels: ['trades'], reason: 'EPOCH', epoch: 'e1', seq: 90, snapshot });
  };
  const stream = await open();
  expect((await stream.take(3)).map(({ id, message: { type } }) => [type, id])).toEqual([
    ['welcome', null],
    ['subscribed', null],
    ['resync', 'e1:90'],
  ]);
});

it('a client may take a state above the limit, and is then held to the limit again', async () => {
  const snapshot = { seq: 10, markets: [], ...{ padding: 'x'.repeat(3_800_000) } };
  onSubscribe = async (_, accepted) =>
    accepted({ channels: ['trades'], seq: 10, snapshot, isResynced: false });
  const { port } = server.address() as AddressInfo;
  const [response] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage];
  let taken = 0;
  response.on('error', () => undefined).on('data', (part: Buffer) => (taken += part.length));
  await until(() => taken > 3_800_000);
  await connections[0]?.reader.ready();
  response.pause();
  let most = 0;
  for (let seq = 11; seq < 1_000 && connections[0]?.isOpen === true; seq += 1) {
    deliver(message(seq, { padding: 'x'.repeat(100_000) }));
    most = Math.max(most, responses[0]?.writableLength ?? 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(connections[0]?.isOpen).toBe(false);
  expect(most).toBeLessThan(1_200_000);
});

it('a key that loses its scope loses the channel, and the stream ends with its last channel', async () => {
  const stream = await open();
  await stream.take(2);
  connections[0]?.reader.scopeLost(['trades']);
  expect((await stream.next()).message).toEqual({ type: 'unsubscribed', id: null, channels: ['trades'] });
  connections[0]?.reader.scopeLost(['market:1']);
  expect(await stream.ended()).toHaveLength(1);
  await until(() => connections[0]?.isOpen === false);
});

it.each(['key-revoked', 'shutdown', 'fault'] as const)(
  'a stream ends when the feed says %s',
  async (reason) => {
    const stream = await open();
    await stream.take(2);
    deliver(message(11));
    connections[0]?.reader.end(reason);
    expect(await stream.ended()).toHaveLength(1);
    await until(() => places.free === 3);
  },
);

it('a client that does not take the end of its stream is cut off', async () => {
  const stream = await open();
  stream.response.pause();
  while (responses[0]?.writableNeedDrain === false) deliver(message(11, { padding: 'x'.repeat(100_000) }));
  connections[0]?.reader.end('shutdown');
  expect(timers.delays()).toEqual([5_000, 20_000]);
  await timers.fire(5_000);
  await until(() => places.free === 3);
});

it.each([
  ['key-revoked', 'UNAUTHORIZED'],
  ['shutdown', 'SERVICE_UNAVAILABLE'],
] as const)('a stream that the feed ends before its beginning (%s) is refused', async (reason, code) => {
  onSubscribe = async ({ reader }) => reader.end(reason);
  const { response } = await open();
  expect([response.statusCode, refused[0]?.code, places.free]).toEqual([500, code, 3]);
});

it('a refused subscription gives its place back', async () => {
  onSubscribe = async () => {
    throw Object.assign(new Error('no'), { code: 'MARKET_NOT_FOUND' });
  };
  await open();
  expect([refused[0]?.code, places.free, connections[0]?.isOpen]).toEqual(['MARKET_NOT_FOUND', 3, false]);
});

it('an address that holds its limit is refused until one of its clients leaves', async () => {
  const streams = [await open(), await open(), await open()];
  await open();
  expect(refused[0]?.code).toBe('RATE_LIMIT_EXCEEDED');
  streams[0]?.leave();
  await until(() => places.free === 1);
  const again = await open();
  expect((await again.next()).message.type).toBe('welcome');
});

it('a client that leaves before the stream has begun leaves nothing behind', async () => {
  let finish = (): void => undefined;
  onSubscribe = () => new Promise((resolve) => (finish = resolve));
  const pending = openStream(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`).catch(
    () => 'gone',
  );
  await until(() => (connections[0]?.request ?? null) !== null);
  responses[0]?.destroy();
  expect(await pending).toBe('gone');
  await until(() => connections[0]?.isOpen === false);
  finish();
  expect([places.free, refused]).toEqual([3, []]);
});

it('a client that does not read is cut off before much waits for it', async () => {
  const stream = await open();
  await stream.take(2);
  stream.response.pause();
  const text = { padding: 'x'.repeat(100_000) };
  let most = 0;
  for (let seq = 11; seq < 1_000 && connections[0]?.isOpen === true; seq += 1) {
    deliver(message(seq, text));
    most = Math.max(most, responses[0]?.writableLength ?? 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(connections[0]?.isOpen).toBe(false);
  expect(most).toBeLessThan(1_200_000);
  expect(places.free).toBe(3);
});

it('a client that was not behind takes a page above the limit', async () => {
  const { port } = server.address() as AddressInfo;
  const [response] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage];
  let taken = 0;
  response.on('error', () => undefined).on('data', (part: Buffer) => (taken += part.length));
  await until(() => taken > 0);
  await connections[0]?.reader.ready();
  deliver(message(11, { padding: 'x'.repeat(8_000_000) }));
  deliver(message(12, { padding: 'x' }));
  await until(() => taken > 8_000_000 || connections[0]?.isOpen === false);
  expect(connections[0]?.isOpen).toBe(true);
});

it('a stream says that it is ready once the client has taken what waits', async () => {
  const stream = await open();
  await stream.take(2);
  await connections[0]?.reader.ready();
  stream.response.pause();
  while (responses[0]?.writableNeedDrain === false) {
    deliver(message(11, { padding: 'x'.repeat(100_000) }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  let isReady = false;
  const ready = connections[0]?.reader.ready().then(() => (isReady = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isReady).toBe(false);
  stream.response.resume();
  await ready;
});

it('a stream is ready when the client has gone', async () => {
  const stream = await open();
  stream.response.pause();
  while (responses[0]?.writableNeedDrain === false) deliver(message(11, { padding: 'x'.repeat(100_000) }));
  const ready = connections[0]?.reader.ready();
  stream.leave();
  await ready;
});

it('a stream flushes what a compressing middleware of the host holds back', async () => {
  prepare = (response) => {
    const held: string[] = [];
    const write = response.write.bind(response) as (text: string) => boolean;
    Object.assign(response, {
      write: (text: string) => held.push(text) > 0,
      flush: () => held.splice(0).forEach(write),
    });
  };
  const stream = await open();
  deliver(message(11));
  expect(await stream.take(3)).toHaveLength(3);
});
