import type { Wallet } from 'ethers';
import type { Page } from 'playwright-core';
import { describeWith } from '../support/optional';
import { accessibilityFindings } from './accessibility';
import { openMarket, siteInBrowser } from './site-in-browser';
import { randomAddress, randomWallet } from '../support/random-wallet';

const ICON = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E';

interface Announced {
  name: string;
  rdns: string;
  address: string;
}

/** The wallets announce themselves by EIP-6963. The test signs for the last wallet of the list. */
async function announceWallets(page: Page, wallets: Announced[], signer: Wallet): Promise<void> {
  await page.exposeFunction('signForTest', (hex: string) =>
    signer.signMessage(Buffer.from(hex.slice(2), 'hex').toString('utf8')),
  );
  await page.addInitScript(
    ({ all, icon }) => {
      const scope = globalThis as unknown as {
        signForTest(hex: string): Promise<string>;
        addEventListener(name: string, listener: () => void): void;
        dispatchEvent(event: object): void;
        CustomEvent: new (name: string, options: object) => object;
      };
      scope.addEventListener('eip6963:requestProvider', () => {
        for (const { address, ...info } of all) {
          const provider = {
            request: ({ method, params }: { method: string; params?: string[] }) =>
              method === 'personal_sign'
                ? scope.signForTest(params?.[0] ?? '')
                : Promise.resolve([address.toLowerCase()]),
          };
          const detail = { info: { ...info, icon, uuid: info.rdns }, provider };
          scope.dispatchEvent(new scope.CustomEvent('eip6963:announceProvider', { detail }));
        }
      });
    },
    { all: wallets, icon: ICON },
  );
}

describeWith('chromium', 'the first minute in a browser', (executablePath) => {
  const site = siteInBrowser(executablePath);
  let page: Page;
  beforeEach(async () => {
    page = await site.newPage();
  });

  it('lists the wallets that announce themselves, and signs in with the one that is chosen', async () => {
    const signer = randomWallet();
    const other = randomAddress();
    await announceWallets(
      page,
      [
        { name: 'Blue Wallet', rdns: 'example.blue', address: other },
        { name: 'Green Wallet', rdns: 'example.green', address: signer.address },
      ],
      signer,
    );
    await page.goto(`${site.base}/portfolio`);
    await page.locator('[data-session]').click();
    expect(await page.locator('[data-wallets] button').allTextContents()).toEqual([
      'Sign with Blue Wallet',
      'Sign with Green Wallet',
    ]);
    expect(await page.locator('[data-wallets] img').first().getAttribute('src')).toBe(ICON);
    await page.getByRole('button', { name: 'Sign with Green Wallet' }).click();
    await page.locator('[data-session]', { hasText: signer.address.slice(0, 6) }).waitFor();
    expect(site.complaints).toEqual([]);
  });

  it('takes a newcomer with play money to sample markets, which an open page shows without a reload', async () => {
    await page.goto(site.base);
    await page.getByRole('button', { name: 'Get 500 USD of play money' }).click();
    await page.locator('[data-session]', { hasText: '$500.00' }).waitFor();
    const hint = page.getByText('Fill it with sample markets');
    await hint.waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    const operators = await page.context().newPage();
    await operators.goto(`${site.base}/operators#token=${site.standalone.adminToken}`);
    await operators.getByRole('button', { name: 'Fill with sample markets' }).click();
    await operators.getByRole('progressbar').waitFor();
    await operators.getByText(/^12 markets \(3 of them decided\) and [\d,]+ trades/).waitFor();
    expect(await accessibilityFindings(operators)).toEqual([]);

    const market = page.getByRole('link', { name: 'Will the ferry leave on time this morning?' });
    await market.waitFor();
    await page.getByText('9 markets', { exact: true }).waitFor();
    expect(await hint.isVisible()).toBe(false);
    await market.click();
    await page.locator('#ticket-amount').fill('25');
    await page.getByRole('button', { name: 'Buy YES' }).click();
    await page.locator('[data-session]', { hasText: '$475.00' }).waitFor();
    expect(site.complaints).toEqual([]);
  });

  it('takes a reader without a wallet to a trade with play money, and says what the wallet is', async () => {
    const { slug } = await openMarket(site, 'Will a throw-away wallet buy this?');
    await page.goto(site.base);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start with a throw-away wallet' }).click();
    await page.locator('[data-session]', { hasText: '$500.00' }).waitFor();
    await page.goto(`${site.base}/market/${slug}`);
    await page.locator('#ticket-amount').fill('25');
    await page.getByRole('button', { name: 'Buy YES' }).click();
    await page.locator('[data-session]', { hasText: '$475.00' }).waitFor();

    await page.goto(`${site.base}/play-money`);
    await page.locator('[data-session]', { hasText: '$475.00' }).click();
    expect(await page.locator('#throw-away-secret').textContent()).toBe('');
    await page.getByRole('button', { name: 'Show the secret' }).click();
    expect(await page.locator('#throw-away-secret').textContent()).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Forget this wallet' }).click();
    await page.getByText('balance of $475.00').waitFor();
    await page.getByRole('button', { name: 'Yes, forget it' }).click();
    expect(await page.evaluate('localStorage.length')).toBe(0);
    expect(site.complaints).toEqual([]);
    expect((await site.standalone.market.audit()).ok).toBe(true);
  });

  it('makes no throw-away wallet where the server has real money, also if the page offers one', async () => {
    await page.route('**/site-data/server', (route) => route.fulfill({ json: { playMoney: false } }));
    await page.goto(`${site.base}/play-money`);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Get 500 USD of play money' }).click();
    await page.getByText('This server trades real money').waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
    expect(site.complaints).toEqual([]);
  });
});
