import { gzipSync } from 'node:zlib';
import express, { type Express } from 'express';
import fc from 'fast-check';
import helmet from 'helmet';
import request from 'supertest';
import { createSite, type SiteOptions } from 'express-prediction-market/site';
import { fakeDetail, fakeMarket, NOW, refusal } from './fake-market';

const ATTACK = `"><script>alert(1)</script>`;
const SITE = 'https://markets.example.com';
const markets = fakeMarket([fakeDetail(1), fakeDetail(2, { question: ATTACK })]);

function siteApp(options: SiteOptions = {}, market = markets): Express {
  const app = express();
  app.use(helmet());
  app.use(createSite(market, { now: () => NOW, ...options }));
  return app;
}

describe('a market in a frame', () => {
  const frame = (options: SiteOptions = {}, path = 'market-1') =>
    request(siteApp(options)).get(`/embed/market/${path}`);

  it('may be shown by pages of the same site unless the host names others', async () => {
    const usual = await frame();
    expect(usual.status).toBe(200);
    expect(usual.headers['content-security-policy']).toMatch(/frame-ancestors 'self'$/);
    const named = await frame({ embedAncestors: ['https://example.com', 'https://*.example.org:8443'] });
    expect(named.headers['content-security-policy']).toMatch(
      /frame-ancestors https:\/\/example.com https:\/\/\*.example.org:8443$/,
    );
    expect((await frame({ embedAncestors: [] })).headers['content-security-policy']).toMatch(/'none'$/);
    expect(usual.headers['x-frame-options']).toBeUndefined();
  });

  it('leaves all other pages as the host protects them', async () => {
    const page = await request(siteApp({ embedAncestors: ['*'] })).get('/market/market-1');
    expect(page.headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(page.headers['content-security-policy']).not.toContain('frame-ancestors *');
  });

  it.each(['example.com', 'https://example.com/path', "'unsafe'", 'https://a.example; script-src *', ''])(
    'refuses the ancestor %j by name',
    (entry) => {
      expect(() => createSite(markets, { embedAncestors: [entry] })).toThrow(
        `embedAncestors: ${JSON.stringify(entry)}`,
      );
    },
  );

  it('has question, price, chart and a link to the market, and neither session nor order form', async () => {
    const { text } = await frame({ siteUrl: SITE });
    expect(text).toContain(`<a href="${SITE}/market/market-1" target="_blank" rel="noopener">`);
    expect(text).toMatch(/62%.*38%/s);
    expect(text).toContain('<svg');
    expect(text).not.toMatch(/data-session|data-ticket|api-key/);
    expect(text).toContain('noindex');
  });

  it('shows hostile text as text', async () => {
    const { text } = await frame({}, 'market-2');
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&lt;script&gt;');
  });

  it('takes a theme, and nothing else, from its address', async () => {
    const themed = async (theme: string): Promise<string> =>
      (await request(siteApp()).get('/embed/market/market-1').query({ theme })).text;
    expect(await themed('dark')).toContain('<html lang="en" class="theme-dark">');
    expect(await themed(ATTACK)).toContain('<html lang="en" class="theme-auto">');
  });

  it('leads from an id or a ticker to the slug, with the theme', async () => {
    const moved = await request(siteApp()).get('/embed/market/1?theme=dark');
    expect(moved.status).toBe(302);
    expect(moved.headers.location).toBe('/embed/market/market-1?theme=dark');
  });

  it('says within the frame that there is no such market, or that it is away', async () => {
    const missing = await frame({}, 'nothing');
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('no such market')]);
    const away = fakeMarket([fakeDetail(1)]);
    away.failWith = refusal('SERVICE_UNAVAILABLE', 503, 'Away');
    const answer = await request(siteApp({}, away)).get('/embed/market/market-1');
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(answer.headers['content-security-policy']).toContain('frame-ancestors');
  });
});

describe('oEmbed', () => {
  const ask = (query: Record<string, string>, options: SiteOptions = { siteUrl: SITE }) =>
    request(siteApp(options)).get('/oembed').query(query);
  const url = `${SITE}/market/market-1`;

  it('gives the frame of a market of this site', async () => {
    const { status, body, headers } = await ask({ url });
    expect(status).toBe(200);
    expect(body).toMatchObject({ type: 'rich', version: '1.0', width: 480, height: 360 });
    expect((body as { html: string }).html).toContain(`src="${SITE}/embed/market/market-1"`);
    expect(headers['access-control-allow-origin']).toBe('*');
  });

  it('is announced on the page of the market', async () => {
    const { text } = await request(siteApp({ siteUrl: SITE })).get('/market/market-1');
    const address = /type="application\/json\+oembed" href="([^"]+)"/.exec(text)?.[1] ?? '';
    expect(new URL(address).searchParams.get('url')).toBe(url);
    expect((await request(siteApp()).get('/market/market-1')).text).not.toContain('oembed');
  });

  it('keeps to the size that the other site allows', async () => {
    expect((await ask({ url, maxwidth: '300', maxheight: '9999' })).body).toMatchObject({
      width: 300,
      height: 360,
    });
    expect((await ask({ url, maxwidth: 'wide' })).status).toBe(400);
  });

  it('escapes the question in the frame', async () => {
    const { body } = await ask({ url: `${SITE}/market/market-2` });
    expect((body as { html: string }).html).not.toContain('<script>');
  });

  it('knows no other format, no other address, and no site without a public address', async () => {
    expect((await ask({ url, format: 'xml' })).status).toBe(501);
    expect((await ask({ url: 'https://evil.example/market/market-1' })).status).toBe(404);
    expect((await ask({ url: `${SITE}/market/nothing` })).status).toBe(404);
    expect((await ask({ url }, {})).status).toBe(404);
  });

  it('answers any address without a server error', async () => {
    const app = siteApp({ siteUrl: SITE });
    const addresses = fc.oneof(
      fc.string(),
      fc.string().map((text) => `${SITE}/market/${text}`),
    );
    await fc.assert(
      fc.asyncProperty(addresses, async (address) => {
        const { status } = await request(app).get('/oembed').query({ url: address });
        expect([200, 404]).toContain(status);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the element', () => {
  it('is one small file that every site may load', async () => {
    const { text, headers } = await request(siteApp()).get('/embed/element.js');
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect(text).not.toMatch(/\bimport\b/);
    expect(gzipSync(text).byteLength).toBeLessThan(3_000);
  });
});
