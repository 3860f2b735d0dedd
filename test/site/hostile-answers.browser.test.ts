import type { Page } from 'playwright-core';
import { describeWith } from '../support/optional';
import { issueKeyTo, signChallenge } from '../support/sign-challenge';
import { breakout, expectTexts, longAttack, markdownAttack } from './hostile-texts';
import { openMarket, signedIn, siteInBrowser } from './site-in-browser';
import { randomWallet } from '../support/random-wallet';

const TOKEN = 'token-of-hostile-answers';
const REFUSED = /status of 4\d\d/;
const AT = '2026-11-21T12:00:00.000Z';
const ADDRESS = `0x${'1'.repeat(40)}`;

const PAYMENT = {
  ...{ id: 7, status: 'submitted', operation: 'deposit', amount: 5, transaction: longAttack('transaction') },
  ...{ payer: longAttack('payer'), asset: ADDRESS, nonce: breakout('nonce') },
  ...{ reason: longAttack('reason'), decision: null, createdAt: AT, updatedAt: AT },
};
const WITHDRAWAL = {
  ...{ id: 8, amount: 5, status: 'sent', address: breakout('receiver') },
  ...{ transaction: breakout('hash'), createdAt: AT, updatedAt: AT },
};
const SAMPLES = {
  state: 'failed',
  done: 0,
  total: 0,
  message: longAttack('samples'),
  filled: null,
  refusal: null,
};

describeWith('chromium', 'a hostile text in an answer', (executablePath) => {
  const site = siteInBrowser(executablePath, { environment: { ADMIN_TOKEN: TOKEN } });

  const refusal = (field: string): { status: number; json: object } => {
    const code = 'VALIDATION_ERROR';
    const errors = [{ field: 'question', message: longAttack(field) }];
    return { status: 400, json: { code, error: code, message: longAttack(field), errors } };
  };
  const push = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).first().click();

  async function operate(page: Page, path: string): Promise<void> {
    // A change of the fragment alone would not load the page, so the browser leaves the page first.
    await page.goto('about:blank');
    await page.goto(`${site.base}/operators${path}#token=${TOKEN}`);
    await page.locator('[data-view]').waitFor();
  }

  it('stays text where the server refuses an order or a market', async () => {
    const wallet = randomWallet();
    const { slug } = await openMarket(site, 'Will an order be refused?');
    await site.standalone.market.deposit({ address: wallet.address, amount: 50, reference: 'for an order' });
    const page = await signedIn(site, wallet, 'orders');
    await site.excusing(REFUSED, async () => {
      await page.route('**/trade', (route) => route.fulfill(refusal('order')));
      await page.goto(`${site.base}/market/${slug}`);
      await page.locator('#ticket-amount').fill('10');
      await page.getByText('Paid if YES').waitFor();
      await push(page, 'Buy YES');
      await expectTexts(page, [longAttack('order')]);

      await page.route('**/public/markets', (route) => route.fulfill(refusal('opening')));
      await page.goto(`${site.base}/creators`);
      await page.getByLabel('Question, answerable by yes or no').fill('Will a market be refused?');
      await page.getByLabel('How it is resolved').fill(markdownAttack('criteria'));
      const closes = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 16);
      await page.getByLabel('Trading closes (your time)').fill(closes);
      await push(page, 'Open the market');
      await expectTexts(page, [longAttack('opening')]);
    });
    expect(site.complaints).toEqual([]);
  });

  it('stays text where a wallet fails, and where it shows an account that is none', async () => {
    const page = await site.newPage();
    await page.addInitScript(`addEventListener('eip6963:requestProvider', () => {
      const requests = {
        Failing: async () => { throw { code: -32000, message: ${JSON.stringify(longAttack('failing'))} }; },
        Lying: async () => [${JSON.stringify(longAttack('account'))}],
      };
      for (const [name, request] of Object.entries(requests))
        dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: { name, rdns: name }, provider: { request } } }));
    })`);
    await page.goto(site.base);
    await push(page, 'Connect');
    await push(page, 'Sign with Failing');
    await expectTexts(page, [longAttack('failing')]);
    await site.excusing(REFUSED, async () => {
      await push(page, 'Sign with Lying');
      await page
        .locator('[data-session-message].bad')
        .filter({ hasNotText: longAttack('failing') })
        .waitFor();
      await expectTexts(page, []);
    });
    expect(site.complaints).toEqual([]);
  });

  it("stays text on the operators' pages: payments, withdrawals, samples, accounts and dialogs", async () => {
    const { market } = site.standalone;
    const page = await site.newPage();
    const { limit, offset, hasMore } = { limit: 20, offset: 0, hasMore: false };
    await page.route('**/admin/payments?*', (route) =>
      route.fulfill({ json: { payments: [PAYMENT], limit, offset, hasMore } }),
    );
    await page.route('**/admin/withdrawals?*', (route) =>
      route.fulfill({ json: { withdrawals: [WITHDRAWAL], hasMore } }),
    );
    await page.route('**/admin/sample', (route) => route.fulfill({ json: SAMPLES }));
    await operate(page, '');
    await expectTexts(page, [longAttack('samples')]);
    await operate(page, '/money');
    await expectTexts(page, [
      longAttack('payer'),
      longAttack('reason'),
      breakout('receiver'),
      breakout('hash'),
    ]);
    await page.getByLabel('Amount in USD').first().fill('5');
    await page.getByLabel('Reference').first().fill(longAttack('written'));
    await push(page, 'Put money in');
    await expectTexts(page, [`$5.00 with the reference ${longAttack('written')}.`]);
    await page.getByRole('dialog').getByRole('button', { name: 'Credit it' }).click();
    await expectTexts(page, ['Credited.']);

    const wallet = randomWallet();
    await issueKeyTo(market, wallet, longAttack('label').slice(0, 100));
    await operate(page, `/accounts?address=${wallet.address}`);
    await expectTexts(page, [longAttack('label').slice(0, 100)]);
    await push(page, 'Revoke');
    await expectTexts(page, ['Revoke this key?']);
    await site.excusing(REFUSED, async () => {
      await operate(page, `/accounts?address=${encodeURIComponent(longAttack('address'))}`);
      await page.locator('[data-view] .message', { hasText: 'address' }).waitFor();
      await expectTexts(page, []);
    });
    expect(site.complaints).toEqual([]);
  });

  it('stays text where an operator suspends a creator', async () => {
    const { market } = site.standalone;
    const creator = randomWallet();
    const ask = (address: string) => market.issueChallenge({ address, action: 'apply' as const });
    await market.applyAsCreator({ ...(await signChallenge(creator, ask)), displayName: breakout('name') });
    await market.approveCreator({ address: creator.address });
    const page = await site.newPage();
    await operate(page, '/creators?status=approved');
    const row = page.locator('.operators-card', { hasText: breakout('name') });
    await row.getByText('Suspend…').click();
    await row.getByLabel('Reason').fill(longAttack('suspension'));
    await row.getByRole('button', { name: 'Suspend', exact: true }).click();
    await expectTexts(page, [`Suspend ${breakout('name')}?`]);
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click();
    await expectTexts(page, [`${breakout('name')} is suspended.`]);
    await operate(page, '/log');
    await expectTexts(page, [longAttack('suspension')]);
    const other = await signedIn(site, creator, 'of the suspended');
    await other.goto(`${site.base}/creators`);
    await expectTexts(other, ['Your creator status is suspended.']);
    expect(site.complaints).toEqual([]);
  });

  it('stays text in the search box of the documentation', async () => {
    const page = await site.newPage();
    await page.goto(`${site.base}/docs/`);
    const box = page.locator('form.search input');
    await box.fill(breakout('zzzz'));
    await page.locator('form.search .results').waitFor();
    await expectTexts(page, []);
    await box.fill(`<market>"'`);
    await page.locator('form.search .results a').first().waitFor();
    await expectTexts(page, []);
    expect(site.complaints).toEqual([]);
  });
});
