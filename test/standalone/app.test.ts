import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { Wallet } from 'ethers';
import request from 'supertest';
import { createApp, type Environment, type Standalone } from '../../examples/standalone';
import { createGate } from '../support/gate';
import { signChallenge, type Challenge } from '../support/sign-challenge';
import { randomAddress, randomWallet } from '../support/random-wallet';

const ADMIN_TOKEN = 'an-admin-token-for-tests';
const HOW = 'The admin token is missing: send it as "Authorization: Bearer <token>".';
const open: Standalone[] = [];

async function start(environment: Environment = {}): Promise<Standalone & { logs(): string }> {
  const lines: string[] = [];
  const standalone = createApp(
    { DATABASE_URL: 'memory:', ADMIN_TOKEN, LOG_LEVEL: 'trace', ...environment },
    { logDestination: { write: (line) => void lines.push(line) } },
  );
  await standalone.market.start();
  open.push(standalone);
  return { ...standalone, logs: () => lines.join('') };
}

/** Sends the path unchanged. A client such as `fetch` would normalise the path. */
async function rawRequest(app: Standalone['app'], path: string): Promise<{ status: number; text: string }> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const sent = httpRequest({ host: '127.0.0.1', port, path, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, text: await readText(response) };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function issueKey(
  { app }: Standalone,
  wallet: Pick<Wallet, 'address' | 'signMessage'>,
): Promise<{ apiKey: string; signature: string }> {
  const signed = await signChallenge(wallet, async (address) => {
    const asked = await request(app).post('/api/v2/auth/challenge').send({ address, action: 'issue' });
    return asked.body.data as Challenge;
  });
  const issued = await request(app).post('/api/v2/auth/token').send(signed);
  return { apiKey: issued.body.data.apiKey as string, signature: signed.signature };
}

describe('the standalone app', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  });

  it('tells once that a proxy is in front while TRUST_PROXY is not set', async () => {
    const ask = (app: Standalone['app']) => request(app).get('/health').set('X-Forwarded-For', '192.0.2.1');
    const notices = (logs: string): number => logs.split('TRUST_PROXY is not set').length - 1;
    const { app, logs } = await start();
    await request(app).get('/health');
    expect(notices(logs())).toBe(0);
    for (let times = 0; times < 2; times += 1) await ask(app);
    expect(notices(logs())).toBe(1);
    const behindProxy = await start({ TRUST_PROXY: '1' });
    await ask(behindProxy.app);
    expect(notices(behindProxy.logs())).toBe(0);
  });

  it('opens markets with the liquidity of its settings, and offers paid calls at their prices', async () => {
    const { app, market } = await start({ LIQUIDITY_PARAMETER: '250', FEED_PRICE: '0.002' });
    const creator = randomAddress();
    await market.approveCreator({ address: creator });
    await market.createMarket({
      creator,
      question: 'Will it rain in Lisbon on 1 January?',
      resolutionCriteria: 'YES if IPMA reports rain for Lisbon on that day, otherwise NO.',
      resolveDate: new Date(Date.now() + 86_400_000).toISOString(),
      category: 'other',
    });
    // One market can cost the house b ln 2, where b is the liquidity parameter.
    expect((await market.getTreasury()).exposure).toBeCloseTo(250 * Math.LN2, 4);
    const refused = await request(app).get('/api/v2/x402/feed');
    expect(refused.status).toBe(402);
    expect(refused.body.accepts[0]).toMatchObject({ maxAmountRequired: '2000' });
  });

  it('serves API, pages, health and metrics', async () => {
    const { app } = await start();
    for (const path of ['/', '/portfolio', '/creators', '/health', '/ready', '/metrics', '/api/v2/docs']) {
      expect([path, (await request(app).get(path)).status]).toEqual([path, 200]);
    }
    expect((await request(app).get('/no/such/page')).status).toBe(404);
    const unknown = await request(app).get('/api/v2/nothing');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('refuses requests while the payments are checked, and does not take that for a start that is missing', async () => {
    const { opened, open: answer } = createGate();
    const asked = createGate();
    const node = createServer((_request, response) => {
      asked.open();
      void opened.then(() => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x2105' })));
    }).listen(0, '127.0.0.1');
    await once(node, 'listening');
    const RPC_URL = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
    const lines: string[] = [];
    const standalone = createApp(
      {
        DATABASE_URL: 'memory:',
        ADMIN_TOKEN,
        PAY_TO: `0x${'5'.repeat(40)}`,
        FACILITATOR_URL: RPC_URL,
        RPC_URL,
      },
      { logDestination: { write: (line) => void lines.push(line) } },
    );
    try {
      const starting = standalone.start();
      open.push(standalone);
      await asked.opened;
      expect((await request(standalone.app).get('/api/v2/public/markets')).status).toBe(503);
      answer();
      await starting;
      expect(lines.join('')).not.toContain('pm.start()');
    } finally {
      node.closeAllConnections();
      node.close();
    }
  });

  it('serves the documentation under /docs, with a policy of its own, and nothing beside it', async () => {
    if (!existsSync('built-docs/index.html')) execFileSync(process.execPath, ['scripts/build-docs.mjs']);
    const { app } = await start();
    await request(app).get('/docs').expect(301).expect('Location', '/docs/');
    const page = await request(app).get('/docs/tutorial').expect(200);
    expect(page.text).toContain('<h1');
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    expect((await request(app).get('/docs/types-index')).status).toBe(200);
    const unknown = await request(app).get('/docs/no-such-page');
    expect([unknown.status, unknown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('serves the metrics under one spelling only, which the balancer refuses to the public with all others', async () => {
    const { app } = await start();
    const others = [
      '/METRICS',
      '/Metrics',
      '/metrics/',
      '//metrics',
      '/%6detrics',
      '/%6Detrics',
      '/metrics%2f',
      '/./metrics',
      '/metrics;x',
      '/metrics%00',
    ];
    for (const path of others) {
      const { status, text } = await rawRequest(app, path);
      expect([path, status, text.includes('process_cpu_seconds_total')]).toEqual([path, 404, false]);
    }
    const configuration = readFileSync('ops/haproxy.cfg', 'utf8');
    const [, flags, pattern] =
      /http-request deny deny_status 404 if \{ path,(\S+) -m reg (\S+) \}/.exec(configuration) ?? [];
    expect(flags).toBe('url_dec,lower');
    const refused = (path: string): boolean =>
      new RegExp(pattern ?? 'missing').test(decodeURIComponent(path).toLowerCase());
    expect(['/metrics', ...others].filter((path) => !refused(path))).toEqual([]);
    expect(['/', '/market/metrics-of-rain', '/api/v2/public/markets'].filter(refused)).toEqual([]);
  });

  it('lets operators in by their token only, however the path is spelt', async () => {
    const { app } = await start();
    const paths = [
      '/admin/audit',
      '/ADMIN/audit',
      '//admin/audit',
      '/admin//audit',
      '/%61dmin/audit',
      '/admin/audit/',
      '/./admin/audit',
    ];
    for (const path of paths) {
      const { status, text } = await rawRequest(app, `/api/v2${path}`);
      expect([path, status >= 400, text.includes('"checked"')]).toEqual([path, true, false]);
    }
  });

  it('answers /ready with 503 until it has started', async () => {
    const standalone = createApp({ DATABASE_URL: 'memory:', LOG_LEVEL: 'silent' });
    expect((await request(standalone.app).get('/health')).status).toBe(200);
    expect((await request(standalone.app).get('/ready')).status).toBe(503);
    expect((await request(standalone.app).get('/')).status).toBe(503);
  });

  it('logs what it refuses before it has started without errors and stacks', async () => {
    const lines: string[] = [];
    const { app } = createApp(
      { DATABASE_URL: 'memory:', LOG_LEVEL: 'trace' },
      { logDestination: { write: (line) => void lines.push(line) } },
    );
    for (const path of ['/ready', '/api/v2/ready', '/api/v2/x402/feed', '/']) {
      expect((await request(app).get(path)).status).toBe(503);
    }
    const logged = lines.map((line) => JSON.parse(line) as { level: number; err?: unknown; msg: string });
    expect(logged.filter(({ level, err }) => level >= 50 || err !== undefined)).toEqual([]);
    expect(logged).toContainEqual(expect.objectContaining({ level: 40, msg: 'request refused' }));
    expect(lines.join('')).not.toContain('\\n    at ');
  });

  it.each([
    ['nothing', undefined, HOW],
    ['another token', 'Bearer an-admin-token-for-tesTs', 'The admin token is wrong.'],
    ['a longer one', `Bearer ${ADMIN_TOKEN}x`, 'The admin token is wrong.'],
    ['another scheme', `Basic ${ADMIN_TOKEN}`, HOW],
    ['the token alone', ADMIN_TOKEN, HOW],
  ])('keeps operators’ routes shut for %s, and says why', async (_name, authorization, why) => {
    const { app } = await start();
    const call = request(app).get('/api/v2/admin/audit');
    if (authorization !== undefined) call.set('Authorization', authorization);
    const { status, body, headers } = await call;
    expect([status, body.code, body.error]).toEqual([401, 'UNAUTHORIZED', why]);
    expect(headers['www-authenticate']).toContain('Bearer');
  });

  it('lets operators in by their token', async () => {
    const { app } = await start();
    const { status, body } = await request(app)
      .get('/api/v2/admin/audit')
      .set('Authorization', `Bearer ${ADMIN_TOKEN}`);
    expect([status, body.ok]).toEqual([200, true]);
  });

  it('makes an admin token that cannot be guessed when none is given', () => {
    const tokens = [1, 2].map(() => createApp({ DATABASE_URL: 'memory:', LOG_LEVEL: 'silent' }).adminToken);
    expect(tokens[0]).toMatch(/^[\w-]{32}$/);
    expect(tokens[0]).not.toBe(tokens[1]);
  });

  it('logs every request, and no key, signature, payment or token', async () => {
    const standalone = await start();
    const { apiKey, signature } = await issueKey(standalone, randomWallet());
    const payment = Buffer.from(JSON.stringify({ signature })).toString('base64');
    await request(standalone.app).get('/api/v2/public/balance').set('X-API-Key', apiKey);
    await request(standalone.app).get(`/api/v2/public/balance?apiKey=${apiKey}`);
    await request(standalone.app).get(`/${apiKey}`);
    await request(standalone.app)
      .get('/api/v2/x402/feed')
      .set({ 'X-PAYMENT': payment, 'PAYMENT-SIGNATURE': payment });
    await request(standalone.app).get('/api/v2/admin/audit').set('Authorization', `Bearer ${ADMIN_TOKEN}`);
    const logs = standalone.logs();
    expect(logs.match(/request completed/g)?.length).toBeGreaterThanOrEqual(7);
    for (const secret of [apiKey, apiKey.slice(4), signature, payment, ADMIN_TOKEN]) {
      expect(logs).not.toContain(secret);
    }
    const line = logs.split('\n').find((text) => text.includes('/api/v2/public/balance')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({
      req: { method: 'GET', path: '/api/v2/public/balance' },
      res: { status: 200 },
    });
  });

  it('counts requests by route template, trades and events', async () => {
    const standalone = await start();
    const { app, market } = standalone;
    const wallet = randomWallet();
    const { apiKey } = await issueKey(standalone, wallet);
    const { address } = wallet;
    await market.approveCreator({ address });
    await market.deposit({ address, amount: 100, reference: 'metrics' });
    const created = await market.createMarket({
      creator: address,
      question: 'Is this counted?',
      resolutionCriteria: 'By the metrics.',
      resolveDate: new Date(Date.now() + 48 * 3_600_000).toISOString(),
      category: 'other',
    });
    await request(app).get(`/api/v2/public/markets/${created.id}`).set('X-API-Key', apiKey);
    await request(app)
      .post(`/api/v2/public/markets/${created.id}/trade`)
      .set('X-API-Key', apiKey)
      .send({ side: 'YES', amount: 10 });
    await request(app).get('/nothing/here');
    await market.runJobs();
    await market.createWebhook({ url: 'https://receiver.invalid/' });
    const { text } = await request(app).get('/metrics');
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).toContain('prediction_market_webhooks{status="enabled"} 1');
    expect(text).toContain('prediction_market_resolutions{status="waiting"} 0');
    expect(text).toContain('prediction_market_webhook_behind{webhook="1"} 0');
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/v2/public/markets/:id",status="200"} 1',
    );
    expect(text).toContain('prediction_market_trades_total{side="YES",action="buy"} 1');
    expect(text).toContain('prediction_market_events_total{event="market.created"} 1');
    const figures = text.split('\n').filter((line) => /^prediction_market_(treasury|expos|solv)/.test(line));
    expect(figures).toEqual([
      'prediction_market_treasury_usd 0',
      'prediction_market_exposure_usd 69.314719',
      'prediction_market_exposure_limit_usd 10000000',
      'prediction_market_solvency_usd -69.314719',
      'prediction_market_solvent 1',
    ]);
    expect(text).not.toMatch(/route="[^"]*(nothing|markets\/1)/);
  });

  it('sends headers under which the pages run and nothing foreign does', async () => {
    const { app } = await start();
    const { headers } = await request(app).get('/');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https:/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  it('believes X-Forwarded-For only behind as many proxies as it was told of', async () => {
    const addresses: unknown[] = [];
    for (const environment of [{}, { TRUST_PROXY: '1' }]) {
      const { app, logs } = await start(environment);
      await request(app).get('/api/v2/creator/status').set('X-Forwarded-For', '203.0.113.9');
      const line =
        logs()
          .split('\n')
          .find((text) => text.includes('/creator/status')) ?? '{}';
      addresses.push((JSON.parse(line) as { req: { ip: string } }).req.ip);
    }
    expect(addresses[0]).not.toBe('203.0.113.9');
    expect(addresses[1]).toBe('203.0.113.9');
  });

  it('goes on while the Redis of its rate limits is away', async () => {
    const { app } = await start({ REDIS_URL: 'redis://127.0.0.1:1' });
    const { status, headers } = await request(app).get('/api/v2/public/markets');
    expect([status, headers['x-ratelimit-limit']]).toEqual([401, '60']);
  });

  it('asks clients to leave while it drains', async () => {
    const standalone = await start();
    standalone.startDraining();
    expect((await request(standalone.app).get('/health')).headers.connection).toBe('close');
  });
});
