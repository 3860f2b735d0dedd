import { readFileSync } from 'node:fs';
import express, { type RequestHandler } from 'express';
import request from 'supertest';
import { createDocs, createSite, type SiteOptions } from 'express-prediction-market/site';
import { fakeDetail, fakeMarket, NOW } from './fake-market';

const market = fakeMarket([fakeDetail(1)]);

describe('createSite', () => {
  it.each<[unknown, string]>([
    [{ playmoney: true }, 'createSite: unknown option playmoney; did you mean playMoney?'],
    [{ adminURL: '/ops' }, 'createSite: unknown option adminURL; did you mean adminUrl?'],
    [{ adminUrl: 'ops' }, 'createSite: adminUrl must be an http(s) address or a path that begins with /'],
    [{ apiUrl: '//other.example' }, 'createSite: apiUrl must be an http(s) address or a path'],
    [{ siteUrl: '/shop' }, 'createSite: siteUrl must be an http(s) address'],
    [{ playMoney: 'yes' }, 'createSite: playMoney must be true or false'],
    [{ embedAncestors: '*' }, 'createSite: embedAncestors must be a list of origins'],
    [{ now: 5 }, 'createSite: now must be a function'],
    ['/', 'createSite: the options must be an object'],
  ])('refuses the options %j', (options, message) => {
    expect(() => createSite(market, options as SiteOptions)).toThrow(message);
  });

  it.each([[undefined], [null], [{}], [{ playMoney: true }]])('refuses %j as a market', (given) => {
    expect(() => createSite(given as unknown as typeof market)).toThrow(
      /^createSite: the market (must be|is required)/,
    );
  });

  it('has each of its options in the documentation', () => {
    const names = (file: string, pattern: RegExp): string[] =>
      [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name]) => name ?? '').sort();
    const documented = names('docs/pages.md', /^\| `(\w+)` +\| (?!`?\/)/gm);
    expect(documented).toEqual(names('site/options.ts', /^ {2}(\w+)\?: /gm));
  });

  it('takes options that are undefined as not given', () => {
    const options: SiteOptions = {
      siteUrl: undefined,
      adminUrl: undefined,
      playMoney: undefined,
      now: undefined,
    };
    expect(() => createSite(market, options)).not.toThrow();
  });
});

describe('The pages of a host that serves the API elsewhere', () => {
  const codes: unknown[] = [];
  const messages: string[] = [];
  beforeEach(() => {
    codes.length = 0;
    messages.length = 0;
    jest.spyOn(process, 'emitWarning').mockImplementation((message, options) => {
      messages.push(String(message));
      codes.push((options as { code?: string }).code);
    });
  });
  afterEach(() => jest.restoreAllMocks());

  const api: RequestHandler = (call, response, next) => {
    if (call.path.startsWith('/api/v2/')) response.status(404).json({ code: 'NOT_FOUND' });
    else next();
  };

  it('name the address, the mount path and the option, once', async () => {
    const app = express().use('/a', api).use('/shop', createSite(market));
    await request(app).get('/shop/api/v2/auth/nonce?address=0x1').expect(404);
    await request(app).post('/shop/api/v2/trades').expect(404);
    expect(codes).toEqual(['API_ELSEWHERE']);
    expect(messages[0]).toContain('GET /shop/api/v2/auth/nonce was a 404');
    expect(messages[0]).toContain("app.use('/shop', pm.router, createSite(pm))");
    expect(messages[0]).toContain('the option apiUrl');
  });

  it('notice it with a page for each address too', async () => {
    const app = express().use(createSite(market, { catchAll: true }));
    await request(app).post('/api/v2/trades').expect(404);
    expect(messages[0]).toContain('app.use(pm.router, createSite(pm))');
  });

  it('say nothing about the routes of operators, which may be anywhere', async () => {
    await request(express().use(createSite(market)))
      .get('/api/v2/admin/openapi.json')
      .expect(404);
    expect(codes).toEqual([]);
  });

  it.each<[string, () => express.Express]>([
    ['before the pages', () => express().use(api).use(createSite(market))],
    ['behind the pages', () => express().use(createSite(market)).use(api)],
    ['at the address of apiUrl', () => express().use(createSite(market, { apiUrl: '/b/api/v2' }))],
  ])('say nothing with an API %s', async (_where, app) => {
    await request(app()).get('/api/v2/x').expect(404);
    expect(codes).toEqual([]);
  });
});

describe('createDocs', () => {
  it.each<[unknown, string]>([
    [{ fodler: 'docs' }, 'createDocs: unknown option fodler; did you mean folder?'],
    [{ folder: '' }, 'createDocs: folder must be the path of a folder'],
    [{ apiUrl: 'shop' }, 'createDocs: apiUrl must be an http(s) address or a path that begins with /'],
    [{ adminUrl: '//other.example' }, 'createDocs: adminUrl must be an http(s) address or a path'],
  ])('refuses the options %j', (options, message) => {
    expect(() => createDocs(options as { folder: string })).toThrow(message);
  });
});

describe('the Content-Security-Policy of a page', () => {
  const policyOf = async (options: SiteOptions, ...before: RequestHandler[]): Promise<string | undefined> => {
    const app = express();
    for (const handler of before) app.use(handler);
    app.use(createSite(market, { now: () => NOW, ...options }));
    const { headers } = await request(app).get('/market/market-1');
    return headers['content-security-policy'] as string | undefined;
  };

  it('is strict in a host that sets none', async () => {
    expect(await policyOf({})).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
    );
  });

  it('names the origins of the API and of the operators’ routes, also for sockets', async () => {
    const policy = await policyOf({
      apiUrl: 'https://api.example.com/v2',
      adminUrl: 'https://ops.example.com:8443/x',
    });
    expect(policy).toContain(
      "connect-src 'self' https://api.example.com wss://api.example.com https://ops.example.com:8443 wss://ops.example.com:8443;",
    );
  });

  it('is the one of the host where there is one', async () => {
    const own = "default-src 'self'";
    const policy = await policyOf({}, (_request, response, next) => {
      response.set('Content-Security-Policy', own);
      next();
    });
    expect(policy).toBe(own);
  });
});
