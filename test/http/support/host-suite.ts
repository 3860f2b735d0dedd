import { createServer } from 'node:http';
import express, { type Request, type Response } from 'express';
import request from 'supertest';
import { API, startService, wallet, type Service } from './service';

const owner = wallet(501);
let service: Service;

export function hostSuite(): void {
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  const challenge = { address: owner.address, action: 'issue' };

  it('serves /api/v2 and leaves every other path to the host', async () => {
    const app = express();
    app.get('/before', (_req, res) => void res.send('before'));
    app.use(service.pm.router);
    app.get('/after', (_req, res) => void res.send('after'));
    app.get('/api/v1/markets', (_req, res) => void res.send('old'));
    app.use((_req, res) => void res.status(418).send('host'));
    expect((await request(app).get('/before')).text).toBe('before');
    expect((await request(app).get('/after')).text).toBe('after');
    expect((await request(app).get('/api/v1/markets')).text).toBe('old');
    for (const path of ['/', '/api', '/api/v20', '/api/v2x/y', '/%zz', '/API/V2/health']) {
      expect([path, (await request(app).get(path)).status]).toEqual([path, 418]);
    }
    const unknown = await request(app).get(`${API}/nothing`);
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({ code: 'NOT_FOUND' });
    expect((await request(app).get(API)).status).toBe(404);
    expect((await request(app).get(`${API}/health/`)).status).toBe(200);
  });

  it('works behind a mount path, before and after parsers of the host', async () => {
    const app = express();
    app.use('/raw', service.pm.router);
    app.use(express.json());
    app.use(express.urlencoded({ extended: true }));
    app.use('/parsed', service.pm.router);
    for (const mount of ['/raw', '/parsed']) {
      const response = await request(app).post(`${mount}${API}/auth/challenge`).send(challenge);
      expect(response.status).toBe(200);
      const form = await request(app).post(`${mount}${API}/auth/challenge`).type('form').send(challenge);
      expect(form.status).toBe(415);
      const query = await request(app).get(`${mount}${API}/creator/status?address=${owner.address}`);
      expect(query.body).toMatchObject({ address: owner.address });
    }
  });

  it("mounts the operators' routes behind any check of the host", async () => {
    const app = express();
    app.use(
      '/ops',
      (req, res, next) => void (req.get('X-Ops') === 'yes' ? next() : res.status(401).send('no')),
    );
    app.use('/ops', service.pm.adminRouter);
    expect((await request(app).get('/ops/audit')).status).toBe(401);
    expect((await request(app).get('/ops/audit').set('X-Ops', 'yes')).body).toMatchObject({ ok: true });
    expect((await request(app).get('/ops/').set('X-Ops', 'yes')).body).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('answers a path that does not decode with JSON', async () => {
    const app = express();
    app.use('/mount', service.pm.router);
    const key = await service.issueKey(owner);
    for (const path of ['/public/markets/%zz', '/public/markets/%E0%A4%A', '/auth/keys/%zz/revoke']) {
      const method = path.startsWith('/auth') ? 'post' : 'get';
      const response = await request(app)[method](`/mount${API}${path}`).set('X-API-Key', key);
      expect(response.status).toBe(400);
      expect(response.type).toBe('application/json');
      expect(response.body).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  });

  it('answers HEAD without a body and OPTIONS with the methods', async () => {
    const app = express();
    app.use(service.pm.router);
    const key = await service.issueKey(owner);
    const got = await request(app).get(`${API}/public/markets`).set('X-API-Key', key);
    const head = await request(app).head(`${API}/public/markets`).set('X-API-Key', key);
    expect(head.status).toBe(200);
    expect(head.text ?? '').toBe('');
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
    expect(got.headers.etag).toBeUndefined();
    const options = await request(app).options(`${API}/public/markets`);
    expect(options.status).toBe(204);
    expect(options.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
    expect((await request(app).options(`${API}/nothing`)).status).toBe(404);
    const wrong = await request(app).delete(`${API}/public/markets`).set('X-API-Key', key);
    expect(wrong.status).toBe(404);
    expect(wrong.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
  });

  it('answers each path without parameters as Express does for the same path with a slash at its end', async () => {
    const app = express().use('/shop', service.pm.router);
    const key = await service.issueKey(owner);
    const { body: document } = await request(app).get(`/shop${API}/openapi.json`);
    const paths = Object.entries((document as { paths: Record<string, object> }).paths);
    const readable = paths.filter(([path, methods]) => 'get' in methods && !path.includes('{'));
    expect(readable.length).toBeGreaterThan(10);
    for (const [path] of readable.filter(([name]) => !name.endsWith('/stream'))) {
      const [direct, spelt] = [path, `${path}/?unknown=1`].map((each) =>
        request(app).get(`/shop${each}`).set('X-API-Key', key),
      );
      const [answer, expected] = [await direct, await spelt];
      expect([path, answer?.status, shapeOf(answer)]).toEqual([path, expected?.status, shapeOf(expected)]);
    }
  });

  it('tells the host the route of each request', async () => {
    const seen: unknown[] = [];
    const app = express();
    app.use((req, res, next) => {
      res.once('finish', () =>
        seen.push([(req.route as { path: string }).path, req.baseUrl, req.originalUrl]),
      );
      next();
    });
    app.use('/shop', service.pm.router);
    for (const path of ['/health', '/health/', '/public/markets/1'])
      await request(app).get(`/shop${API}${path}`);
    expect(seen).toEqual([
      [`${API}/health`, '/shop', `/shop${API}/health`],
      [`${API}/health`, '/shop', `/shop${API}/health/`],
      [`${API}/public/markets/:id`, '/shop', `/shop${API}/public/markets/1`],
    ]);
  });

  it('is a router of Express, which the host may extend', async () => {
    const { router } = service.pm;
    router.get('/hello', (_req, res) => void res.send('hello'));
    const app = express().use(router);
    expect((await request(app).get('/hello')).text).toBe('hello');
    expect((await request(app).get(`${API}/health`)).status).toBe(200);
  });

  it('serves a server that is no Express app', async () => {
    const { router } = service.pm;
    const server = createServer((req, res) => {
      router(req as Request, res as Response, () => res.writeHead(418).end());
    });
    const statuses = Object.entries({
      '/health': 200,
      '/health/': 200,
      '/nothing': 404,
      '/public/x': 401,
      '/%zz': 404,
    });
    for (const [path, status] of statuses)
      expect([path, (await request(server).get(`${API}${path}`)).status]).toEqual([path, status]);
    expect((await request(server).get('/elsewhere')).status).toBe(418);
  });
}

/** Compares only the names of fields, because instants and nonces differ between answers. */
function shapeOf(answer: { body: unknown; type: string } | undefined): unknown {
  const { body, type } = answer ?? {};
  return [type, typeof body === 'object' && body !== null ? Object.keys(body).sort() : body];
}
