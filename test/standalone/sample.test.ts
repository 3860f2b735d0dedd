import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request, { type Response } from 'supertest';
import { createApp, type Environment, type Standalone } from '../../examples/standalone';
import { readme } from '../client/guide.example';
import { until } from '../support/until';
import { randomAddress, randomWallet } from '../support/random-wallet';

const PATH = '/api/v2/admin/sample';
const ADMIN_TOKEN = 'a-token-for-tests-only';
const TOKEN_OF_ANN = 'a-token-that-ann-has';
const REAL = { FACILITATOR_URL: 'https://facilitator.example', PAY_TO: `0x${'1'.repeat(40)}` };

const create = (environment: Environment = {}): Standalone =>
  createApp({
    ...{ DATABASE_URL: 'memory:', LOG_LEVEL: 'silent', ADMIN_TOKEN, ADMIN_TOKENS: `ann:${TOKEN_OF_ANN}` },
    ...environment,
  });
const ask = ({ app }: Standalone): Promise<Response> =>
  request(app).get(PATH).set('Authorization', `Bearer ${ADMIN_TOKEN}`);
const push = ({ app }: Standalone): Promise<Response> =>
  request(app).post(PATH).set('Authorization', `Bearer ${TOKEN_OF_ANN}`);

describe('sample markets on a server with play money', () => {
  let standalone: Standalone;
  beforeAll(async () => {
    standalone = create();
    await standalone.start();
  });
  afterAll(() => standalone.close());

  it('are for operators only', async () => {
    const { app } = standalone;
    expect((await request(app).get(PATH)).status).toBe(401);
    expect((await request(app).post(PATH).set('Authorization', 'Bearer wrong')).status).toBe(401);
    expect((await ask(standalone)).body).toEqual({
      ...{ state: 'idle', done: 0, total: 0, message: null, filled: null, refusal: null },
    });
  });

  it('are made once beside its requests, where a newcomer has money already, and reach listeners', async () => {
    const { market, app } = standalone;
    const newcomer = randomAddress();
    await market.deposit({ address: newcomer, amount: 500, reference: 'play money of a newcomer' });
    let created = 0;
    market.events.on('market.created', () => (created += 1));

    const answers = await Promise.all([push(standalone), push(standalone)]);
    expect(answers.map(({ status, body }) => [status, body.state])).toEqual([
      [202, 'running'],
      [202, 'running'],
    ]);
    const seen = new Set<number>();
    await until(async () => {
      const [page, { body }] = await Promise.all([request(app).get('/'), ask(standalone)]);
      expect(page.status).toBe(200);
      if (body.state === 'running') seen.add(body.done);
      return body.state !== 'running';
    });
    expect(seen.size).toBeGreaterThan(5);

    const { body } = await ask(standalone);
    expect(body).toMatchObject({ state: 'done', filled: { markets: 12, resolved: 3 }, refusal: null });
    expect(body.done).toBe(body.total);
    expect(body.filled.trades).toBeGreaterThan(1_000);
    expect((await market.listMarkets({ limit: 1 })).total).toBe(12);
    expect((await market.listMarkets({ status: 'resolved' })).total).toBe(3);
    expect(await market.audit()).toMatchObject({ ok: true, checked: { wallets: 28 } });
    expect((await market.getAccount({ address: newcomer })).balance).toBe(500);
    await until(() => created === 12);
    const [row, ...others] = (await market.listOperatorLog({ action: 'sample.fill' })).acts;
    expect([row?.operator, row?.target, row?.details, others]).toEqual(['ann', 'markets', { seed: 3 }, []]);
  });

  it("are what the README's bot trades on, with money that it pays in itself", async () => {
    const server = standalone.app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    Object.assign(process.env, {
      MARKET_URL: `http://127.0.0.1:${port}`,
      PRIVATE_KEY: randomWallet().privateKey,
    });
    const logged: unknown[][] = [];
    try {
      await readme({ console: { log: (...values) => void logged.push(values) } });
    } finally {
      server.closeAllConnections();
      server.close();
    }
    expect(logged).toEqual([[expect.stringMatching(/^[\d.]+ shares of market \d+, 15 USD left$/)]]);
  });

  it('are refused where there are markets, and nothing is changed', async () => {
    const before = await standalone.market.audit();
    const { status, body } = await push(standalone);
    expect([status, body.code]).toEqual([409, 'NOT_EMPTY']);
    expect(body.message).toMatch(/^This database has 12 markets, 3 creators, and sample markets go only/);
    expect((await standalone.market.audit()).checked).toEqual(before.checked);
  });
});

it.each<[string, Environment, string]>([
  ['real money', { ...REAL, DATABASE_URL: 'sqlite:never-opened.db' }, 'NOT_PLAY_MONEY'],
  ['several instances', { REDIS_URL: 'redis://127.0.0.1:1' }, 'SEVERAL_PROCESSES'],
  [
    'several workers',
    { REDIS_URL: 'redis://127.0.0.1:1', WORKERS: '2', DATABASE_URL: 'postgres://nowhere.invalid/db' },
    'SEVERAL_PROCESSES',
  ],
])(
  'sample markets are refused by name with %s, and no page offers them',
  async (_what, environment, code) => {
    const standalone = create(environment);
    const { status, body } = await push(standalone);
    expect([status, body.code]).toEqual([409, code]);
    expect((await ask(standalone)).body.refusal.code).toBe(code);
    const { text } = await request(standalone.app).get('/operators');
    expect(text).not.toContain('data-samples');
  },
);

it('the routes of sample markets answer 503 while the storage is not there', async () => {
  const { status, body, headers } = await push(create());
  expect([status, body.code, headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
});

it('the making of sample markets ends with the server, which then says what the database has', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sample-server-'));
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'markets.db')}` };
  const first = create(environment);
  await first.start();
  expect((await push(first)).status).toBe(202);
  await until(async () => (await first.market.listMarkets({ limit: 1 })).total > 0);
  const early = (await ask(first)).body;
  await first.close();

  const second = create(environment);
  await second.start();
  try {
    const { state, refusal } = (await ask(second)).body;
    expect([early.state, state, refusal.code]).toEqual(['running', 'idle', 'NOT_EMPTY']);
    expect((await second.market.audit()).ok).toBe(true);
  } finally {
    await second.close();
    await rm(folder, { recursive: true });
  }
});
