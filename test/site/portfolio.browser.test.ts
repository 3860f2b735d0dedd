import type { Page } from 'playwright-core';
import { describeWith } from '../support/optional';
import { issueKeyTo } from '../support/sign-challenge';
import { until } from '../support/until';
import { accessibilityFindings } from './accessibility';
import { connect, installWallet, openMarket, siteInBrowser, statementOf } from './site-in-browser';
import { randomWallet } from '../support/random-wallet';

const SHOTS = process.env.SITE_SHOTS;

describeWith('chromium', 'the pages of a wallet', (executablePath) => {
  const site = siteInBrowser(executablePath);
  let page: Page;
  beforeEach(async () => {
    page = await site.newPage();
  });

  async function shoot(name: string): Promise<void> {
    if (SHOTS === undefined) return;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [width, height] of [
        [1280, 900],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}-${width}.png`, fullPage: true });
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  async function expectGoodPage(name: string): Promise<void> {
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1280, height: 900 });
    await shoot(name);
  }

  it('issues, replaces and revokes keys, each with a signature, and marks the key of the browser', async () => {
    const wallet = randomWallet();
    await installWallet(page, wallet);
    await page.goto(`${site.base}/keys`);
    await connect(page, wallet);
    const own = page.locator('[data-key-list] tbody tr', { hasText: 'this browser' });
    await own.waitFor();

    await page.getByLabel('Name, to tell it from your other keys').fill('Trading bot');
    await page.getByLabel('Open markets, once you are a creator').uncheck();
    await page.getByRole('button', { name: 'Sign and issue' }).click();
    const secret = page.getByLabel('API key', { exact: true });
    await secret.waitFor();
    const first = await secret.inputValue();
    await page.locator('[data-key-list] tbody tr', { hasText: 'Trading bot' }).waitFor();
    await expectGoodPage('keys');
    const { address } = wallet;
    const works = async (apiKey: string): Promise<number> =>
      (await fetch(`${site.base}/api/v2/public/limits`, { headers: { 'X-API-Key': apiKey } })).status;
    const { scopes } = (await (
      await fetch(`${site.base}/api/v2/public/limits`, { headers: { 'X-API-Key': first } })
    ).json()) as { scopes: string[] };
    expect(scopes.sort()).toEqual(['account:read', 'markets:read', 'trades:create']);

    await page.getByRole('button', { name: 'Replace Trading bot' }).click();
    await page.getByRole('button', { name: 'Replace', exact: true }).last().click();
    await page.getByText('“Trading bot” is replaced.').waitFor();
    const second = await secret.inputValue();
    expect([await works(first), await works(second)]).toEqual([401, 200]);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    expect(await secret.isVisible()).toBe(false);
    expect(await secret.inputValue()).toBe('');

    await page.getByRole('button', { name: 'Revoke Trading bot' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await works(second)).toBe(200);
    await page.getByRole('button', { name: 'Revoke Trading bot' }).click();
    await page.locator('[data-confirm-yes]').click();
    await page.getByText('“Trading bot” is revoked.').waitFor();
    await page.locator('[data-key-list] tbody tr', { hasText: 'Trading bot' }).waitFor({ state: 'detached' });
    expect(await works(second)).toBe(401);

    await own.getByRole('button', { name: /^Replace/ }).click();
    await page.locator('[data-confirm-yes]').click();
    await page.getByText('This browser has a new key.').waitFor();
    await own.getByRole('button', { name: /^Revoke/ }).click();
    await page.locator('[data-confirm-yes]').click();
    await page.locator('[data-needs-key]').waitFor();
    expect(await site.standalone.market.listKeys({ address })).toEqual({ keys: [] });
    expect(site.complaints).toEqual([]);
  });

  it('lets a pasted key read, and says what only the wallet can do', async () => {
    const { apiKey } = await issueKeyTo(site.standalone.market, randomWallet());
    await page.goto(`${site.base}/keys`);
    await page.locator('[data-session-open]').click();
    await page.getByLabel('or paste an API key').fill(apiKey);
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByText('This browser has the API key, and not the wallet.').waitFor();
    await page.getByLabel('Name, to tell it from your other keys').fill('No wallet');
    await page.getByRole('button', { name: 'Sign and issue' }).click();
    await page.locator('[data-issue] .message.bad', { hasText: 'needs the wallet' }).waitFor();
    expect(site.complaints).toEqual([]);
  });

  it('deposits, trades and withdraws, and the amounts of the CSV file add up to the balance', async () => {
    const wallet = randomWallet();
    const market = await openMarket(site, '=1+1: will this, "quoted", be a formula?');
    await installWallet(page, wallet);
    await page.goto(`${site.base}/portfolio`);
    await connect(page, wallet);

    await page.route('**/x402/deposit', async (route) => {
      const paid = route.request().headers()['x-payment'] !== undefined;
      if (paid) await route.fetch();
      await (paid ? route.fulfill({ status: 500, body: 'lost' }) : route.continue());
    });
    await page.getByLabel('Amount to deposit in USD').fill('100');
    await page.getByRole('button', { name: 'Sign and deposit' }).click();
    const again = page.getByRole('button', { name: 'Send the same payment again' });
    await again.waitFor();
    await page.unroute('**/x402/deposit');
    await page.reload();
    await again.waitFor();
    expect((await site.standalone.market.getBalance({ wallet: wallet.address })).balance).toBe(100);
    await page.getByRole('button', { name: 'Forget this payment' }).click();
    await page.getByLabel('Amount to deposit in USD').fill('50.25');
    await page.getByRole('button', { name: 'Sign and deposit' }).click();
    await page.getByText('$50.25 arrived.').waitFor();

    const order = { wallet: wallet.address, market: market.id };
    await site.standalone.market.placeTrade({ ...order, side: 'YES', amount: 20 });
    await site.standalone.market.placeTrade({ ...order, side: 'NO', amount: 10 });
    await site.standalone.market.placeTrade({ ...order, side: 'YES', action: 'sell', shares: 'all' });
    await page.reload();
    const held = page.locator('[data-positions] tbody tr');
    await held.getByRole('link', { name: market.question, exact: true }).waitFor();
    expect(await held.count()).toBe(1);
    expect(await page.locator('[data-history] tbody tr').count()).toBe(3);
    await page.getByLabel('What').selectOption('sell');
    expect(await page.locator('[data-history] tbody tr').count()).toBe(1);

    await page.getByLabel('Amount to withdraw in USD').fill('5');
    await page.getByRole('button', { name: 'Sign and withdraw' }).click();
    await page.getByText('$5.00 is on its way.').waitFor();
    await page.locator('[data-withdrawals] tbody tr', { hasText: /Requested|Sending|Paid/ }).waitFor();
    await expectGoodPage('portfolio');

    await until(async () => {
      await site.standalone.market.runJobs();
      const { withdrawals } = await site.standalone.market.listWithdrawals({ wallet: wallet.address });
      return withdrawals.every(({ status }) => status === 'confirmed');
    });

    // A withdrawal had no answer for three days, so the service may have forgotten its idempotency key.
    const { balance: before } = await site.standalone.market.getBalance({ wallet: wallet.address });
    const place = `prediction-market.pending-withdrawal.${wallet.address.toLowerCase()}`;
    const old = { amount: 7, idempotencyKey: 'old', sentAt: Date.now() - 3 * 86_400_000 };
    await page.evaluate(`localStorage.setItem('${place}', '${JSON.stringify(old)}')`);
    await page.reload();
    const tooOld = page.getByText('it is too old to be sent again');
    await tooOld.waitFor();
    await page.getByRole('button', { name: 'Send the same withdrawal again' }).click();
    await tooOld.waitFor();
    await page.getByRole('button', { name: 'Forget this withdrawal' }).click();
    await page.getByRole('button', { name: 'Sign and withdraw' }).waitFor();
    expect((await site.standalone.market.getBalance({ wallet: wallet.address })).balance).toBe(before);

    const { csv, micros } = await statementOf(page);
    expect(csv).toContain(`"'=1+1: will this, ""quoted"", be a formula?"`);
    const { balance } = await site.standalone.market.getBalance({ wallet: wallet.address });
    expect(micros).toBe(Math.round(balance * 1e6));
    expect(site.complaints.filter((text) => !/40[12]|500/.test(text))).toEqual([]);
  });
});
