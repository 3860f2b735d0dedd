import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright-core';
import { createMarket, startService, wallet, type Service } from '../../http/support/service';
import { FLAGS } from '../../site/chromium';
import { describeWith } from '../../support/optional';
import { until } from '../../support/until';

const trader = wallet(921);
const other = wallet(922);
const creator = wallet(923);

describeWith('chromium', 'the hooks of React in a browser', (executablePath) => {
  let browser: Browser;
  let server: Server;
  let service: Service;
  let market: number;
  let page: Page;
  let sockets: number;

  async function startPage(): Promise<void> {
    const { outputFiles } = await build({
      entryPoints: ['test/client/react/page.ts'],
      bundle: true,
      write: false,
      format: 'iife',
      define: { 'process.env.NODE_ENV': '"development"' },
      logLevel: 'error',
    });
    const apiKey = await service.issueKey(trader);
    const begin = `globalThis.page = ${JSON.stringify({ apiKey, market })};`;
    service.app.get('/app.js', (_request, response) => {
      response.type('text/javascript').send(begin + (outputFiles[0]?.text ?? ''));
    });
    service.app.get('/app', (_request, response) => {
      response.type('text/html').send('<!doctype html><main></main><script src="/app.js"></script>');
    });
    page = await (await browser.newContext()).newPage();
    sockets = 0;
    page.on('websocket', () => (sockets += 1));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/app`);
  }

  beforeAll(async () => {
    service = await startService();
    server = createServer(service.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    service.pm.attachWebSocket(server);
    market = await createMarket(service, creator);
    for (const each of [trader, other]) await service.fund(each, 1_000);
    browser = await chromium.launch({ executablePath, args: FLAGS });
    await startPage();
  });
  afterAll(async () => {
    await browser?.close();
    await service.close();
    server.closeAllConnections();
    server.close();
  });

  const text = async (id: string): Promise<string> => (await page.locator(`#${id}`).textContent()) ?? '';
  const shows = (id: string, pattern: RegExp): Promise<void> =>
    until(async () => pattern.test(await text(id)), { what: () => `${id}: ${String(pattern)}` });
  const trade = async (): Promise<void> => {
    await service.pm.placeTrade({ wallet: other.address, market, side: 'YES', amount: 50 });
  };
  const price = async (): Promise<string> => String((await service.pm.getPrice({ market })).yesPrice);

  it('show the price of now, over one connection, in strict mode', async () => {
    await shows('price', /^live well 0[.]5$/);
    await shows('position', /^live well $/);
    await trade();
    await shows('price', new RegExp(`^live well ${await price()}$`));
    expect(sockets).toBe(1);
  });

  it('place an order, whose position comes by itself', async () => {
    await page.getByRole('button').click();
    await page.getByText(/^bought \d/).waitFor();
    await shows('position', /^live well YES \d/);
    await shows('price', new RegExp(`^live well ${await price()}$`));
  });

  it('say since when data are stale while the network is away, and are live again afterwards', async () => {
    const before = await price();
    await page.context().setOffline(true);
    await shows('price', new RegExp(`^stale .* ${before}$`));
    await shows('position', /^stale /);
    expect(Number(await page.locator('#price').getAttribute('data-since'))).toBeGreaterThan(0);
    await trade();
    expect(await price()).not.toBe(before);
    expect(await text('price')).toMatch(new RegExp(`^stale .* ${before}$`));
    await page.context().setOffline(false);
    await shows('price', new RegExp(`^live well ${await price()}$`));
    await shows('position', /^live well YES \d/);
  });

  it('show the data at once to a component that comes back, and the outcome of the market', async () => {
    await page.getByRole('checkbox').click();
    expect(await page.locator('#price').count()).toBe(0);
    await trade();
    await page.getByRole('checkbox').click();
    await shows('price', new RegExp(`^live well ${await price()}$`));
    await service.pm.resolveMarket({ market, outcome: 'YES' });
    await shows('market', /^live well resolved YES$/);
    await shows('position', /^live well $/);
  });
});
