import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Wallet } from 'ethers';
import express from 'express';
import type { Page } from 'playwright-core';
import { createSite } from '../../site';
import type { MarketData } from '../../site/pages/market-data';
import { describeWith } from '../support/optional';
import { issueKeyTo, signChallenge } from '../support/sign-challenge';
import { openMarket, showsStatus, showsWallet, siteInBrowser } from './site-in-browser';
import { randomWallet } from '../support/random-wallet';

const STREAM = '/api/v2/stream';
const KEY_PLACE = 'prediction-market.api-key';

/** Makes every socket fail at once, as behind a proxy that does not support sockets. */
const BLOCK_SOCKETS = `
  globalThis.WebSocket = class extends EventTarget {
    constructor() {
      super();
      setTimeout(() => this.dispatchEvent(new CloseEvent('close', { code: 1006 })));
    }
    close() {}
  };`;

const WRONG_CLOCK = `
  const rightNow = Date.now;
  Date.now = () => rightNow() + 7 * 3_600_000;`;

async function showProposal(page: Page, payAt: string): Promise<void> {
  const proposal = { outcome: 'YES', oracleConsensus: 1, proposedAt: payAt, payAt };
  const progress = { status: 'proposed', round: 1, lastOutcome: 'YES', nextAttemptAt: payAt, proposal };
  await page.route('**/site-data/market/**', async (route) => {
    const response = await route.fetch();
    const { decision, ...data } = (await response.json()) as MarketData;
    const changed = decision === null ? null : { ...decision, progress };
    await route.fulfill({ response, json: { ...data, decision: changed } });
  });
}

describeWith('chromium', 'pages that are live', (executablePath) => {
  const site = siteInBrowser(executablePath, { storedIn: 'file' });

  async function openPage(path: string, script = '') {
    const wallet = randomWallet();
    await site.standalone.market.deposit({ address: wallet.address, amount: 100, reference: wallet.address });
    const { apiKey } = await issueKeyTo(site.standalone.market, wallet);
    const page = await site.newPage();
    const asked: string[] = [];
    page.on('request', (sent) => asked.push(new URL(sent.url()).pathname));
    // The script stores the key only once, so a page that forgets the key does not find the key after a reload.
    await page.addInitScript({
      content: `if (!sessionStorage.hasKey) localStorage.setItem('${KEY_PLACE}', '${apiKey}');
        sessionStorage.hasKey = 'yes'; ${script}`,
    });
    await page.goto(site.base + path);
    // A reload of the page would remove this mark.
    await page.evaluate('window.loadedOnce = true');
    return { page, wallet: wallet.address, signer: wallet, asked };
  }
  async function revokeKeyOf(signer: Wallet): Promise<void> {
    const { keys } = await site.standalone.market.listKeys({ address: signer.address });
    const keyId = keys[0]?.id ?? 0;
    const ask = (address: string) =>
      site.standalone.market.issueChallenge({ address, action: 'revoke', keyId });
    await site.standalone.market.revokeKey({ ...(await signChallenge(signer, ask)), id: keyId });
  }
  const rows = (page: Page, count: number): Promise<void> =>
    page.locator(`#live-trades tbody tr:nth-child(${count})`).waitFor();
  const wasReloaded = async (page: Page): Promise<boolean> =>
    (await page.evaluate('window.loadedOnce')) !== true;

  it('show each other’s trades and their own balance without a reload, and forget a revoked key', async () => {
    const market = await openMarket(site, 'Will two pages agree?');
    const one = await openPage(`/market/${market.slug}`);
    const other = await openPage(`/market/${market.slug}`);
    const list = await openPage('/', WRONG_CLOCK);
    for (const { page } of [one, other, list]) await showsStatus(page, 'Live');
    expect(other.asked).not.toContain(STREAM);
    other.asked.length = 0;

    await one.page.getByLabel('Amount in USD, fee included').fill('25');
    await one.page.getByText('Paid if YES').waitFor();
    await one.page.getByRole('button', { name: 'Buy YES' }).click();
    await rows(other.page, 1);
    await rows(one.page, 1);
    await showsWallet(one.page, '$75.00');
    const odds = await other.page.locator('.odd.yes strong').textContent();
    expect(odds).not.toBe('50%');
    await list.page.locator('.card', { hasText: market.question }).getByText(`${odds} chance`).waitFor();

    await site.standalone.market.placeTrade({
      wallet: other.wallet,
      market: market.id,
      side: 'NO',
      amount: 30,
    });
    await rows(one.page, 2);
    await showsWallet(other.page, '$70.00');
    await site.standalone.market.deposit({ address: other.wallet, amount: 5, reference: 'more' });
    await showsWallet(other.page, '$75.00');
    // A trade in a new minute begins a candle, which makes the page read its chart again.
    const chart = `/site-data/market/${market.slug}`;
    await other.page.getByText(/^You hold [\d.]+ NO, worth/).waitFor();
    const own = '/api/v2/public/positions';
    expect(other.asked.filter((address) => address !== chart && address !== own)).toEqual([]);
    for (const { page } of [one, other, list]) expect(await wasReloaded(page)).toBe(false);

    await revokeKeyOf(other.signer);
    await other.page.getByText('You are signed out.').waitFor();
    expect(await other.page.evaluate('localStorage.length')).toBe(0);
    await showsStatus(other.page, 'Live');

    await showProposal(list.page, new Date(Date.now() + 90 * 60_000).toISOString());
    await list.page.goto(`${site.base}/market/${market.slug}`);
    await site.standalone.market.closeMarket({ market: market.id });
    await one.page.getByText(/The oracle (was asked once|is asked for the first time)/).waitFor();
    // The browser's clock is far off, and the countdown follows the clock of the server.
    await list.page
      .getByRole('timer')
      .filter({ hasText: /in 1 h (29|30) min/ })
      .waitFor();
  });

  it('use the stream where the socket is blocked, and ask where both are', async () => {
    const market = await openMarket(site, 'Will a page find a way?');
    const trade = (wallet: string) =>
      site.standalone.market.placeTrade({ wallet, market: market.id, side: 'YES', amount: 10 });
    const { page, wallet, asked } = await openPage(`/market/${market.slug}`, BLOCK_SOCKETS);
    await showsStatus(page, 'Live');
    expect(asked).toContain(STREAM);
    await trade(wallet);
    await rows(page, 1);
    await showsWallet(page, '$90.00');

    await page.route('**/api/v2/stream**', (route) => route.abort());
    site.server.closeAllConnections();
    await showsStatus(page, 'Not live. The page asks for news every few seconds.');
    await trade(wallet);
    await rows(page, 2);

    await page.getByLabel('Amount in USD, fee included').fill('10');
    await page.getByText('this quote may be old').waitFor();
    await page.getByText('Paid if YES').waitFor();
    const worse = { marketId: market.id, yesPrice: 0.9, noPrice: 0.1, liquidity: 1, asOf: '' };
    const quote = {
      shares: 1,
      totalCost: 10,
      fee: 0,
      pricePerShare: 1,
      yesPriceAfter: 0.9,
      noPriceAfter: 0.1,
    };
    await page.route('**/site-data/quote**', (route) => route.fulfill({ json: { ...worse, quote } }));
    await page.getByRole('button', { name: 'Buy YES' }).click();
    await page.getByText('The price has moved since this quote, so nothing was sent.').waitFor();
    expect(asked.filter((path) => path.endsWith('/trade'))).toEqual([]);
    await page.getByText('now 90%').waitFor();
    await page.unroute('**/site-data/quote**');

    await page.unroute('**/api/v2/stream**');
    await showsStatus(page, 'Live');
    await page.getByText('this quote may be old').waitFor({ state: 'hidden' });
    await showsWallet(page, '$80.00');
    expect(await wasReloaded(page)).toBe(false);
  });

  it('work below a mount path, with a socket at the same path and without one', async () => {
    const host = express();
    host.use('/shop', site.standalone.market.router, createSite(site.standalone.market));
    const other = createServer(host).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/shop/`;
    const { page, asked } = await openPage('/');
    for (const hasSocket of [false, true]) {
      if (hasSocket) site.standalone.market.attachWebSocket(other, { path: '/shop/api/v2/ws' });
      // The page that is still open may send requests, so the browser leaves that page before the list is cleared.
      await page.goto('about:blank');
      asked.length = 0;
      await page.goto(address);
      await showsStatus(page, 'Live');
      expect(asked.includes(`/shop${STREAM}`)).toBe(!hasSocket);
    }
    other.closeAllConnections();
    other.close();
  });

  it('say that they are not live while the server is away, and have missed nothing afterwards', async () => {
    const market = await openMarket(site, 'Will the server come back?');
    const { page, wallet } = await openPage(`/market/${market.slug}`);
    const trade = () =>
      site.standalone.market.placeTrade({ wallet, market: market.id, side: 'NO', amount: 10 });
    await showsStatus(page, 'Live');
    await trade();
    await rows(page, 1);
    await site.stop();
    await showsStatus(page, 'Not live. Trying to reach the server…');
    await site.startAgain();
    for (let count = 0; count < 3; count += 1) await trade();
    await showsStatus(page, 'Live');
    await rows(page, 4);
    await showsWallet(page, '$60.00');
    expect(await wasReloaded(page)).toBe(false);
  });
});
