import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import express from 'express';
import type { Page } from 'playwright-core';
import { createPredictionMarket, type PredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { createSite } from 'express-prediction-market/site';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { describeWith } from '../support/optional';
import { until } from '../support/until';
import { accessibilityFindings } from './accessibility';
import { testBrowser } from './chromium';

const CREATOR = `0x${'c'.repeat(40)}`;
const QUESTION = 'Will <script>alert(1)</script> be shown as text?';

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describeWith('chromium', 'a market in the page of another site', (executablePath) => {
  let page: Page;
  let market: PredictionMarket;
  let slug: string;
  const servers: Server[] = [createServer(), createServer(), createServer()];
  let home: string;
  let friend: string;
  let stranger: string;
  const browser = testBrowser(executablePath, () => [home, friend, stranger]);

  beforeAll(async () => {
    const [own, friendly, strange] = servers as [Server, Server, Server];
    [home, friend, stranger] = [await listening(own), await listening(friendly), await listening(strange)];
    market = createPredictionMarket({
      storage: memoryStorage(),
      oracle: manualOracle(),
      facilitator: developmentFacilitator({ warn: () => undefined }),
      payTo: CREATOR,
    });
    await market.start();
    await market.approveCreator({ address: CREATOR });
    await market.deposit({ address: CREATOR, amount: 1_000, reference: 'embed' });
    const resolveDate = new Date(Date.now() + 48 * 3_600_000).toISOString();
    ({ slug } = await market.createMarket({
      creator: CREATOR,
      question: QUESTION,
      resolutionCriteria: 'It is.',
      resolveDate,
      category: 'other',
    }));
    const app = express();
    app.use(market.router);
    app.use(createSite(market, { siteUrl: home, embedAncestors: [friend] }));
    own.on('request', app);
    market.attachWebSocket(own);
    const host = `<!doctype html><html lang="en"><title>A blog</title><main><h1>A blog</h1>
<prediction-market market="${slug}"></prediction-market></main>
<script src="${home}/embed/element.js"></script>`;
    for (const other of [friendly, strange])
      other.on('request', (request, response) => {
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(request.url === '/' ? host : '');
      });
  });
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await market.close();
  });

  beforeEach(async () => {
    page = await browser.newPage();
  });

  it('follows the market, takes the height that it needs, and stores nothing in the browser', async () => {
    await page.goto(friend);
    const frame = page.frameLocator('prediction-market iframe');
    await frame.getByRole('heading', { name: QUESTION }).waitFor();
    await frame.getByText('Live', { exact: true }).waitFor();
    await market.placeTrade({ wallet: CREATOR, market: slug, side: 'YES', amount: 20 });
    const { yesPrice } = await market.getMarket(slug);
    await frame
      .getByText(`${Number((yesPrice * 100).toFixed(1))}%`)
      .first()
      .waitFor();
    const [, shown] = page.frames();
    const needed = await shown?.evaluate('document.documentElement.offsetHeight');
    expect(await page.locator('iframe').getAttribute('height')).toBe(String(needed));
    expect(await shown?.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });

  it('takes another market or theme when an attribute changes, and no address that is not of the web', async () => {
    await page.goto(friend);
    const source = (): Promise<string | null> => page.locator('iframe').getAttribute('src');
    await page.evaluate(`document.querySelector('prediction-market').setAttribute('theme', 'dark')`);
    expect(await source()).toBe(`${home}/embed/market/${slug}?theme=dark`);
    await page.evaluate(
      `document.querySelector('prediction-market').setAttribute('base', 'javascript:alert(1)//')`,
    );
    expect(await source()).toBeNull();
    expect(browser.complaints).toEqual([]);
  });

  it('is not shown by a page that the host has not named', async () => {
    await page.goto(stranger);
    await until(() => /frame-ancestors/.test(browser.complaints.join()), {
      what: 'the browser refuses the frame',
    });
    const [, shown] = page.frames();
    expect(await shown?.evaluate('document.body.textContent').catch(() => '')).not.toContain('Will');
  });
});
