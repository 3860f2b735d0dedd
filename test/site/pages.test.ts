import express, { type Express } from 'express';
import request from 'supertest';
import { MARKET_STATUSES } from '../../src/domain/types';
import type { MarketView, ResolutionProgressView } from 'express-prediction-market';
import { createSite, type SiteOptions } from 'express-prediction-market/site';
import type { MarketData } from '../../site/pages/market-data';
import { marketFragments } from '../../site/pages/market-parts';
import { marketCards } from '../../site/pages/markets';
import { fakeCandles, fakeDetail, fakeMarket, NOW, refusal, type FakeMarket } from './fake-market';

const ATTACK = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;`;

const PAY_AT = '2026-11-21T14:00:00Z';
const PROPOSAL = {
  ...{ outcome: 'NO' as const, oracleConsensus: 0.9 },
  ...{ proposedAt: '2026-11-21T00:00:00Z', payAt: PAY_AT },
};

function siteApp(market: FakeMarket, options: SiteOptions = {}, mount = '/'): Express {
  const app = express();
  app.use(mount, createSite(market, { now: () => NOW, ...options }));
  return app;
}

describe('the canonical address of a page', () => {
  const market = fakeMarket([fakeDetail(1)]);

  it.each([
    ['the mount path', {}, '/shop'],
    ['siteUrl', { siteUrl: 'https://a.example/markets/' }, 'https://a.example/markets'],
  ])('begins with %s', async (_what, options, start) => {
    const app = siteApp(market, options, '/shop');
    for (const path of ['/', '/categories/science', '/market/market-1', '/creators']) {
      const { text } = await request(app).get(`/shop${path}`).expect(200);
      expect(text).toContain(`<link rel="canonical" href="${start}${path}">`);
      expect(text).toContain(`<meta property="og:url" content="${start}${path}">`);
    }
  });
});

describe('play money', () => {
  const market = fakeMarket([fakeDetail(1)]);
  const empty = fakeMarket([]);
  const start = async (markets: FakeMarket, options: SiteOptions, query = ''): Promise<string> =>
    (await request(siteApp(markets, options)).get(`/${query}`)).text;
  const paths = ['/', '/market/market-1', '/portfolio', '/creators', '/nowhere', '/play-money'];

  it.each(paths)('is said on %s', async (path) => {
    const { text } = await request(siteApp(market, { playMoney: true, catchAll: true })).get(path);
    expect(text).toContain('Nothing here is worth anything');
    expect(text).toContain('data-play-money="true"');
  });

  it.each(paths)('is neither said nor offered on %s where the host does not say so', async (path) => {
    const { text } = await request(siteApp(market, { catchAll: true })).get(path);
    expect(text).toContain('data-play-money="false"');
    expect(text).not.toMatch(/worth anything|throw-away/);
  });

  it('comes with a way to sample markets while there are none, and real money does not', async () => {
    const hint = 'Fill it with sample markets';
    expect(await start(empty, { playMoney: true })).toContain(hint);
    expect(await start(empty, { playMoney: true }, '?category=science')).not.toContain(hint);
    expect(await start(market, { playMoney: true })).not.toContain(hint);
    expect(await start(empty, { playMoney: true }, '?q=rain')).not.toContain(hint);
    expect(await start(empty, {})).not.toContain(hint);
  });

  it('offers sample markets by a button where the host makes them', async () => {
    const offered = { playMoney: true, adminUrl: '/ops', sampleMarkets: true };
    const told = await start(empty, offered);
    expect(told).toContain('href="/operators">Go to the operators');
    expect(await start(empty, { ...offered, sampleMarkets: false })).not.toContain('Go to the operators');
    const page = async (options: SiteOptions): Promise<string> =>
      (await request(siteApp(empty, options)).get('/operators')).text;
    expect(await page(offered)).toContain('data-samples');
    expect(await page({ ...offered, sampleMarkets: false })).not.toContain('data-samples');
  });

  it('has on real money a start page that says how the first market comes about', async () => {
    const hint = 'No market is open yet';
    const told = await start(empty, { adminUrl: '/ops' });
    expect(told).toContain(hint);
    expect(told).toMatch(/href="\/creators">Apply as a creator.*href="\/operators">pages for operators/s);
    expect(await start(empty, {})).not.toContain('href="/operators"');
    expect(await start(empty, {}, '?q=rain')).not.toContain(hint);
    expect(await start(market, {})).not.toContain(hint);
    expect(await start(empty, { playMoney: true })).not.toContain(hint);
  });

  it('is told to scripts by the server', async () => {
    const told = async (options: SiteOptions): Promise<unknown> =>
      (await request(siteApp(market, options)).get('/site-data/server')).body;
    expect(await told({ playMoney: true })).toEqual({ playMoney: true });
    expect(await told({})).toEqual({ playMoney: false });
  });
});

describe('the list of markets', () => {
  const markets = Array.from({ length: 30 }, (_, index) =>
    fakeDetail(index + 1, index < 3 ? { status: 'resolved', category: 'crypto' } : {}),
  );

  it('shows open markets first, most traded, a page at a time', async () => {
    const market = fakeMarket(markets);
    const { status, text, headers } = await request(siteApp(market)).get('/');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('27 markets');
    expect(text).toContain('Page 1 of 2');
    expect(text).toContain('href="/?page=2"');
    expect(market.calls).toEqual([
      'listMarkets {"status":"open","sort":"volume_desc","limit":24,"offset":0}',
    ]);
  });

  it('filters, sorts and pages by its address, and keeps them in its links', async () => {
    const market = fakeMarket(markets);
    const { text } = await request(siteApp(market)).get(
      '/?status=&category=science&sort=created_desc&page=2',
    );
    expect(market.calls).toEqual([
      'listMarkets {"category":"science","sort":"created_desc","limit":24,"offset":24}',
    ]);
    expect(text).toContain('href="/categories/science?status=&amp;sort=created_desc"');
    expect(text).toContain('<option value="created_desc" selected>');
  });

  it('has a page for each category, with the same filters', async () => {
    const market = fakeMarket(markets);
    const app = siteApp(market, { siteUrl: 'https://a.example' });
    const { status, text } = await request(app).get('/categories/science?sort=created_desc&page=2');
    expect(status).toBe(200);
    expect(market.calls).toEqual([
      'listMarkets {"status":"open","category":"science","sort":"created_desc","limit":24,"offset":24}',
    ]);
    for (const part of [
      '<title>Science markets · Prediction Market</title>',
      '<meta name="description" content="Science markets: ',
      '<link rel="canonical" href="https://a.example/categories/science">',
      '<h1>Science markets</h1>',
      'action="/categories/science"',
      'href="/categories/science?sort=created_desc"',
      'href="/?sort=created_desc"',
      'data-list="category=science&amp;sort=created_desc&amp;page=2"',
    ])
      expect(text).toContain(part);
    const other = await request(app).get('/?category=science');
    expect(other.text).toContain('<link rel="canonical" href="https://a.example/categories/science">');
  });

  it.each(['weather', '%00', 'Science', '__proto__'])('answers 404 for the category %s', async (category) => {
    const market = fakeMarket(markets);
    const { status, text } = await request(siteApp(market)).get(`/categories/${category}`);
    expect([status, market.calls]).toEqual([404, []]);
    expect(text).toContain('There is no category of this name');
    expect(text).toContain('href="/categories/science"');
  });

  it('is linked by category from the list, the page of a market and every footer', async () => {
    const app = siteApp(fakeMarket(markets), {});
    const link = '<a class="tag" href="/categories/science">';
    expect((await request(app).get('/')).text).toContain(link);
    expect((await request(app).get('/market/market-5')).text).toContain(link);
    expect((await request(app).get('/portfolio')).text).toContain(
      '<a href="/categories/science">Science</a>',
    );
  });

  it('finds questions by words, keeps them in its links, and shows them as text', async () => {
    const market = fakeMarket(markets);
    const app = siteApp(market);
    const { text } = await request(app).get('/?q=%20rain%20%22%3E%3Cscript%3E&status=');
    expect(market.calls).toEqual([
      'listMarkets {"sort":"volume_desc","q":"rain \\"><script>","limit":24,"offset":0}',
    ]);
    expect(text).toContain('name="q" value="rain &quot;&gt;&lt;script&gt;"');
    expect(text).toContain('href="/?status=&amp;q=rain+%22%3E%3Cscript%3E&amp;page=2"');
    expect(text).not.toContain('rel="canonical"');
    await request(app).get('/site-data/list?q=rain');
    expect(market.calls.at(-1)).toContain('"q":"rain"');
  });

  it('says what is wrong with a search that the service refuses', async () => {
    const market = fakeMarket([]);
    market.failWith = refusal('VALIDATION_ERROR', 400, 'q has at most 8 words');
    const { status, text } = await request(siteApp(market)).get('/?q=a+b+c+d+e+f+g+h+i');
    expect([status, text.includes('q has at most 8 words')]).toEqual([400, true]);
  });

  it.each([
    ['?page=0', 0],
    ['?page=-3&sort=drop%20table', 0],
    ['?page=1e9', 0],
    ['?status=nonsense&category=%00', 0],
    ['?page=2&page=9', 24],
  ])('falls back to the default for %s', async (query, offset) => {
    const market = fakeMarket(markets);
    expect((await request(siteApp(market)).get(`/${query}`)).status).toBe(200);
    expect(market.calls).toEqual([
      `listMarkets {"status":"open","sort":"volume_desc","limit":24,"offset":${offset}}`,
    ]);
  });

  it.each(MARKET_STATUSES)('lists markets that are %s', async (status) => {
    const market = fakeMarket(markets);
    const { text } = await request(siteApp(market)).get(`/?status=${status}`);
    expect(market.calls).toEqual([expect.stringContaining(`"status":"${status}"`)]);
    expect(text).toContain(`<option value="${status}" selected>`);
  });

  it('says so when nothing matches', async () => {
    const { text } = await request(siteApp(fakeMarket([]))).get('/');
    expect(text).toContain('No market matches');
  });
});

describe('the page of a market', () => {
  it('shows question, prices, chart, rules, trades and a ticket', async () => {
    const app = siteApp(fakeMarket([fakeDetail(1)]), { siteUrl: 'https://markets.example/' });
    const { status, text } = await request(app).get('/market/market-1');
    expect(status).toBe(200);
    expect(text).toContain('<title>Will question number 1 be answered with yes? · Prediction Market</title>');
    expect(text).toContain('<link rel="canonical" href="https://markets.example/market/market-1">');
    for (const part of [
      '62%',
      '38%',
      '<path class="line"',
      'YES if the official page',
      '19.05',
      'data-ticket',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain('curl "https://markets.example/api/v2/public/markets/1/trade"');
  });

  it.each([
    [{ siteUrl: 'https://markets.example/shop' }, 'https://markets.example/shop/api/v2'],
    [{ siteUrl: 'https://markets.example/shop', apiUrl: '/api' }, 'https://markets.example/api'],
    [{ apiUrl: 'https://api.example/v2' }, 'https://api.example/v2'],
    [{}, '<span data-origin></span>/shop/api/v2'],
  ])('with %j shows an order to %s, and where its key comes from', async (options, address) => {
    const app = express().use('/shop', createSite(fakeMarket([fakeDetail(1)]), options));
    const { text } = await request(app).get('/shop/market/market-1');
    const [, example = ''] = /<summary>Trade through the API<([^]*?)<\/details>/.exec(text) ?? [];
    expect(example).toContain(`curl "${address}/public/markets/1/trade"`);
    expect(example).toContain('<a href="/shop/keys">API keys</a>');
  });

  it('begins the order form with the order of the address', async () => {
    const checked = async (query: string): Promise<string[]> => {
      const { text } = await request(siteApp(fakeMarket([fakeDetail(1)]))).get(`/market/market-1${query}`);
      return [...text.matchAll(/value="(\w+)" checked/g)].map(([, value = '']) => value);
    };
    expect(await checked('')).toEqual(['buy', 'YES']);
    expect(await checked('?side=NO&action=sell')).toEqual(['sell', 'NO']);
    expect(await checked('?side=MAYBE&action=steal')).toEqual(['buy', 'YES']);
  });

  it.each<[string, Partial<ResolutionProgressView>, string[], boolean]>([
    ['waiting', { round: 0 }, ['The oracle is asked for the first time on'], true],
    ['waiting', { round: 1 }, ['was asked once and has not decided yet. It is asked again on'], true],
    ['stalled', { round: 9 }, ['was asked 9 times', 'This takes longer than usual'], true],
    ['escalated', { nextAttemptAt: null }, ['The oracle could not decide. An operator has to decide'], false],
    ['escalated', { proposal: PROPOSAL }, ['<strong>NO</strong>. An operator has to decide'], false],
    [
      'proposed',
      { proposal: PROPOSAL },
      ['Proposed on 21 Nov 2026, 00:00 UTC: <strong>NO</strong>. It is carried out on', 'unless an operator'],
      true,
    ],
  ])('tells what a resolution that is %s waits for', async (status, change, parts, hasClock) => {
    const market = fakeMarket([fakeDetail(1, { status: 'resolving' })]);
    const progress = { round: 1, lastOutcome: null, nextAttemptAt: PAY_AT, proposal: null, ...change };
    market.progress = { ...progress, status: status as ResolutionProgressView['status'] };
    const { text } = await request(siteApp(market)).get('/market/market-1');
    for (const part of parts) expect(text).toContain(part);
    expect(text.includes(`<time datetime="${PAY_AT}">21 Nov 2026, 14:00 UTC</time>`)).toBe(hasClock);
    expect(text.includes(`role="timer" data-until="${PAY_AT}"`)).toBe(hasClock);
  });

  it('asks for the resolution only of a market that has closed', async () => {
    const market = fakeMarket([fakeDetail(1)]);
    const { text } = await request(siteApp(market)).get('/market/market-1');
    expect(text).not.toContain('Resolution</h2>');
    expect(market.calls.filter((call) => call.includes('Resolution'))).toEqual([]);
  });

  it('tells how the market is resolved: who voted how and why, and where they read it', async () => {
    const market = fakeMarket([fakeDetail(1, { status: 'resolving' })]);
    market.resolution = {
      votes: [
        {
          ...{ oracle: 'judge', model: 'model-1', outcome: 'YES', probability: 0.97, confidence: 0.9 },
          ...{ reasoning: ATTACK, latencyMs: 1 },
          citations: ['https://source.example/a', 'javascript:alert(1)'].map((url) => ({
            ...{ url, title: null, quote: null, publishedAt: null, retrievedAt: null },
          })),
        },
        {
          ...{ oracle: 'other', model: null, outcome: 'UNKNOWN', probability: 0.5, confidence: 0 },
          ...{ reasoning: '', latencyMs: 1, citations: [], error: 'the voter failed' },
        },
      ],
    };
    const { text } = await request(siteApp(market)).get('/market/market-1');
    for (const part of ['The outcome is not decided yet', 'judge', 'model-1', '97% YES, 90% sure'])
      expect(text).toContain(part);
    expect(text).toContain('the voter failed');
    expect(text).toContain('<a href="https://source.example/a" rel="nofollow ugc noopener noreferrer"');
    expect(text).not.toMatch(/href="javascript:|<script>alert/);
  });

  it('names the most traded open markets of the category beside it', async () => {
    const market = fakeMarket([fakeDetail(1), fakeDetail(2), fakeDetail(3, { category: 'sports' })]);
    const { text } = await request(siteApp(market)).get('/market/market-1');
    expect(text).toContain('More in Science');
    expect(text).toContain('/market/market-2');
    expect(text).not.toContain('/market/market-3');
  });

  it.each([
    ['open', { status: 'open' as const }, 'data-ticket', 'Trading is closed'],
    ['resolving', { status: 'resolving' as const }, 'The outcome is being determined', 'data-ticket'],
    [
      'void',
      {
        status: 'resolved' as const,
        resolution: {
          outcome: 'VOID' as const,
          resolvedAt: '2026-11-20T00:00:00Z',
          oracleConsensus: 1,
          method: 'operator' as const,
        },
      },
      'Every share pays $0.50',
      'data-ticket',
    ],
  ])('fits a market that is %s', async (_name, change, present, absent) => {
    const { text } = await request(siteApp(fakeMarket([fakeDetail(1, change)]))).get('/market/market-1');
    expect(text).toContain(present);
    expect(text).not.toContain(absent);
    expect(text).not.toContain('agreeing voters');
  });

  it('escapes everything that people wrote', async () => {
    const hostile = fakeDetail(1, {
      question: ATTACK,
      description: ATTACK,
      resolutionCriteria: ATTACK,
      category: ATTACK,
      creator: { address: '0x1', displayName: ATTACK },
    });
    const app = siteApp(fakeMarket([hostile]), { title: ATTACK });
    const pages = await Promise.all(['/', '/market/market-1'].map((path) => request(app).get(path)));
    const data = await request(app).get('/site-data/market/market-1');
    const parts = Object.values(marketFragments({ now: NOW }, data.body as MarketData));
    const drawn = [...pages.map(({ text }) => text), ...parts.map(({ text }) => text)];
    for (const text of drawn) {
      expect(text).not.toMatch(/<script(?! type="module" src="\/site-assets\/)/);
      expect(text).not.toMatch(/<img|onerror='/);
    }
    expect(pages[1]?.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('has no inline script or style, and asks no other site for anything', async () => {
    const { text } = await request(siteApp(fakeMarket([fakeDetail(1)]))).get('/market/market-1');
    expect(text).not.toMatch(/\son[a-z]+=|\sstyle=|<style/);
    const addresses = [...text.matchAll(/\s(?:src|href|action)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(5);
    for (const address of addresses) expect(address).toMatch(/^(\/|#|data:image\/svg)/);
  });

  it('redirects an id to the slug, and an unknown name to the not-found page', async () => {
    const app = siteApp(fakeMarket([fakeDetail(1)]));
    const moved = await request(app).get('/market/1');
    expect([moved.status, moved.headers.location]).toEqual([302, '/market/market-1']);
    const missing = await request(app).get('/market/nothing-here');
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('There is no such market');
  });

  it.each([
    ['all', '1h', '2026-11-19T12:00:00.000Z'],
    ['6h', '1m', '2026-11-21T06:00:00.000Z'],
    ['1d', '5m', '2026-11-20T12:00:00.000Z'],
    ['30d', '15m', '2026-11-19T12:00:00.000Z'],
  ])('asks for the range %s in steps that suit it', async (range, interval, startTime) => {
    const market = fakeMarket([fakeDetail(1)]);
    await request(siteApp(market)).get(`/market/market-1?range=${range}`);
    const asked = { market: 1, interval: range === 'all' ? '15m' : interval, startTime, limit: 500 };
    expect(market.calls).toContain(`getPriceHistory ${JSON.stringify(asked)}`);
  });

  it('draws a market without trades and without history', async () => {
    const { text } = await request(siteApp(fakeMarket([fakeDetail(1)], [], []))).get('/market/market-1');
    expect(text).toContain('No price history yet');
    expect(text).toContain('There are no trades yet');
  });

  it('keeps the line of the chart within its frame', async () => {
    const extremes = [0, 1, 0.5].map((close) => ({ ...fakeCandles(1)[0]!, open: 1, close }));
    const { text } = await request(siteApp(fakeMarket([fakeDetail(1)], [], extremes))).get(
      '/market/market-1',
    );
    expect(text).toContain('<path class="line" d="M0 0H333.3V300H666.7V0H1000V150" />');
  });
});

describe('the site in a host', () => {
  it('works below a mount path, links included', async () => {
    const app = siteApp(fakeMarket([fakeDetail(1)]), {}, '/shop/markets');
    const { text } = await request(app).get('/shop/markets/market/market-1');
    const addresses = [...text.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, address]) => address ?? '');
    for (const address of addresses) expect(address).toMatch(/^(\/shop\/markets\/|#|data:)|^\/market\//);
    expect(text).toContain('data-api="/shop/markets/api/v2"');
    const script = /src="([^"]+\.js)"/.exec(text)?.[1] ?? '';
    const asset = await request(app).get(script);
    expect(asset.status).toBe(200);
    expect(asset.headers['cache-control']).toContain('immutable');
  });

  it('passes on requests that are not its own', async () => {
    const app = siteApp(fakeMarket([fakeDetail(1)]));
    app.use((_request, response) => void response.status(418).end());
    const other = [
      request(app).get('/elsewhere'),
      request(app).post('/'),
      request(app).get('/market/a/b'),
      request(app).get('/market/%zz'),
    ];
    for (const { status } of await Promise.all(other)) expect(status).toBe(418);
  });

  it('answers every other path with a page when the host asks for that', async () => {
    const app = siteApp(fakeMarket([]), { catchAll: true });
    const { status, text } = await request(app).get('/elsewhere');
    expect(status).toBe(404);
    expect(text).toContain('There is no page at this address');
  });

  it('answers HEAD without a body', async () => {
    const { status, headers, text } = await request(siteApp(fakeMarket([]))).head('/');
    expect([status, text ?? '']).toEqual([200, '']);
    expect(Number(headers['content-length'])).toBeGreaterThan(500);
  });

  it('says that it will be back while the storage is away, and hands other faults to the host', async () => {
    const market = fakeMarket([]);
    const app = siteApp(market);
    const seen: unknown[] = [];
    app.use(((error, _request, response, _next) => {
      seen.push(error);
      response.status(500).end();
    }) as express.ErrorRequestHandler);
    market.failWith = refusal('SERVICE_UNAVAILABLE', 503, 'The storage is away');
    const away = await request(app).get('/');
    expect([away.status, away.headers['retry-after']]).toEqual([503, '1']);
    expect(away.text).toContain('Back in a moment');
    market.failWith = new Error('a fault');
    expect((await request(app).get('/')).status).toBe(500);
    expect(seen).toEqual([market.failWith]);
  });
});

describe('the data of the pages', () => {
  it('hands out what a page shows, for its script to draw the same', async () => {
    const app = siteApp(fakeMarket([fakeDetail(1)]));
    const { status, body } = await request(app).get('/site-data/market/market-1?range=1d');
    expect([status, Object.keys(body)]).toEqual([200, ['market', 'history', 'trades', 'decision']]);
    const { text } = await request(app).get('/market/market-1?range=1d');
    const parts = Object.entries(marketFragments({ now: NOW }, body as MarketData));
    expect(parts.map(([id]) => id)).toEqual([
      'live-price',
      'live-chart',
      'live-prices',
      'live-facts',
      'live-trades',
      'live-resolution',
    ]);
    const shown = parts.filter(([id]) => id !== 'live-resolution');
    for (const [id, part] of shown) expect(text).toContain(`<div id="${id}">${part.text}</div>`);

    const list = await request(app).get('/site-data/list?at=9');
    const cards = marketCards({ base: '' }, list.body.markets as MarketView[]);
    expect((await request(app).get('/')).text).toContain(`<div id="live-list">${cards.text}</div>`);
  });

  it('says in words, where a reader of the screen hears it, whether the page is live', async () => {
    const { text } = await request(siteApp(fakeMarket([]))).get('/');
    expect(text).toContain(
      '<p class="live-status" role="status" aria-live="polite"><span data-live-status></span>',
    );
  });

  it('shares one answer among all who ask within a second', async () => {
    const market = fakeMarket([fakeDetail(1)]);
    let now = NOW;
    const app = siteApp(market, { now: () => now });
    const ask = () => request(app).get('/site-data/market/market-1');
    await Promise.all([ask(), ask(), ask()]);
    expect(market.calls).toHaveLength(3);
    now += 1000;
    await ask();
    expect(market.calls).toHaveLength(6);
  });

  it('shares no answer that was read before the event that a page asks for', async () => {
    const market = fakeMarket([fakeDetail(1)]);
    const app = siteApp(market);
    for (const at of [7, 8, 8]) await request(app).get(`/site-data/market/market-1?at=${at}`);
    expect(market.calls).toHaveLength(6);
  });

  it('passes quotes on as numbers and refusals as they are', async () => {
    const market = fakeMarket([fakeDetail(1)]);
    const app = siteApp(market);
    await request(app).get('/site-data/quote?market=1&side=NO&action=sell&shares=2.5');
    expect(market.calls).toEqual(['getPrice {"market":"1","side":"NO","action":"sell","shares":2.5}']);
    market.failWith = refusal('VALIDATION_ERROR', 400, 'amount must be at least 0.01');
    const refused = await request(app).get('/site-data/quote?market=1&amount=0');
    expect([refused.status, refused.body]).toEqual([
      400,
      { code: 'VALIDATION_ERROR', message: 'amount must be at least 0.01' },
    ]);
  });
});

describe('the pages for operators', () => {
  it('exist only with the address of the operators’ routes', async () => {
    const app = siteApp(fakeMarket([]), { catchAll: true });
    expect((await request(app).get('/operators')).status).toBe(404);
  });

  it('hold no data, and are not stored, indexed or framed', async () => {
    const market = fakeMarket([fakeDetail(1)]);
    const app = express();
    app.use((_request, response, next) => {
      response.set('Content-Security-Policy', "default-src 'self'");
      next();
    });
    app.use(createSite(market, { adminUrl: '/ops/' }));
    const { status, text, headers } = await request(app).get('/operators/creators');
    expect(status).toBe(200);
    expect(text).toContain('data-admin="/ops"');
    expect(market.calls).toEqual([]);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'self', frame-ancestors 'none'",
    });
    expect((await request(app).get('/operators/nothing')).status).toBe(404);
  });
});
