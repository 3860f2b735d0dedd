import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  API,
  createMarket,
  createService,
  OPS,
  startService,
  wallet,
  type Service,
} from '../../http/support/service';
import { expectMessage } from '../../support/expect-message';
import { until } from '../../support/until';
import { openStream, refusal, type StreamClient, type StreamMessage } from './client';

const trader = wallet(901);
const creator = wallet(902);
let service: Service;
let server: Server;
let base: string;
let market: number;
let key: string;
let clients: StreamClient[];

beforeAll(async () => {
  service = await startService({ live: { connectionLimit: 5 } });
  server = createServer(service.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${API}/stream`;
  market = await createMarket(service, creator);
  key = await service.issueKey(trader);
  await service.fund(trader, 1_000);
});
afterAll(async () => {
  await service.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => (clients = []));
afterEach(() => clients.forEach((client) => client.leave()));

async function open(channels: string, headers: Record<string, string> = {}): Promise<StreamClient> {
  const client = await openStream(`${base}?channels=${channels}`, headers);
  clients.push(client);
  return client;
}
/** Skips the welcome and `subscribed`. */
async function follow(channels: string, headers: Record<string, string> = {}): Promise<StreamClient> {
  const client = await open(channels, headers);
  await client.take(2);
  return client;
}
async function trade(amount = 10): Promise<void> {
  await service.pm.placeTrade({ wallet: trader.address, market, side: 'YES', amount });
}
const shown = ({ id, message }: StreamMessage) => [message.channel, message.event, message.seq, id !== null];

describe('GET /api/v2/stream', () => {
  it('hands out each fact on each of its channels, with the id on its last message', async () => {
    const client = await open(`trades,prices,market:${market},account`, { 'X-API-Key': key });
    const [welcome, subscribed] = await client.take(2);
    expect(client.response.statusCode).toBe(200);
    const { epoch } = service.pm.eventPosition();
    expect(welcome?.message).toMatchObject({ type: 'welcome', epoch, heartbeatSeconds: 20 });
    const { seq, snapshot } = subscribed?.message as { seq: number; snapshot: Record<string, unknown> };
    expect(snapshot).toMatchObject({ seq, markets: [{ id: market }], account: { available: 1_000 } });
    await trade(25);
    const told = await client.take(4);
    for (const { message } of [...(welcome === undefined ? [] : [welcome]), ...told]) expectMessage(message);
    expect(told.map(shown)).toEqual([
      ['trades', 'trade', seq + 1, false],
      ['prices', 'price', seq + 1, false],
      [`market:${market}`, 'trade', seq + 1, false],
      ['account', 'account.trade', seq + 1, true],
    ]);
    expect(told[3]?.id).toBe(`${epoch}:${seq + 1}`);
    expect(told[3]?.message.data).toMatchObject({ balance: { available: 975 } });
  });

  it('goes on after Last-Event-ID, across facts of other channels, in one chain', async () => {
    const first = await follow('trades');
    await trade();
    const { id, message } = await first.next();
    first.leave();
    await trade();
    await service.fund(trader, 1);
    await trade();
    const second = await open('trades', { 'Last-Event-ID': id ?? '' });
    const [, subscribed, ...missed] = await second.take(4);
    expect(subscribed).toMatchObject({ id, message: { seq: message.seq } });
    await trade();
    const all = [...missed, await second.next()].map((item) => item.message as { seq: number; prev: number });
    expect(all.map(({ seq }) => seq - Number(message.seq))).toEqual([1, 3, 4]);
    expect(all.slice(1).map(({ prev }) => prev)).toEqual(all.slice(0, -1).map(({ seq }) => seq));
    for (const item of all) expectMessage(item);
  });

  it.each([
    ['EPOCH', () => `another:1`],
    ['SEQ_AHEAD', () => `${service.pm.eventPosition().epoch}:999999`],
  ])('says resync, with the state, for a last id that cannot be honoured: %s', async (reason, id) => {
    const client = await open(`market:${market}`, { 'Last-Event-ID': id() });
    const [, subscribed, resync] = await client.take(3);
    expect(subscribed?.message.snapshot).toBeUndefined();
    expect(resync?.message).toMatchObject({
      type: 'resync',
      reason,
      snapshot: { markets: [{ id: market }] },
    });
    expectMessage(resync?.message);
    await trade();
    expect((await client.next()).message.event).toBe('trade');
  });

  it.each([
    ['no channel at all', '', {}, 400, 'VALIDATION_ERROR'],
    ['an empty list', '?channels=', {}, 400, 'VALIDATION_ERROR'],
    ['a channel that there is not', '?channels=trades,nonsense', {}, 400, 'VALIDATION_ERROR'],
    ['an address as a channel', '?channels=account:0x1', {}, 400, 'VALIDATION_ERROR'],
    ['channels twice', '?channels=trades&channels=prices', {}, 400, 'VALIDATION_ERROR'],
    ['a last id of no stream', '?channels=trades', { 'Last-Event-ID': '17' }, 400, 'VALIDATION_ERROR'],
    ['the account without a key', '?channels=trades,account', {}, 401, 'UNAUTHORIZED'],
    ['a wrong key', '?channels=trades', { 'X-API-Key': 'pmk_wrong' }, 401, 'UNAUTHORIZED'],
    ['a market that there is not', '?channels=market:77', {}, 404, 'MARKET_NOT_FOUND'],
  ])('refuses %s', async (_what, query, headers, status, code) => {
    const answer = await refusal(base + query, headers);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers['content-type']).toContain('application/json');
  });

  it('refuses the account to a key without the scope', async () => {
    const narrow = await service.issueKey(trader, { scopes: ['trades:create'] });
    const answer = await refusal(`${base}?channels=account`, { 'X-API-Key': narrow });
    expect([answer.status, answer.body.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    const client = await open('trades', { 'X-API-Key': narrow });
    expect((await client.next()).message.type).toBe('welcome');
  });

  it('throttles an address that sends wrong keys, and lets its valid key pass', async () => {
    const from = { 'X-Forwarded-For': '192.0.2.66' };
    const wrong = { ...from, 'X-API-Key': 'pmk_wrong' };
    for (let count = 0; count < 20; count += 1) await refusal(`${base}?channels=trades`, wrong);
    const answer = await refusal(`${base}?channels=trades`, from);
    expect([answer.status, answer.body.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    const client = await open('trades', { ...from, 'X-API-Key': key });
    expect(client.response.statusCode).toBe(200);
  });

  it('has no rate-limit headers, and counts against no quota', async () => {
    const { headers } = await refusal(`${base}?channels=nonsense`);
    expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });

  it('refuses an address that holds its limit of connections, until one has left', async () => {
    const from = { 'X-Forwarded-For': '192.0.2.67' };
    for (let count = 0; count < 5; count += 1) await open('trades', from);
    const answer = await refusal(`${base}?channels=trades`, from);
    expect([answer.status, answer.body.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    clients[0]?.leave();
    await until(async () => {
      const client = await openStream(`${base}?channels=trades`, from);
      clients.push(client);
      return client.response.statusCode === 200;
    });
  });

  it('ends with its key, before the answer of the revocation has come', async () => {
    const other = wallet(903);
    const raw = await service.issueKey(other);
    const client = await follow('account,trades', { 'X-API-Key': raw });
    const open = await follow('trades');
    const { data } = (await service.call('get', `${API}/auth/keys?address=${other.address}`)).body as {
      data: { keys: { id: number }[] };
    };
    const keyId = data.keys[0]?.id;
    const body = await service.signed(other, 'revoke', { keyId });
    await service.call('post', `${API}/auth/keys/${String(keyId)}/revoke`, { body });
    expect(await client.ended()).toEqual([]);
    await trade();
    expect((await open.next()).message.event).toBe('trade');
  });

  it('loses the account with the scope, and goes on with the rest', async () => {
    const other = wallet(904);
    const raw = await service.issueKey(other);
    const client = await follow('account,trades', { 'X-API-Key': raw });
    const { data } = (await service.call('get', `${API}/auth/keys?address=${other.address}`)).body as {
      data: { keys: { id: number }[] };
    };
    await service.call('patch', `${OPS}/keys/${String(data.keys[0]?.id)}`, {
      body: { scopes: ['trades:create'] },
    });
    await service.fund(other, 5);
    const { message } = await client.next();
    expect(message).toEqual({ type: 'unsubscribed', id: null, channels: ['account'] });
    expectMessage(message);
    await trade();
    expect((await client.next()).message.channel).toBe('trades');
  });

  it('answers HEAD and OPTIONS, and holds no connection for them', async () => {
    const head = await service.call('head', `${API}/stream?channels=trades`);
    expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream']);
    const options = await service.call('options', `${API}/stream`);
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it('is unavailable before the start, and ends at the close', async () => {
    const early = await createService();
    const earlyServer = createServer(early.app).listen(0, '127.0.0.1');
    await once(earlyServer, 'listening');
    const address = `http://127.0.0.1:${(earlyServer.address() as AddressInfo).port}${API}/stream?channels=trades`;
    const answer = await refusal(address);
    expect([answer.status, answer.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    await early.pm.start();
    const client = await openStream(address);
    await client.take(2);
    const closed = once(earlyServer, 'close');
    earlyServer.close();
    await early.close();
    expect(await client.ended()).toEqual([]);
    // The server closes only after its last connection has ended.
    await closed;
  });
});
