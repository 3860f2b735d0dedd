import { build } from 'esbuild';
import { chromium, type Browser } from 'playwright-core';
import { FLAGS } from '../site/chromium';
import { describeWith } from '../support/optional';
import type { Life, Setting } from './browser-page';
import { ethereumProvider } from './support/ethereum-provider';
import { ADMIN_TOKEN, serveMarket, type ServedMarket } from './support/server';

describeWith('chromium', 'the client in a browser', (executablePath) => {
  let browser: Browser;
  let served: ServedMarket;
  beforeAll(async () => {
    served = await serveMarket();
    browser = await chromium.launch({ executablePath, args: FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  it('takes a market from its creation to the payout', async () => {
    const { outputFiles } = await build({
      entryPoints: ['test/client/browser-page.ts'],
      bundle: true,
      write: false,
      format: 'iife',
      logLevel: 'error',
    });
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.exposeFunction('askWallet', (name: string, method: string, params: unknown) =>
      ethereumProvider(served.test.wallet(name)).request({ method, params }),
    );
    const body = `<!doctype html><title>Market</title><script>${outputFiles[0]?.text ?? ''}</script>`;
    await page.route('**/app', (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(`${served.url}/app`);
    const resolveDate = new Date(served.test.clock.now() + 86_400_000).toISOString();
    const setting: Setting = { adminToken: ADMIN_TOKEN, resolveDate };
    const life = (await page.evaluate(`liveOf(${JSON.stringify(setting)})`)) as Life;
    expect(problems).toEqual([]);
    expect(life.followed).toEqual(expect.arrayContaining(['snapshot', 'trade', 'market.resolved']));
    expect(life.shares).toBeGreaterThan(10);
    // A winning share pays 1 USD.
    expect(life.available).toBeCloseTo(90 + life.shares, 5);
    expect((await served.test.pm.audit()).ok).toBe(true);
  });
});
