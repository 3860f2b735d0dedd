import { connect } from 'node:net';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { KEY_POLL_MS } from '../../../src/live/feed/reader-keys';
import { CUT_OFF_MS } from '../../../src/live/websocket/session';
import { createGate } from '../../support/gate';
import { until } from '../../support/until';
import { createSocketWorld, withSlowKeys, type Client, type SocketWorld } from './support';

const HEARTBEAT_SLICE_MS = 1_000;
const SLICES = 20;

describe('at the limits of sockets,', () => {
  let world: SocketWorld;
  let witness: Client;
  beforeAll(async () => {
    world = await createSocketWorld({ live: { commandLimit: 20, connectionLimit: 8, channelLimit: 1_000 } });
    witness = await world.open();
    await witness.subscribe(['trades']);
  });
  afterEach(async () => {
    expect(witness.closed).toBeNull();
    await until(() => world.figures.open === 1);
  });
  afterAll(() => world.stop());

  it('a binary message closes with 1003', async () => {
    const client = await world.open();
    client.ws.send(Buffer.from([1, 2, 3]));
    expect(await client.end()).toMatchObject({ code: 1003 });
  });

  it('a message over 64 kB closes with 1009, and the process lives', async () => {
    const client = await world.open();
    client.ws.send('x'.repeat(65_537));
    expect(await client.end()).toMatchObject({ code: 1009 });
    const fits = await world.open();
    fits.ws.send(JSON.stringify({ op: 'ping', x: 'x'.repeat(65_000) }));
    await fits.settled();
    fits.ws.close();
    expect(world.figures.closed[1009]).toBe(1);
  });

  it.each([
    ['a frame that is not masked', Buffer.from([0x81, 0x02, 0x68, 0x69]), 1002],
    ['an opcode that does not exist', Buffer.from([0x83, 0x80, 1, 2, 3, 4]), 1002],
    ['text that is not UTF-8', Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]), 1007],
  ])('%s closes the socket, and the process lives', async (_name, bytes, code) => {
    const client = await world.open();
    (client.ws as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(bytes);
    expect(await client.end()).toMatchObject({ code });
  });

  it('commands over the limit are refused, and at twice the limit the socket is closed with 1008', async () => {
    const client = await world.open();
    for (let sent = 0; sent < 39; sent += 1)
      client.ws.send(JSON.stringify({ op: 'unsubscribe', id: `command ${sent}`, channels: ['trades'] }));
    for (let sent = 0; sent < 50; sent += 1) client.ws.send('{"op":"ping"}');
    await client.settled();
    const errors = client.received.filter(({ type }) => type === 'error');
    expect(errors.map(({ code }) => code)).toEqual(Array(19).fill('RATE_LIMIT_EXCEEDED'));
    expect(errors[0]?.['id']).toBe('command 20');
    client.ws.send('nonsense');
    expect(await client.end()).toMatchObject({ code: 1008 });
  });

  it('the limit of commands holds in a rolling window', async () => {
    const client = await world.open();
    for (let sent = 0; sent < 20; sent += 1) await client.call({ op: 'unsubscribe', channels: ['trades'] });
    expect(await client.subscribe(['trades'])).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    world.world.clock.advance(60_000);
    expect(await client.subscribe(['trades'])).toMatchObject({ type: 'subscribed' });
    client.ws.close();
  });

  it('a thousand channels fit on a socket, and no more', async () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => `market:${index + 1}`);
    const client = await world.open();
    expect(await client.subscribe(ids)).toMatchObject({ code: 'SUBSCRIPTION_LIMIT' });
    expect(await client.subscribe(ids.slice(0, 1_000))).toMatchObject({ code: 'MARKET_NOT_FOUND' });
    client.ws.close();
  });

  it('one address may have so many sockets; the next is answered 429', async () => {
    const clients = [];
    for (let made = 0; made < 7; made += 1) clients.push(await world.open());
    const refused = await world.open();
    expect(refused.refusal).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.any(String) },
      body: { code: 'RATE_LIMIT_EXCEEDED' },
    });
    clients[0]?.ws.terminate();
    await until(() => world.figures.open === 7);
    const next = await world.open();
    expect(next.received).toHaveLength(1);
    for (const { ws } of [...clients, next]) ws.terminate();
  });

  it('a client that breaks off during the upgrade leaves nothing behind', async () => {
    for (let made = 0; made < 20; made += 1) {
      const socket = connect(world.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(
        'GET /api/v2/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-API-Key: pmk_',
      );
      socket.destroy();
    }
    const client = await world.open();
    expect(client.refusal).toBeNull();
    client.ws.close();
  });
});

describe('at the upgrade,', () => {
  let world: SocketWorld;
  beforeAll(async () => {
    world = await createSocketWorld();
  });
  afterAll(() => world.stop());

  it('a bad key is answered 401 with the error body of the API, until the address is throttled', async () => {
    const bad = { 'X-API-Key': 'pmk_nonsense' };
    const client = await world.open({ headers: bad });
    expect(client.refusal).toMatchObject({
      status: 401,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
      body: {
        error: 'Invalid or missing API key.',
        code: 'UNAUTHORIZED',
        message: 'Invalid or missing API key.',
      },
    });
    const socket = await world.open();
    for (let failed = 0; failed < 4; failed += 1) await socket.call({ op: 'auth', apiKey: 'pmk_nonsense' });
    expect(socket.closed).toBeNull();
    await socket.call({ op: 'auth', apiKey: 'pmk_nonsense' });
    expect(await socket.end()).toMatchObject({ code: 1008 });

    for (let failed = 6; failed < 20; failed += 1) await world.open({ headers: bad });
    const throttled = await world.open({ headers: bad });
    expect(throttled.refusal).toMatchObject({
      status: 429,
      body: {
        error: 'Too many failed authentication attempts. Try again later.',
        code: 'RATE_LIMIT_EXCEEDED',
      },
    });
    const other = await world.open();
    expect(await other.call({ op: 'auth', apiKey: 'pmk_nonsense' })).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
    });
    const { apiKey } = await world.key();
    expect(await other.call({ op: 'auth', apiKey })).toMatchObject({ type: 'authenticated' });
    const valid = await world.open({ headers: { 'X-API-Key': apiKey } });
    expect(valid.refusal).toBeNull();
  });

  it('a storage that does not answer is a 503', async () => {
    const { apiKey } = await world.key();
    const spy = jest.spyOn(world.storage, 'read').mockRejectedValue(new Error('away'));
    const client = await world.open({ headers: { 'X-API-Key': apiKey } });
    expect(client.refusal).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    spy.mockRestore();
  });
});

describe('a socket that is silent or slow', () => {
  let world: SocketWorld;
  beforeEach(async () => {
    world = await createSocketWorld();
  });
  afterEach(() => world.stop());

  async function interval(): Promise<void> {
    for (let slice = 0; slice < SLICES; slice += 1) await world.instance_.timers.fire(HEARTBEAT_SLICE_MS);
  }

  it('gets a ping and a heartbeat with the head every 20 seconds', async () => {
    const client = await world.open();
    let pings = 0;
    client.ws.on('ping', () => (pings += 1));
    await world.commit(world.trade(1));
    await world.instance_.run();
    await interval();
    await client.settled();
    expect(client.received[1]).toEqual({
      type: 'heartbeat',
      seq: await world.head(),
      ts: '2030-01-01T00:00:00.000Z',
    });
    expect(pings).toBe(1);
    for (let beats = 0; beats < 4; beats += 1) {
      await interval();
      await client.settled();
    }
    expect(client.closed).toBeNull();
    expect(pings).toBe(5);
  });

  it('gets the head in a heartbeat also while it catches up', async () => {
    const keys = createGate();
    let wait = (): Promise<void> => Promise.resolve();
    const slow = await createSocketWorld({ over: (storage) => withSlowKeys(storage, () => wait()) });
    const since = { epoch: await slow.epoch(), seq: await slow.head() };
    const { apiKey } = await slow.key();
    await slow.commit(slow.balance());
    await slow.instance_.run();
    const client = await slow.open({ headers: { 'X-API-Key': apiKey } });
    // The instance does not know yet whether the key may read the account, so the fact waits.
    wait = () => keys.opened;
    await client.subscribe(['account'], { since });
    for (let slice = 0; slice < SLICES; slice += 1) await slow.instance_.timers.fire(HEARTBEAT_SLICE_MS);
    await client.settled();
    expect(client.events()).toEqual([]);
    expect(client.received.find(({ type }) => type === 'heartbeat')).toMatchObject({ seq: since.seq + 1 });
    keys.open();
    await until(() => client.events().length === 1);
    await slow.stop();
  });

  it('is closed with 4408 when it leaves two pings unanswered', async () => {
    const client = await world.open({ autoPong: false });
    await interval();
    await interval();
    await client.settled();
    expect(client.closed).toBeNull();
    await interval();
    expect(await client.end()).toMatchObject({ code: 4408 });
  });

  it('is not taken for silent while its commands wait, although its pongs are not read then', async () => {
    const slow = await createSocketWorld({
      over: (storage) => ({
        ...storage,
        snapshot: async (work) => {
          slow.world.clock.advance(20);
          return storage.snapshot(work);
        },
      }),
    });
    const client = await slow.open();
    for (let id = 1; id <= 100; id += 1)
      client.ws.send(JSON.stringify({ op: 'subscribe', id, channels: ['market:1'] }));
    for (let beats = 0; beats < 4; beats += 1) {
      await until(() => slow.instance_.timers.delays().includes(40));
      for (let slice = 0; slice < SLICES; slice += 1) await slow.instance_.timers.fire(HEARTBEAT_SLICE_MS);
      await slow.instance_.timers.fire(40);
    }
    await client.settled();
    expect(client.closed).toBeNull();
    expect(client.answer(100)).toBeUndefined();
    while (client.answer(100) === undefined) {
      await until(() => slow.instance_.timers.delays().includes(40) || client.answer(100) !== undefined);
      if (slow.instance_.timers.delays().includes(40)) await slow.instance_.timers.fire(40);
    }
    await slow.stop();
  });

  it('is closed with 1013 when more than 1 MB waits, and cut when it takes no close frame', async () => {
    const slow = await world.open();
    const other = await world.open();
    await slow.subscribe(['trades', 'prices', 'market:1']);
    await other.subscribe(['prices']);
    slow.pause();
    let trades = 0;
    while (world.figures.closed[1013] === undefined) {
      await world.commit(...Array.from({ length: 200 }, () => world.trade(1)));
      trades += 200;
      await world.instance_.run();
      await other.settled();
      expect(process.memoryUsage().arrayBuffers).toBeLessThan(200_000_000);
    }
    expect(other.events()).toHaveLength(trades);
    expect(world.figures.open).toBe(2);
    expect(CUT_OFF_MS).toBe(5_000);
    await world.instance_.timers.fire(CUT_OFF_MS);
    await until(() => world.figures.open === 1);
  });

  it('gets large states at 1 MB a second, and answers to pings meanwhile', async () => {
    const id = await world.world.open('Long? '.repeat(20_000));
    const client = await world.open();
    expect(await client.subscribe([`market:${id}`])).toMatchObject({ type: 'subscribed' });
    client.ws.send(JSON.stringify({ op: 'subscribe', id: 'next', channels: ['trades'] }));
    await client.settled();
    expect(client.answer('next')).toBeUndefined();
    await world.instance_.timers.fire();
    await until(() => client.answer('next') !== undefined);
  });

  it('lets other events be handled between two of its commands', async () => {
    const client = await world.open();
    const yielded = jest.spyOn(world.instance_.timers, 'yieldTurn');
    for (let id = 1; id <= 3; id += 1)
      client.ws.send(JSON.stringify({ op: 'subscribe', id, channels: ['trades'] }));
    await until(() => client.answer(3) !== undefined);
    expect(yielded.mock.calls.length).toBeGreaterThanOrEqual(2);
    yielded.mockRestore();
  });

  it('keeps its socket during an outage of the storage, with the last known head', async () => {
    const client = await world.open();
    await client.subscribe(['trades']);
    const spy = jest.spyOn(world.storage, 'read').mockRejectedValue(new Error('away'));
    const head = world.instance_.feed.position().seq;
    await interval();
    await client.settled();
    expect(client.received.at(-2)).toMatchObject({ type: 'heartbeat', seq: head });
    spy.mockRestore();
    await world.commit(world.trade(1));
    await world.instance_.run();
    await client.settled();
    expect(client.events()).toHaveLength(1);
  });

  it('is closed with 1001 when the service stops, after what it was sent', async () => {
    const client = await world.open();
    await client.subscribe(['trades']);
    await world.commit(world.trade(1));
    await world.instance_.run();
    await world.connections.close();
    expect(await client.end()).toMatchObject({ code: 1001 });
    expect(client.events()).toHaveLength(1);
    const late = await world.open();
    expect(late.refusal).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  });

  it('is closed with 1011 when the instance cannot give it every fact', async () => {
    const client = await world.open();
    world.instance_.feed.endAll('fault');
    expect(await client.end()).toEqual({ code: 1011, reason: 'fault' });
  });

  it('ends within a second of the revocation of its key on another instance', async () => {
    const { id, apiKey } = await world.key();
    const client = await world.open({ headers: { 'X-API-Key': apiKey } });
    const [owner] = await world.storage.read((reader) => Promise.all([reader.apiKeys.find(id)]));
    await world.storage.transaction((tx) => tx.apiKeys.revoke(id, owner?.wallet ?? '', 1));
    await world.instance_.timers.fire(KEY_POLL_MS);
    expect(await client.end()).toMatchObject({ code: 4401 });
    expect(client.ws.readyState).toBe(WebSocket.CLOSED);
  });
});
