import express, { type Express } from 'express';
import request from 'supertest';
import { isPredictionMarketError } from '../../../src/domain/errors';
import { signChallenge, type Challenge } from '../../support/sign-challenge';
import { API, startService, wallet, type Service } from './service';

const owner = wallet(511);
const REASON = 'The header must name the host of this service';
let service: Service;

const MOUNTS: [path: string, mount: (app: Express, service: Service) => void][] = [
  ['', (app) => void app.use(service.pm.router)],
  ['/shop', (app) => void app.use('/shop', service.pm.router)],
  [
    '/outer/inner',
    (app) => {
      const inner = express();
      inner.use('/inner', service.pm.router);
      app.use('/outer', inner);
    },
  ],
  ['/parsed', (app) => void app.use('/parsed', express.json(), service.pm.router)],
  ['/of/7', (app) => void app.use('/of/:tenant', service.pm.router)],
];

function mounted(
  mount: (app: Express, service: Service) => void,
  trustProxy: boolean | number = false,
): Express {
  const app = express();
  app.set('trust proxy', trustProxy);
  mount(app, service);
  return app;
}

interface Offer {
  accepts: { resource: string }[];
}

async function resourceOf(app: Express, path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await request(app).get(`${path}${API}/x402/feed`).set(headers).expect(402);
  const header = String(response.headers['payment-required']);
  const versionTwo = JSON.parse(Buffer.from(header, 'base64').toString()) as { resource: { url: string } };
  const versionOne = (response.body as Offer).accepts[0]?.resource;
  expect(versionTwo.resource.url).toBe(versionOne);
  return versionOne ?? '';
}

async function titleOf(app: Express, path: string, headers: Record<string, string> = {}): Promise<string> {
  const asked = request(app).post(`${path}${API}/auth/challenge`).set(headers);
  const { body } = await asked.send({ address: owner.address, action: 'issue' }).expect(200);
  return (body as { data: { message: string } }).data.message.split('\n')[0] ?? '';
}

const HOST = { Host: 'market.example:8080' };
const PROXY = { 'X-Forwarded-Host': 'front.example:8443', 'X-Forwarded-Proto': 'https' };

const NO_HOSTS = ['', 'a b', 'a.example/evil', 'user@a.example', 'a,b'];
const MORE_NO_HOSTS = [
  ...[
    'a.example?x',
    'a"b',
    'a{b}',
    'a`b',
    'a, b',
    "a'b",
    'a$b',
    'a%62',
    'a\\b',
    'a<b>',
    'a|b',
    'b\u00fccher',
  ],
  ...['.', '..', '.a', 'a..b', 'a..', '-', '-a', 'a-', 'a.-b', 'a-.b', 'xn--a'],
  ...[`${'a'.repeat(64)}.example`, `${'a.'.repeat(128)}example`],
  ...['a:', 'a:0', 'a:080', 'a:65536', 'a:99999999', 'a:b', ':80', '1.2.3.256', '0x7f.1', '1.2.3', '7'],
  ...['[', '[]', '[::1', '::1', '[::1]x', '[::1]:0', '[1:2:3]', '[a.example]', '[fe80::1%25eth0]'],
];

export function addressSuite(): void {
  afterEach(() => service.close());

  describe.each(MOUNTS)('without baseUrl, mounted at "%s"', (path, mount) => {
    beforeEach(async () => {
      service = await startService();
    });

    it('are those under which the request came', async () => {
      const app = mounted(mount);
      expect(await resourceOf(app, path, HOST)).toBe(`http://market.example:8080${path}${API}/x402/feed`);
      expect(await resourceOf(app, path, { Host: 'other.example' })).toBe(
        `http://other.example${path}${API}/x402/feed`,
      );
      expect(await titleOf(app, path, HOST)).toBe(`Prediction Market (http://market.example:8080${path})`);
    });

    it('are those of the proxy where the host trusts it, and only there', async () => {
      const headers = { ...HOST, ...PROXY };
      const trusting = mounted(mount, true);
      // An Express app inside another app has settings of its own, but inherits the trust in proxies.
      expect(await resourceOf(trusting, path, headers)).toBe(
        `https://front.example:8443${path}${API}/x402/feed`,
      );
      expect(
        await resourceOf(trusting, path, { ...headers, 'X-Forwarded-Host': 'a.example, b.example' }),
      ).toBe(`https://a.example${path}${API}/x402/feed`);
      expect(await titleOf(trusting, path, headers)).toBe(
        `Prediction Market (https://front.example:8443${path})`,
      );
      expect(await resourceOf(mounted(mount), path, headers)).toBe(
        `http://market.example:8080${path}${API}/x402/feed`,
      );
    });

    it('name a server in the OpenAPI document that leads to the API', async () => {
      const app = mounted(mount);
      const { body } = await request(app).get(`${path}${API}/openapi.json`).expect(200);
      const { servers, paths } = body as { servers: { url: string }[]; paths: Record<string, unknown> };
      expect(servers).toEqual([{ url: path === '' ? '/' : path }]);
      expect(Object.keys(paths)).toContain(`${API}/health`);
      await request(app).get(`${path}${API}/health`).expect(200);
    });

    it('are never made of a Host header that names no host', async () => {
      const app = mounted(mount);
      for (const host of NO_HOSTS) {
        const response = await request(app).get(`${path}${API}/x402/feed`).set('Host', host);
        expect([host, response.status]).toEqual([host, 400]);
        expect(response.body).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'Host' }] });
      }
      const answer = (method: 'get' | 'post', route: string) =>
        request(app)[method](`${path}${API}${route}`).set('Host', 'a b');
      const { address } = owner;
      const refused = [
        answer('get', '/x402/oracle/resolve'),
        answer('post', '/x402/deposit').send({ amount: 5 }),
        answer('post', '/auth/challenge').send({ address, action: 'issue' }),
        answer('get', '/asyncapi.json'),
        answer('get', '/docs/live'),
      ];
      for (const { status, text } of await Promise.all(refused))
        expect([status, text]).toEqual([400, expect.stringContaining(REASON)]);
      for (const route of ['/health', '/x402/info', '/openapi.json', '/docs'])
        await answer('get', route).expect(200);
    });
  });

  it.each([
    ['localhost:3000'],
    ['A.Example', 'a.example'],
    ['a.example.'],
    ['xn--bcher-kva.example'],
    ['my_app-1.internal:65535'],
    ['a--b.example:1'],
    [`${'a'.repeat(63)}.example`],
    ['1.2.3.4:8080'],
    ['[::1]'],
    ['[2001:DB8::1]:8080', '[2001:db8::1]:8080'],
  ])('name the host of the Host header %s', async (host, named = host) => {
    service = await startService();
    const app = mounted((outer) => void outer.use(service.pm.router));
    expect(await resourceOf(app, '', { Host: host })).toBe(`http://${named}${API}/x402/feed`);
  });

  it('are made of no other text that a Host header may have', async () => {
    service = await startService();
    const app = mounted((outer) => void outer.use(service.pm.router), true);
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await request(app).get(`${API}/x402/feed`).set(headers)).status;
    for (const host of MORE_NO_HOSTS) expect([host, await statusOf({ Host: host })]).toEqual([host, 400]);
    expect(await statusOf({ ...HOST, 'X-Forwarded-Host': 'a`b' })).toBe(400);
  });

  describe('with baseUrl', () => {
    it.each(MOUNTS)('are built from it, mounted at "%s"', async (path, mount) => {
      service = await startService({ baseUrl: 'https://example.org/exchange' });
      const app = mounted(mount, true);
      expect(await resourceOf(app, path, { ...HOST, ...PROXY })).toBe(
        `https://example.org/exchange${API}/x402/feed`,
      );
      expect(await titleOf(app, path, HOST)).toBe('Prediction Market (https://example.org/exchange)');
      const { body } = await request(app).get(`${path}${API}/openapi.json`).expect(200);
      expect((body as { servers: unknown }).servers).toEqual([{ url: '/exchange' }]);
    });
  });

  it('are in EIP-4361 messages, which are then accepted', async () => {
    service = await startService();
    const app = mounted((host) => void host.use('/shop', service.pm.router));
    const signed = await signChallenge(owner, async (address) => {
      const body = { address, action: 'issue', format: 'siwe' };
      const asked = await request(app).post(`/shop${API}/auth/challenge`).set(HOST).send(body).expect(200);
      return (asked.body as { data: Challenge }).data;
    });
    expect(signed.message).toMatch(/^market\.example:8080 wants you to sign in/);
    expect(signed.message).toContain('\nURI: http://market.example:8080/shop\n');
    await request(app).post(`/shop${API}/auth/token`).set(HOST).send(signed).expect(201);
  });

  it('are left out of the typed methods, where no request tells them', async () => {
    service = await startService();
    const { message } = await service.pm.issueChallenge({ address: owner.address, action: 'issue' });
    expect(message.split('\n')[0]).toBe('Prediction Market');
    const siwe = service.pm.issueChallenge({ address: owner.address, action: 'issue', format: 'siwe' });
    const refusal = await siwe.catch((error: unknown) => error);
    expect(isPredictionMarketError(refusal) && refusal.errors).toEqual([
      { field: 'format', message: 'siwe needs the option baseUrl, whose host it names' },
    ]);
  });
}

export function operatorsSuite(): void {
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  const checked: express.RequestHandler = (req, res, next) => {
    if (req.get('X-Ops') === 'yes') next();
    else res.status(401).send('no');
  };
  const before = (app: express.Application): void => {
    app.use(`${API}/admin`, checked, service.pm.adminRouter);
    app.use(service.pm.router);
  };
  const behind = (app: express.Application): void => {
    app.use(service.pm.router);
    app.use(`${API}/admin`, checked, service.pm.adminRouter);
  };

  describe.each([
    ['before', before],
    ['behind', behind],
  ])('mounted at /api/v2/admin %s the router', (_order, mountBoth) => {
    it.each(['', '/shop'])('answer, under the prefix "%s"', async (prefix) => {
      const app = express();
      const inner = express();
      mountBoth(prefix === '' ? app : inner);
      if (prefix !== '') app.use(prefix, inner);
      const ops = `${prefix}${API}/admin`;
      expect((await request(app).get(`${ops}/audit`)).status).toBe(401);
      expect((await request(app).get(`${ops}/audit`).set('X-Ops', 'yes')).body).toMatchObject({ ok: true });
      const deposit = { amount: 5, reference: 'a' };
      const sent = request(app).post(`${ops}/accounts/${owner.address}/deposits`).set('X-Ops', 'yes');
      expect((await sent.send(deposit)).body).toMatchObject({ amount: 5 });
      const unknown = await request(app).get(`${ops}/nothing`).set('X-Ops', 'yes');
      expect(unknown.body).toMatchObject({ code: 'NOT_FOUND' });
      const broken = await request(app).get(`${ops}/accounts/%zz`).set('X-Ops', 'yes');
      expect(broken.body).toMatchObject({ code: 'VALIDATION_ERROR' });
      const { body } = await request(app).get(`${ops}/openapi.json`).set('X-Ops', 'yes').expect(200);
      expect((body as { servers: unknown }).servers).toEqual([{ url: ops }]);
      await request(app).get(`${prefix}${API}/health`).expect(200);
      expect((await request(app).get(`${prefix}${API}/administer`)).body).toMatchObject({
        code: 'NOT_FOUND',
      });
    });
  });
}
