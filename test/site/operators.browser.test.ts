/**
 * The operators' pages in a browser. The token opens them, every action shows its result, and texts of outsiders
 * stay texts.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Wallet } from 'ethers';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { createApp, type Standalone } from '../../examples/standalone';
import { describeWith } from '../support/optional';
import { signChallenge } from '../support/sign-challenge';
import { accessibilityFindings } from './accessibility';
import { FLAGS } from './chromium';

const TOKEN = 'token-of-this-test';
const ATTACK = `<script>alert(1)</script> javascript:alert(2)`;

describeWith('chromium', "the operators' pages", (executablePath) => {
  let browser: Browser;
  let server: Server;
  let standalone: Standalone;
  let base: string;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let sent: { url: string; method: string }[];

  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    standalone = createApp({
      DATABASE_URL: 'memory:',
      LOG_LEVEL: 'silent',
      BASE_URL: base,
      ADMIN_TOKEN: TOKEN,
      ADDRESS_RATE_LIMIT: '1000',
    });
    server.on('request', standalone.app);
    await standalone.market.start();
    browser = await chromium.launch({ executablePath, args: FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    server.closeAllConnections();
    server.close();
    await standalone.market.close();
  });

  beforeEach(async () => {
    complaints = [];
    sent = [];
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      sent.push({ url: request.url(), method: request.method() });
      if (!request.url().startsWith(base) && !request.url().startsWith('data:'))
        complaints.push(request.url());
    });
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  /** The token is in the header of requests, and nowhere that others read. */
  afterEach(async () => {
    expect(sent.filter(({ url }) => url.includes(TOKEN))).toEqual([]);
    expect(page.url()).not.toContain(TOKEN);
    const shown = await page.evaluate(
      `document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(({ value }) => value)`,
    );
    expect(shown).not.toContain(TOKEN);
    await context.close();
  });

  async function open(path: string): Promise<void> {
    await page.goto(`${base}/operators${path}#token=${TOKEN}`);
    await page.locator('[data-view]').waitFor();
  }
  const push = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();

  async function apply(displayName: string, statement: string): Promise<string> {
    const signed = await signChallenge(Wallet.createRandom(), (address) =>
      standalone.market.issueChallenge({ address, action: 'apply' }),
    );
    await standalone.market.applyAsCreator({ ...signed, displayName, statement });
    return signed.address;
  }

  it('refuses a wrong token, takes the right one, keeps it in the tab, and forgets it', async () => {
    await page.goto(`${base}/operators`);
    const field = page.getByLabel('Operator token');
    await field.fill('wrong');
    await push('Sign in');
    await see('The server refused this token.');
    await field.fill(TOKEN);
    await push('Sign in');
    await see('Applications of creators');
    expect(await page.evaluate('[sessionStorage.length, localStorage.length]')).toEqual([1, 0]);
    await page.getByRole('link', { name: 'Creators', exact: true }).click();
    await see('No creators here.');
    await push('Sign out');
    await see('You are signed out.');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await page.locator('[data-view] *').count()).toBe(0);
    // The browser reports the refusal itself on the console.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });

  it('signs out when the server no longer takes the token', async () => {
    await open('');
    await see('Applications of creators');
    await page.route('**/api/v2/admin/**', (route) =>
      route.fulfill({ status: 401, json: { code: 'UNAUTHORIZED', message: 'No.' } }),
    );
    await push('Check the books');
    await see('The server no longer takes the token of this tab.');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('shows what waits, the house and the books', async () => {
    await open('');
    await see('Can pay what it owes');
    await push('Check the books');
    await see('The books agree.');
    await see('No differences.');
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('approves and suspends a creator, whose texts are shown as texts', async () => {
    const address = await apply('Eve <b>', ATTACK);
    await open('/creators');
    await see(ATTACK);
    expect(await page.locator('[data-view] :is(script, b)').count()).toBe(0);
    const approve = page.getByRole('button', { name: 'Approve', exact: true }).first();
    await approve.dblclick();
    await see('Eve <b> is approved and may open markets.');
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect((await standalone.market.creatorStatus({ address })).status).toBe('approved');
    await page.getByText('Suspend…').click();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByLabel('Reason').fill('Copies questions.');
    await push('Suspend');
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await see('Eve <b> is suspended.');
    expect((await standalone.market.creatorStatus({ address })).status).toBe('suspended');
    expect(complaints).toEqual([]);
  });
});
