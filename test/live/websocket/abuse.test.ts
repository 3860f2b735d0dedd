import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { CUT_OFF_MS } from '../../../src/live/websocket/session';
import { createGate } from '../../support/gate';
import { until } from '../../support/until';
import { createSocketWorld, withSlowKeys, type Client, type SocketWorld } from './support';

const MEGABYTE = 1_048_576;
const HEARTBEAT_SLICE_MS = 1_000;
const SLICES = 20;
const UNKNOWN_COMMAND = JSON.stringify({ op: 'x'.repeat(1_024) });
/** Less than the 8 MB that each bad client sends. The service stops reading a socket that it closes. */
const MOST_READ_BYTES = 4 * MEGABYTE;

describe('a reader has every message beside', () => {
  let world: SocketWorld;
  let witness: Client;
  let trades: number;
  let sockets: Socket[];
  let keysAsked: (() => Promise<void>) | null;

  beforeEach(async () => {
    keysAsked = null;
    trades = 0;
    sockets = [];
    world = await createSocketWorld({
      live: { connectionLimit: 2_000 },
      over: (storage) => withSlowKeys(storage, () => keysAsked?.() ?? Promise.resolve()),
    });
    world.server.on('connection', (socket) => sockets.push(socket));
    witness = await world.open();
    await witness.subscribe(['trades', 'market:1']);
  });

  afterEach(async () => {
    await trade(10);
    expect(witness.closed).toBeNull();
    for (const channel of ['trades', 'market:1']) {
      const got = witness.events().filter((message) => message['channel'] === channel);
      expect(got).toHaveLength(trades);
      for (const [index, { prev }] of got.entries())
        if (index > 0) expect(prev).toBe(got[index - 1]?.['seq']);
    }
    await world.stop();
  });

  async function trade(count: number): Promise<void> {
    await world.commit(...Array.from({ length: count }, () => world.trade(1)));
    trades += count;
    await world.instance_.run();
    await witness.settled();
  }

  function open(count: number, options?: Parameters<SocketWorld['open']>[0]): Promise<Client[]> {
    return Promise.all(Array.from({ length: count }, () => world.open(options)));
  }

  async function cutAll(): Promise<void> {
    const { timers } = world.instance_;
    while (timers.delays().includes(CUT_OFF_MS)) await timers.fire(CUT_OFF_MS);
  }

  const onlyTheWitnessIsLeft = (): Promise<void> => until(() => world.figures.open === 1);

  it('8 clients that read nothing, which cost at most 2 MB each, and are closed and cut', async () => {
    const clients = await open(8);
    for (const client of clients) {
      await client.subscribe(['trades', 'prices', 'market:1']);
      client.pause();
    }
    let most = 0;
    while (world.figures.closed[1013] !== 8) {
      await trade(200);
      most = Math.max(most, ...sockets.map(({ writableLength }) => writableLength));
    }
    expect(most).toBeGreaterThan(MEGABYTE);
    expect(most).toBeLessThan(2 * MEGABYTE);
    const waiting = sockets.reduce((sum, { writableLength }) => sum + writableLength, 0);
    await trade(400);
    expect(sockets.reduce((sum, { writableLength }) => sum + writableLength, 0)).toBeLessThanOrEqual(waiting);
    await cutAll();
    await onlyTheWitnessIsLeft();
    await until(() => sockets.filter(({ destroyed }) => destroyed).length === 8);
  });

  it('8 clients that read nothing of what they missed, which cost at most 2 MB each', async () => {
    const since = { epoch: await world.epoch(), seq: await world.head() };
    await trade(2_000);
    const clients = await open(8);
    const begun = sockets.slice(-8);
    for (const client of clients) {
      client.pause();
      client.ws.send(JSON.stringify({ op: 'subscribe', channels: ['trades', 'prices', 'market:1'], since }));
    }
    await until(() => begun.every(({ bytesWritten }) => bytesWritten > MEGABYTE));
    for (let round = 0; round < 5; round += 1) {
      await trade(100);
      expect(Math.max(...sockets.map(({ writableLength }) => writableLength))).toBeLessThan(2 * MEGABYTE);
    }
    for (const { ws } of clients) ws.terminate();
    await onlyTheWitnessIsLeft();
  });

  it('frames that are too large, and bytes that are no frames', async () => {
    const clients = await open(20);
    const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 251));
    for (const [index, client] of clients.entries()) {
      if (index % 2 === 0) client.ws.send('x'.repeat(MEGABYTE));
      else (client.ws as unknown as { _socket: Socket })._socket.write(bytes.subarray(index));
    }
    await trade(10);
    await Promise.all(clients.map((client) => client.end()));
    expect(world.figures.closed[1009]).toBe(10);
    await cutAll();
    await onlyTheWitnessIsLeft();
  });

  it('sockets that were closed and go on sending: little of it is read, and they are cut', async () => {
    const begun = sockets.length;
    const clients = await open(8);
    for (const [index, client] of clients.entries()) {
      if (index % 2 === 0) client.ws.send('x'.repeat(8 * MEGABYTE));
      else for (let sent = 0; sent < 8_000; sent += 1) client.ws.send(UNKNOWN_COMMAND);
    }
    await until(() => world.figures.closed[1009] === 4 && world.figures.closed[1008] === 4);
    const bad = sockets.slice(begun);
    await until(() => bad.every((socket) => socket.isPaused()));
    await trade(10);
    await cutAll();
    await onlyTheWitnessIsLeft();
    expect(Math.max(...bad.map(({ bytesRead }) => bytesRead))).toBeLessThan(MOST_READ_BYTES);
    const ends = await Promise.all(clients.map((client) => client.end()));
    expect(ends.map(({ code }) => code)).toEqual(clients.map((_, index) => (index % 2 === 0 ? 1009 : 1008)));
  });

  it('10,000 subscriptions of one socket', async () => {
    const client = await world.open();
    const command = JSON.stringify({
      op: 'subscribe',
      channels: ['trades', 'prices', 'market:1', 'market:2'],
    });
    for (let sent = 0; sent < 10_000; sent += 1) client.ws.send(command);
    await trade(10);
    expect(await client.end()).toMatchObject({ code: 1008 });
    await cutAll();
    await onlyTheWitnessIsLeft();
    expect(world.instance_.feed.figures()).toMatchObject({ readers: 1, channels: 2, catchingUp: 0 });
  });

  it('10,000 channels in one command, and in ten', async () => {
    const client = await world.open();
    const names = Array.from({ length: 10_000 }, (_, index) => `market:${String(index + 1)}`);
    for (let from = 0; from < names.length; from += 1_000)
      expect(await client.subscribe(names.slice(from, from + 1_001))).toMatchObject({ type: 'error' });
    client.ws.send(JSON.stringify({ op: 'subscribe', channels: names }));
    expect(await client.end()).toMatchObject({ code: 1009 });
    await cutAll();
    await onlyTheWitnessIsLeft();
  });

  it('sockets that answer no ping', async () => {
    await open(20, { autoPong: false });
    for (let slice = 0; slice < 3 * SLICES; slice += 1) {
      await world.instance_.timers.fire(HEARTBEAT_SLICE_MS);
      await witness.settled();
    }
    await onlyTheWitnessIsLeft();
    expect(world.figures.closed[4408]).toBe(20);
  });

  it('a thousand upgrades that never end, and a thousand that wait for their keys', async () => {
    const half = 'GET /api/v2/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
    const { apiKey } = await world.key();
    const rest = `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nX-API-Key: ${apiKey}\r\n\r\n`;
    const withKey = { headers: { 'X-API-Key': apiKey } };
    const clients = await Promise.all(Array.from({ length: 1_000 }, () => halfOpen(world.port, half)));
    await trade(10);
    const late = await world.open();
    expect(late.refusal).toBeNull();
    late.ws.close();

    const keys = createGate();
    keysAsked = () => keys.opened;
    let asked = 0;
    world.server.on('upgrade', () => (asked += 1));
    for (const socket of clients) socket.write(rest);
    await until(() => asked === 1_000);
    const refused = await world.open(withKey);
    expect(refused.refusal).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    await trade(10);
    for (const socket of clients) socket.destroy();
    keys.open(undefined);
    await onlyTheWitnessIsLeft();
    const next = await world.open(withKey);
    expect(next.refusal).toBeNull();
    next.ws.close();
  });
});

async function halfOpen(port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}
