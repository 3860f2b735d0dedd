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

describe('createDocs', () => {
  it.each<[unknown, string]>([
    [{ fodler: 'docs' }, 'createDocs: unknown option fodler; did you mean folder?'],
    [{ folder: '' }, 'createDocs: folder must be the path of a folder'],
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
