import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { WebSocketServer } from 'ws';
import type { LiveOptions, WebSocketOptions } from 'express-prediction-market';
import { createPredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { createTestMarket, testWallet, type TestMarket } from 'express-prediction-market/testing';
import { until } from '../../support/until';
import { clientAddressOf, trustOf } from '../../../src/live/websocket/trusted-proxies';
import { Client } from './support';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listening(app: express.Express = express()): Promise<{ server: Server; port: number }> {
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return { server, port: (server.address() as AddressInfo).port };
}

async function startedMarket(live: LiveOptions = {}): Promise<TestMarket> {
  const test = await createTestMarket({ live });
  closing.push(() => test.close());
  return test;
}

async function open(
  port: number,
  path = '/api/v2/ws',
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = new Client(`ws://127.0.0.1:${port}${path}`, { headers });
  closing.push(() => client.ws.terminate());
  await client.opened();
  return client;
}

async function attached(options?: WebSocketOptions, app = express(), live: LiveOptions = {}) {
  const test = await startedMarket(live);
  const made = await listening(app);
  test.pm.attachWebSocket(made.server, options);
  return { test, ...made };
}

describe('attachWebSocket', () => {
  it('carries a trade to a subscriber', async () => {
    const { test, port } = await attached();
    const alice = test.wallet('alice');
    await test.fund(alice, 100);
    const { id } = await test.createMarket();
    const client = await open(port, '/api/v2/ws', { 'X-API-Key': await test.apiKey(alice) });
    await client.subscribe([`market:${id}`, 'account']);
    await test.pm.placeTrade({ wallet: alice.address, market: id, side: 'YES', amount: 10 });
    await until(() => client.events().length === 2);
    expect(client.events()).toMatchObject([
      { channel: `market:${id}`, event: 'trade', data: { marketId: id, side: 'YES' } },
      { channel: 'account', event: 'account.trade', data: { balance: { balance: 90 } } },
    ]);
    expect(test.pm.liveFigures()).toMatchObject({
      readers: 1,
      channels: 2,
      sockets: { open: 1, messages: 2 },
    });
  });

  it('closes the sockets of a revoked key before the revocation is answered', async () => {
    const { test, port } = await attached();
    const alice = test.wallet('alice');
    const client = await open(port, '/api/v2/ws', { 'X-API-Key': await test.apiKey(alice) });
    const [key] = (await test.pm.listKeys({ address: alice.address })).keys;
    const { address } = alice;
    const { message, nonce } = await test.pm.issueChallenge({
      address,
      action: 'revoke',
      keyId: key?.id ?? 0,
    });
    const signature = await alice.signMessage(message);
    await test.pm.revokeKey({ id: key?.id ?? 0, address, message, signature, nonce });
    expect(test.pm.liveFigures().readers).toBe(0);
    expect(await client.end()).toEqual({ code: 4401, reason: 'key-revoked' });
  });

  it('answers 503 before the start, and serves after it', async () => {
    const { server, port } = await listening();
    const pm = createPredictionMarket({
      storage: memoryStorage(),
      oracle: manualOracle(),
      facilitator: developmentFacilitator(),
      payTo: testWallet('payee').address,
    });
    pm.attachWebSocket(server);
    const early = await open(port);
    expect(early.refusal).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: { code: 'SERVICE_UNAVAILABLE' },
    });
    await pm.start();
    closing.push(() => pm.close());
    expect((await open(port)).received[0]).toMatchObject({ type: 'welcome' });
  });

  it('serves several markets and paths on one server, and one market on several servers', async () => {
    const { test, server, port } = await attached();
    const second = await startedMarket();
    second.pm.attachWebSocket(server, { path: '/markets/api/v2/ws' });
    const other = await listening();
    test.pm.attachWebSocket(other.server);
    for (const [where, path] of [
      [port, '/api/v2/ws?x=1'],
      [port, '/markets/api/v2/ws'],
      [other.port, '/api/v2/ws'],
    ] as const)
      expect((await open(where, path)).received[0]).toMatchObject({ type: 'welcome' });
    expect(() => second.pm.attachWebSocket(server)).toThrow('/api/v2/ws is attached to this server already');
    expect((await open(port, '/elsewhere')).refusal).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });

  it('leaves the sockets of the host alone', async () => {
    const { server, port } = await attached();
    const own = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, socket, head) => {
      if (request.url === '/chat')
        own.handleUpgrade(request, socket, head, (ws) => ws.send('{"type":"pong","id":"hello"}'));
    });
    const chat = await open(port, '/chat');
    expect(chat.received).toEqual([{ type: 'pong', id: 'hello' }]);
    expect((await open(port)).received[0]).toMatchObject({ type: 'welcome' });
  });

  it('lets the app answer requests that offer another upgrade, with their bodies', async () => {
    const app = express().use(express.json());
    app.post('/echo', (request, response) => void response.json({ got: request.body as unknown }));
    const { port } = await attached({}, app);
    const answer = await new Promise<string>((resolve, reject) => {
      const asked = httpRequest(
        {
          port,
          method: 'POST',
          path: '/echo',
          headers: {
            'Content-Type': 'application/json',
            Connection: 'Upgrade, HTTP2-Settings',
            Upgrade: 'h2c',
            'HTTP2-Settings': 'AAMAAABkAARAAAAAAAIAAAAA',
          },
        },
        (response) => {
          let text = '';
          response.on('data', (part: Buffer) => (text += part.toString()));
          response.on('end', () => resolve(text));
        },
      );
      asked.on('error', reject);
      asked.end('{"side":"YES"}');
    });
    expect(answer).toBe('{"got":{"side":"YES"}}');
  });

  it('refuses other origins where the host names its own', async () => {
    const { port } = await attached({ allowedOrigins: ['https://example.org'] });
    expect((await open(port, '/api/v2/ws', { Origin: 'https://example.org' })).refusal).toBeNull();
    expect((await open(port)).refusal).toBeNull();
    expect((await open(port, '/api/v2/ws', { Origin: 'https://evil.example' })).refusal).toMatchObject({
      status: 403,
      body: { code: 'ORIGIN_NOT_ALLOWED' },
    });
  });

  it('counts clients by the address that a trusted proxy names, and believes no other', async () => {
    const behind = (address: string) => ({ 'X-Forwarded-For': address });
    const app = express();
    const { port } = await attached({}, app, { connectionLimit: 1 });
    expect((await open(port, '/api/v2/ws', behind('203.0.113.1'))).refusal).toBeNull();
    expect((await open(port, '/api/v2/ws', behind('203.0.113.2'))).refusal).toMatchObject({ status: 429 });
    app.set('trust proxy', 1);
    expect((await open(port, '/api/v2/ws', behind('203.0.113.2'))).refusal).toBeNull();
    expect((await open(port, '/api/v2/ws', behind('203.0.113.2'))).refusal).toMatchObject({ status: 429 });
    // A client that sends the header cannot choose its address, because the proxy appends the true address.
    expect((await open(port, '/api/v2/ws', behind('203.0.113.9, 203.0.113.2'))).refusal).toMatchObject({
      status: 429,
    });
  });

  it.each([
    [false, undefined, '10.0.0.1'],
    [false, '203.0.113.1', '10.0.0.1'],
    [1, '203.0.113.9, 203.0.113.1', '203.0.113.1'],
    [2, '203.0.113.9, 203.0.113.1', '203.0.113.9'],
    [3, '203.0.113.9, 203.0.113.1', '203.0.113.9'],
    [true, ' 203.0.113.9 ,, 203.0.113.1', '203.0.113.9'],
    [(address: string) => address.startsWith('10.'), '203.0.113.9, 203.0.113.1, 10.0.0.2', '203.0.113.1'],
  ] as const)('with trustProxy %s and X-Forwarded-For %s the client is %s', (option, header, expected) => {
    const request = { socket: { remoteAddress: '10.0.0.1' }, headers: { 'x-forwarded-for': header } };
    expect(clientAddressOf(request as never, trustOf(option))).toBe(expected);
  });

  it('compresses only where the host asks for it, and tells the same', async () => {
    const plain = await attached();
    expect((await open(plain.port)).ws.extensions).toBe('');
    const { test, port } = await attached({ perMessageDeflate: true });
    const client = await open(port);
    expect(client.ws.extensions).toBe('permessage-deflate');
    await client.subscribe(['markets']);
    await test.createMarket();
    await until(() => client.events().length === 1);
  });

  it('tells a client that memory storage has begun anew: another epoch, and the state to begin from', async () => {
    const first = await attached();
    const before = await open(first.port);
    const { epoch, seq } = before.received[0] as unknown as { epoch: string; seq: number };
    await first.test.pm.close();
    // Another seed gives another epoch, as two real services have.
    const second = await createTestMarket({ seed: 2 });
    closing.push(() => second.close());
    const { server, port } = await listening();
    second.pm.attachWebSocket(server);
    const { id } = await second.createMarket();
    const client = await open(port);
    expect(client.received[0]).not.toMatchObject({ epoch });
    await client.subscribe([`market:${id}`], { since: { epoch, seq } });
    await until(() => client.received.length === 3);
    expect(client.received.slice(1)).toMatchObject([
      { type: 'subscribed', channels: [`market:${id}`] },
      {
        type: 'resync',
        reason: 'EPOCH',
        epoch: second.pm.eventPosition().epoch,
        snapshot: { markets: [{ id }] },
      },
    ]);
  });

  it('attaches to no server after the market was closed', async () => {
    const { test, server, port } = await attached();
    await test.pm.close();
    expect(() => test.pm.attachWebSocket(server)).toThrow('attachWebSocket: the prediction market is closed');
    const next = await startedMarket();
    next.pm.attachWebSocket(server);
    expect((await open(port)).refusal).toBeNull();
  });

  it('serves sockets of an https server, and its other paths', async () => {
    const test = await startedMarket();
    const psk = Buffer.alloc(16, 7);
    // A shared key, so that the test needs no certificate.
    const tls = { ciphers: 'PSK+HIGH', maxVersion: 'TLSv1.2' } as const;
    const server = createSecureServer({ ...tls, pskCallback: () => psk }, express().use(test.pm.router));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    test.pm.attachWebSocket(server);
    const { port } = server.address() as AddressInfo;
    const trusting = {
      ...tls,
      pskCallback: () => ({ psk, identity: 'client' }),
      checkServerIdentity: () => false,
    };
    const client = new Client(`wss://127.0.0.1:${port}/api/v2/ws`, trusting);
    closing.push(() => client.ws.terminate());
    await client.opened();
    expect(await client.subscribe(['trades'])).toMatchObject({ type: 'subscribed' });
    const elsewhere = new Client(`wss://127.0.0.1:${port}/elsewhere`, trusting);
    await elsewhere.opened();
    expect(elsewhere.refusal).toMatchObject({ status: 404 });
  });

  it('ends its sockets with 1001 when the market closes, after the last facts', async () => {
    const { test, port } = await attached();
    const client = await open(port);
    await client.subscribe(['markets']);
    await test.createMarket();
    await test.pm.close();
    expect(await client.end()).toMatchObject({ code: 1001 });
    expect(client.events()).toMatchObject([{ event: 'market.created' }]);
    expect((await open(port)).refusal).toMatchObject({ status: 503 });
  });

  it.each([
    [{ path: 'ws' }, 'path must be a path'],
    [{ allowedOrigins: ['example.org'] }, 'allowedOrigins must be a list of origins'],
    [{ trustProxy: 'loopback' }, 'trustProxy must be'],
    [{ pth: '/ws' }, 'unknown option pth'],
  ])('refuses the options %j', async (options, message) => {
    const test = await startedMarket();
    const { server } = await listening();
    expect(() => test.pm.attachWebSocket(server, options as never)).toThrow(message);
  });
});
