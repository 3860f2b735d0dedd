import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { silentLogger } from '../../../src/ports/logger';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { createTestMarket, type TestMarket, type TestMarketOptions } from 'express-prediction-market/testing';
import { createGate } from '../../support/gate';
import { until } from '../../support/until';
import { Client, withSlowKeys } from './support';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let server: Server;
beforeEach(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
});

async function attached(options: Pick<TestMarketOptions, 'storage' | 'logger'> = {}): Promise<TestMarket> {
  const test = await createTestMarket(options);
  closing.push(() => test.close());
  test.pm.attachWebSocket(server);
  return test;
}

function connect(headers: Record<string, string> = {}, path = '/api/v2/ws'): Client {
  const { port } = server.address() as AddressInfo;
  const client = new Client(`ws://127.0.0.1:${String(port)}${path}`, { headers });
  closing.push(() => client.ws.terminate());
  return client;
}

async function open(path?: string): Promise<Client> {
  const client = connect({}, path);
  await client.opened();
  return client;
}

it('an upgrade whose key is looked up while the market closes is answered 503, and the close ends', async () => {
  const lookUp = createGate();
  let isHeld = false;
  let asked = 0;
  const storage = withSlowKeys(memoryStorage(), async () => {
    asked += 1;
    if (isHeld) await lookUp.opened;
  });
  const test = await attached({ storage });
  const key = await test.apiKey(test.wallet('alice'));
  const witness = await open();
  isHeld = true;
  asked = 0;
  const late = connect({ 'X-API-Key': key });
  await until(() => asked === 1);
  const closed = test.pm.close();
  expect(await witness.end()).toMatchObject({ code: 1001 });
  lookUp.open();
  await late.opened();
  expect(late.received).toEqual([]);
  expect(late.refusal).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  await closed;
});

it('a closed market leaves its path to another market, and until then the path answers 503', async () => {
  const first = await attached();
  server.on('upgrade', () => undefined);
  await expect(attached()).rejects.toThrow('/api/v2/ws is attached to this server already');
  await first.pm.close();
  expect((await open()).refusal).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  const second = await attached();
  const client = await open();
  expect(client.received).toMatchObject([{ type: 'welcome', ...second.pm.eventPosition() }]);
  await first.pm.close();
  expect((await open()).refusal).toBeNull();
});

function noted(): { logger: typeof silentLogger; warnings: unknown[] } {
  const warnings: unknown[] = [];
  return { warnings, logger: { ...silentLogger, warn: (...said: unknown[]) => void warnings.push(said[1]) } };
}

function takeAll(): void {
  const host = new WebSocketServer({ server });
  host.on('connection', (ws) => {
    ws.on('message', (data) => {
      const { id } = JSON.parse((data as Buffer).toString()) as { id: number };
      ws.send(JSON.stringify({ type: 'pong', id }));
    });
    ws.send('{"type":"pong","id":"host"}');
  });
}

it.each(['before', 'after'])(
  'a socket that the host takes is left alone, with the host attached %s the market',
  async (order) => {
    const { logger, warnings } = noted();
    if (order === 'before') takeAll();
    const test = await attached({ logger });
    if (order === 'after') takeAll();
    const clients = [await open(), await open()];
    for (const client of clients) {
      expect(await client.call({ op: 'ping' })).toEqual({ type: 'pong', id: 1 });
      expect(client.received[0]).toEqual({ type: 'pong', id: 'host' });
    }
    const takes = /another listener of the server takes the sockets/;
    expect(warnings).toEqual([expect.stringMatching(takes)]);
    await test.pm.close();
    expect(await clients[0]?.call({ op: 'ping' })).toEqual({ type: 'pong', id: 2 });
  },
);

it('a socket that the host takes is left alone after the close too', async () => {
  takeAll();
  const test = await attached();
  await test.pm.close();
  const client = await open();
  expect(await client.call({ op: 'ping' })).toEqual({ type: 'pong', id: 1 });
});

it('a refusal of the host for our path is named in the log', async () => {
  const { logger, warnings } = noted();
  new WebSocketServer({ server, path: '/chat' });
  await attached({ logger });
  const { port } = server.address() as AddressInfo;
  const ws = new WebSocket(`ws://127.0.0.1:${String(port)}/api/v2/ws`).on('error', () => undefined);
  closing.push(() => ws.terminate());
  const [, { statusCode }] = (await once(ws, 'unexpected-response')) as [unknown, IncomingMessage];
  expect([statusCode, warnings.length]).toEqual([400, 1]);
});
