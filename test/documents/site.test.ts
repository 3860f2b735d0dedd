import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import express, { type Express } from 'express';
import { chromium, type Browser, type Page, type Route } from 'playwright-core';
import request from 'supertest';
import { createDocs } from '../../site';
import { requireToken } from '../../src/http/require-token';
import { createTestMarket, type TestMarket } from '../../testing';
import { FLAGS } from '../site/chromium';
import { describeWith } from '../support/optional';
import { pages as documents, snippetsOf } from './snippets';

const ADMIN_TOKEN = 'an-admin-token-for-tests';
const built = mkdtempSync(join(tmpdir(), 'built-docs-'));
let files: string[];
let market: TestMarket;
let app: Express;

beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/build-docs.mjs', built], { stdio: 'pipe' });
  files = readdirSync(built, { recursive: true, encoding: 'utf8' });
  market = await createTestMarket();
  app = express();
  app.use('/docs', createDocs({ folder: built }));
  app.use(market.pm.router);
  app.use('/api/v2/admin', requireToken({ token: ADMIN_TOKEN }), market.pm.adminRouter);
  app.use('/moved/docs', createDocs({ folder: built, apiUrl: '/bets/api/v2/', adminUrl: '/ops' }));
  app.use('/bets', market.pm.router);
  app.use('/ops', requireToken({ token: ADMIN_TOKEN }), market.pm.adminRouter);
  app.use((_request, response) => void response.status(418).send('the host'));
});
afterAll(async () => {
  await market.close();
  rmSync(built, { recursive: true, force: true });
});

const htmlOf = (file: string): string => readFileSync(join(built, file), 'utf8');
const addressesIn = (html: string): string[] =>
  [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));

function linkProblem(file: string, address: string): string | null {
  if (/^https?:/.test(address)) return null;
  const [path = '', anchor] = address.split('#');
  const target = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), path));
  // The running service serves the API documents, which are no files of the built documentation.
  if (target.startsWith('../api/v2/')) return null;
  const name = [target, `${target}.html`, posix.join(target, 'index.html')].find(
    (found) => files.includes(found) && /\.\w+$/.test(found),
  );
  if (name === undefined) return `${file}: there is no ${target}`;
  if (anchor === undefined || htmlOf(name).includes(` id="${anchor}"`)) return null;
  return `${file}: ${name} has no #${anchor}`;
}

describe('the built documentation', () => {
  it('has each document in its navigation', () => {
    const linked = addressesIn(/<nav id="navigation"[^]*?<\/nav>/.exec(htmlOf('index.html'))?.[0] ?? '');
    const names = documents
      .filter((page) => page !== 'README.md')
      .map(
        (page) =>
          `./${page
            .replace(/^docs\//, '')
            .replace(/\.md$/, '')
            .toLowerCase()}`,
      );
    expect(names.filter((name) => !linked.includes(name))).toEqual([]);
  });

  it('describes each page by the beginning of its text, for search engines and previews', () => {
    const descriptionOf = (file: string) =>
      /<meta name="description" content="([^"]+)">/.exec(htmlOf(file))?.[1];
    expect(descriptionOf('index.html')).toMatch(/^Yes\/no markets with an LMSR market maker/);
    expect(descriptionOf('errors.html')).toMatch(/^This page tells the author of a client .{60,130}( …|\.)$/);
    const pages = files.filter((file) => /^[\w-]+\.html$/.test(file));
    expect(pages.filter((file) => descriptionOf(file) === undefined)).toEqual([]);
  });

  it('has no link that leads nowhere', () => {
    const links = files
      .filter((file) => file.endsWith('.html'))
      .flatMap((file) => [...new Set(addressesIn(htmlOf(file)))].map((address) => ({ file, address })));
    expect(links.length).toBeGreaterThan(1_000);
    expect(links.flatMap(({ file, address }) => linkProblem(file, address) ?? [])).toEqual([]);
    expect(linkProblem('index.html', 'embedding#not-there')).not.toBeNull();
  });

  it('shows on its first page the three ways to begin with the package, with the commands of README.md', () => {
    const [, ways = ''] = /<div class="ways">([^]*?)<img/.exec(htmlOf('index.html')) ?? [];
    const commands = [...ways.matchAll(/<pre[^>]*>([^]*?)<\/pre>/g)].flatMap(([, code = '']) =>
      code
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll('&amp;', '&')
        .split('\n')
        .flatMap((line) => line.replace(/ +#.*/, '') || []),
    );
    for (const way of ['npm install', 'express-prediction-market init', 'express-prediction-market serve'])
      expect(commands.join('\n')).toContain(way);
    const readme = readFileSync('README.md', 'utf8');
    expect(commands.filter((command) => !readme.includes(command))).toEqual([]);
  });

  it('has no code and no style inside of its pages, and loads nothing from another host', () => {
    const pages = files.filter((file) => file.endsWith('.html')).map((file) => [file, htmlOf(file)] as const);
    const inline =
      /<script(?![^>]* src=)|<style| style="| on\w+="|<(?:script|link|img)[^>]*(?:src|href)="(?:https?:)?\/\//;
    expect(
      pages.filter(([, html]) => inline.test(html.replace(/<pre[^]*?<\/pre>/g, ''))).map(([file]) => file),
    ).toEqual([]);
  });

  it('shows each diagram as a picture, and keeps none that is not shown (npm run build:diagrams)', () => {
    const diagrams = documents.flatMap(snippetsOf).filter(({ language }) => language === 'mermaid');
    const hashes = diagrams.map(({ code }) =>
      createHash('sha256').update(code.trim()).digest('hex').slice(0, 16),
    );
    expect(readdirSync('site/docs/diagrams').sort()).toEqual(hashes.map((hash) => `${hash}.svg`).sort());
  });

  it('has the types of each entry, with their comments', () => {
    const { exports: entries } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: object };
    const types = Object.keys(entries).filter((entry) => !entry.endsWith('.json'));
    const names = types.map(
      (entry) => `types-${entry === '.' ? 'index' : entry.slice(2).replaceAll('/', '-')}.html`,
    );
    expect(names.filter((name) => !files.includes(name))).toEqual([]);
    expect(htmlOf('types-index.html')).toContain('id="predictionmarketoptions"');
    expect(names.filter((name) => !/<h2 id=/.test(htmlOf(name)))).toEqual([]);
  });
});

describe('createDocs', () => {
  it('serves pages under their names, with a strict policy and a tag', async () => {
    const first = await request(app)
      .get('/docs/embedding')
      .expect(200)
      .expect('Content-Type', /^text\/html/);
    expect(first.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    const { etag } = first.headers as { etag: string };
    await request(app).get('/docs/embedding').set('If-None-Match', etag).expect(304);
    const head = await request(app).head('/docs/embedding').expect(200);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(10_000);
    await request(app).get('/docs').expect(301).expect('Location', '/docs/');
    await request(app).get('/docs/client.md?q=x').expect(301).expect('Location', '/docs/client?q=x');
    await request(app).get('/docs/').expect(200);
  });

  it('leaves everything else to the host', async () => {
    await request(app).get('/docs/not-there').expect(418);
    await request(app).get('/docs/..%2f..%2fpackage.json').expect(418);
    await request(app).get('/docs/source').expect(418);
    await request(app).post('/docs/embedding').expect(418);
    const without = express().use('/docs', createDocs({ folder: join(built, 'not-there') }));
    await request(without).get('/docs/').expect(404);
  });
});

describe('createDocs with the addresses of the routes', () => {
  const documentIn = (text: string): string | undefined => / data-document="([^"]+)"/.exec(text)?.[1];

  it('asks the API and the operators’ routes where the host has mounted them', async () => {
    const api = await request(app).get('/moved/docs/api').expect(200);
    expect(documentIn(api.text)).toBe('/bets/api/v2/openapi.json');
    expect(addressesIn(api.text)).toContain('/bets/api/v2/docs/live');
    expect(api.text).not.toContain('../api/v2');
    const operators = await request(app).get('/moved/docs/api-operators').expect(200);
    expect(documentIn(operators.text)).toBe('/ops/openapi.json');
  });

  it('asks the routes beside the documentation without these options', async () => {
    for (const [page, address] of [
      ['api', '../api/v2/openapi.json'],
      ['api-operators', '../api/v2/admin/openapi.json'],
    ] as const)
      expect(documentIn((await request(app).get(`/docs/${page}`)).text)).toBe(address);
  });

  it('escapes an address, and lets its pages ask another origin', async () => {
    const docs = createDocs({ folder: built, apiUrl: 'https://api.example/$&"<v2>' });
    const { text, headers } = await request(express().use('/docs', docs)).get('/docs/api-operators');
    expect(documentIn(text)).toBe('https://api.example/$&amp;&quot;&lt;v2&gt;/admin/openapi.json');
    expect(headers['content-security-policy']).toContain("connect-src 'self' https://api.example ");
  });
});

describe('createDocs with catchAll', () => {
  const mounted = (): Express =>
    express()
      .use('/help/docs', createDocs({ folder: built, catchAll: true }))
      .use((_request, response) => void response.status(418).send('the host'));

  it.each(['nowhere', 'nowhere.html', 'source/nowhere/deep', '404', '404.html', '..%2f..%2fpackage.json'])(
    'answers %s with its own page, whose links work from there',
    async (path) => {
      const { text, headers } = await request(mounted()).get(`/help/docs/${path}`).expect(404);
      expect(text).toContain('<h1>Page not found</h1>');
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';/);
      const addresses = addressesIn(text).filter((address) => !/^(https?:|#)/.test(address));
      expect(addresses.length).toBeGreaterThan(20);
      expect(addresses.filter((address) => !address.startsWith('/help/docs/'))).toEqual([]);
      for (const address of addresses.filter((each) => each.includes('/assets/')))
        await request(mounted()).get(address).expect(200);
    },
  );

  it('answers HEAD without a body, and leaves other methods and a folder without pages to the host', async () => {
    const { text } = await request(mounted()).head('/help/docs/nowhere').expect(404);
    expect(text ?? '').toBe('');
    await request(mounted()).post('/help/docs/nowhere').expect(418);
    const warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const empty = createDocs({ folder: join(built, 'not-there'), catchAll: true });
    const host = express().use('/docs', empty);
    for (const path of ['/docs/nowhere', '/docs/'])
      await request(host)
        .get(path)
        .expect(404, /Cannot GET/);
    expect(warning.mock.calls).toEqual([
      [
        expect.stringMatching(/^createDocs: the folder .*not-there has no index\.html/),
        { code: 'DOCS_MISSING' },
      ],
    ]);
    warning.mockRestore();
  });

  it('is never part of the search', () => {
    expect(readFileSync(join(built, 'assets/search.json'), 'utf8')).not.toContain('Page not found');
  });
});

describeWith('chromium', 'the documentation in a browser', (executablePath) => {
  let browser: Browser;
  let server: Server;
  let base: string;
  let complaints: string[];

  beforeAll(async () => {
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath, args: FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    server.closeAllConnections();
    server.close();
  });

  async function open(path: string, width: number): Promise<Page> {
    complaints = [];
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme: 'light' });
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('request', (sent) => {
      if (!sent.url().startsWith(base) && !sent.url().startsWith('data:')) complaints.push(sent.url());
    });
    await page.goto(`${base}/docs/${path}`);
    return page;
  }

  it.each([390, 1280])(
    'fits a window of %i pixels without an error and without another host',
    async (width) => {
      const page = await open('', width);
      for (const path of ['', 'architecture', 'pages', 'types-index', 'api', 'api-operators']) {
        await page.goto(`${base}/docs/${path}`);
        if (path === 'api') await page.waitForSelector('.opblock');
        const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        expect([path, isWide, complaints]).toEqual([path, false, []]);
      }
      await page.context().close();
    },
    60_000,
  );

  it('is searched and read with the keyboard alone', async () => {
    const page = await open('tutorial', 1280);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the text');
    await page.keyboard.press('/');
    await page.keyboard.type('exposure limit');
    await page.waitForSelector('.results a');
    await page.keyboard.press('ArrowDown');
    const target = await page.evaluate<string>('document.activeElement.getAttribute("href")');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/docs/${target.replace('./', '')}`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('keeps the colours that the reader has chosen, and opens its list of pages on a phone', async () => {
    const page = await open('', 390);
    const colour = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(await colour()).toBe('rgb(255, 255, 255)');
    await page.getByRole('button', { name: 'Use dark colours' }).click();
    await page.getByRole('button', { name: 'Pages' }).click();
    await page
      .getByRole('navigation', { name: 'Documentation' })
      .getByRole('link', { name: 'Recipes' })
      .click();
    await page.waitForURL(`${base}/docs/recipes`);
    expect(await colour()).toBe('rgb(16, 18, 23)');
    await page.context().close();
  });

  it('fills in a call of the API with the example that a service has answered', async () => {
    const page = await open('api', 1280);
    const block = page.locator('.opblock-post', { hasText: '/api/v2/public/markets/{id}/trade' }).first();
    await block.click();
    const body = await block.locator('textarea.body-param__text').inputValue();
    expect(JSON.parse(body)).toEqual({ side: 'YES', amount: 10, maxPrice: 0.6 });
    expect(await block.locator('input[placeholder="id"]').inputValue()).toBe('1');
    const answer = await block.locator('tr.response[data-code="201"] .example').textContent();
    expect(answer).toContain('"shares": 18.999406');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('tries a call of the API on the server that shows it', async () => {
    const page = await open('api', 1280);
    await page.locator('.opblock', { hasText: '/api/v2/health' }).first().click();
    expect(await page.locator('#stored-key').isVisible()).toBe(false);
    await page.locator('.opblock.is-open .execute').click();
    await page.waitForSelector('.opblock.is-open .live-responses-table');
    expect(await page.locator('.opblock.is-open .live-responses-table').textContent()).toContain(
      '"status": "ok"',
    );
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('fills in the key that the pages have stored in this browser, and sends it only in a header', async () => {
    const wallet = market.wallet('reader');
    const apiKey = await market.apiKey(wallet);
    const page = await open('', 1280);
    await page.evaluate(`localStorage.setItem('prediction-market.api-key', '${apiKey}')`);
    await page.goto(`${base}/docs/api`);
    await page.getByRole('button', { name: 'Use the key of my wallet' }).click();
    await page.getByText('Your key is filled in.').waitFor();
    await page.locator('.opblock-get', { has: page.locator('[data-path$="/public/balance"]') }).click();
    const sent = page.waitForRequest('**/public/balance');
    await page.locator('.opblock.is-open .execute').click();
    expect((await sent).headers()['x-api-key']).toBe(apiKey);
    await page.waitForSelector('.opblock.is-open .live-responses-table');
    const answer = await page.locator('.opblock.is-open .live-responses-table').textContent();
    expect(answer?.toLowerCase()).toContain(wallet.address.toLowerCase());
    expect(page.url()).not.toContain(apiKey);
    expect(await page.locator('main').count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows and tries the calls of routes that the host has mounted elsewhere', async () => {
    const page = await open('../moved/docs/api', 1280);
    await page.locator('.opblock', { hasText: '/api/v2/health' }).first().click();
    const asked = page.waitForResponse('**/bets/api/v2/health');
    await page.locator('.opblock.is-open .execute').click();
    expect((await asked).status()).toBe(200);
    await page.goto(`${base}/moved/docs/api-operators`);
    await page.getByLabel('Token of operators').fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Show the calls' }).click();
    await page.waitForSelector('.opblock-get [data-path="/treasury"]');
    expect(await page.locator('#problem').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('says why it shows no calls', async () => {
    const page = await open('api-operators', 390);
    const problem = page.locator('#problem');
    const enter = async (token: string): Promise<void> => {
      await page.getByLabel('Token of operators').fill(token);
      await page.getByRole('button', { name: 'Show the calls' }).click();
    };
    for (const token of ['another-token-of-operators', 'ein Schlüssel mit Umlauten']) {
      await enter(token);
      await problem.getByText('The server refused this token.').waitFor();
    }
    const answers: [Parameters<Route['fulfill']>[0], string][] = [
      [{ status: 429, headers: { 'Retry-After': '300' } }, 'Try again in 300 s.'],
      [{ status: 503 }, 'Try again in a moment.'],
      [{ status: 404 }, 'the option adminUrl of createDocs'],
      [{ status: 200, contentType: 'text/html', body: 'a log-in page' }, 'the option adminUrl of createDocs'],
    ];
    for (const [answer, text] of answers) {
      await page.route('**/openapi.json', (route) => route.fulfill(answer), { times: 1 });
      await enter(ADMIN_TOKEN);
      await problem.getByText(text).waitFor();
    }
    await page.route('**/openapi.json', (route) => route.abort(), { times: 1 });
    await enter(ADMIN_TOKEN);
    await problem.getByText('No answer came from the server.').waitFor();
    await page.route('**/openapi.json', (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.goto(`${base}/docs/api`);
    await problem.getByText('the option apiUrl of createDocs').waitFor();
    await page.context().close();
  });

  it('tries a call of operators with their token', async () => {
    const page = await open('api-operators', 390);
    await page.getByLabel('Token of operators').fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Show the calls' }).click();
    await page.locator('.opblock-get', { has: page.locator('[data-path="/treasury"]') }).click();
    await page.locator('.opblock.is-open .execute').click();
    await page.waitForSelector('.opblock.is-open .live-responses-table');
    const answer = await page.locator('.opblock.is-open .live-responses-table').textContent();
    expect(answer).toMatch(/"balance"|"treasury"/);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

it('the folder that the package brings is named in its files', () => {
  const { files: shipped } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };
  expect(shipped.filter((path) => path !== 'dist' && path !== 'built-docs' && !existsSync(path))).toEqual([]);
  expect(shipped).toContain('built-docs');
});
