import type { Page } from 'playwright-core';
import { describeWith } from '../support/optional';
import { issueKeyTo, signChallenge } from '../support/sign-challenge';
import { accessibilityFindings } from './accessibility';
import { openMarket, siteInBrowser } from './site-in-browser';
import { moneyAndFeedsTests } from './operators-money-and-feeds';
import { randomWallet } from '../support/random-wallet';

const TOKEN = 'token-of-this-test';
const ATTACK = `<script>alert(1)</script> javascript:alert(2)`;

const CITATION = { quote: null, publishedAt: null, retrievedAt: null };
const HOSTILE_ROUND = {
  round: 1,
  startedAt: '2026-11-21T12:00:00.000Z',
  consensus: null,
  votes: [
    {
      oracle: 'judge <img src=x>',
      model: null,
      outcome: 'YES',
      probability: 0.9,
      confidence: 0.8,
      latencyMs: 10,
      reasoning: ATTACK,
      citations: [
        { ...CITATION, url: 'javascript:alert(3)', title: 'A title of javascript:' },
        { ...CITATION, url: 'https://example.com/proof', title: '<script>alert(4)</script>' },
      ],
    },
  ],
};

describeWith('chromium', "the operators' pages", (executablePath) => {
  const site = siteInBrowser(executablePath, {
    environment: { ADMIN_TOKEN: TOKEN, WEBHOOK_ALLOW_PRIVATE: '1' },
    withTreasury: false,
  });
  let page: Page;
  beforeEach(async () => {
    page = await site.newPage();
  });
  afterEach(async () => {
    expect(site.sent.filter(({ url }) => url.includes(TOKEN))).toEqual([]);
    expect(page.url()).not.toContain(TOKEN);
    const shown = await page.evaluate(
      `document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(({ value }) => value)`,
    );
    expect(shown).not.toContain(TOKEN);
  });

  async function open(path: string): Promise<void> {
    await page.goto(`${site.base}/operators${path}#token=${TOKEN}`);
    await page.locator('[data-view]').waitFor();
  }
  const push = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();

  async function apply(displayName: string, statement: string): Promise<string> {
    const signed = await signChallenge(randomWallet(), (address) =>
      site.standalone.market.issueChallenge({ address, action: 'apply' }),
    );
    await site.standalone.market.applyAsCreator({ ...signed, displayName, statement });
    return signed.address;
  }

  it('refuses a wrong token, takes the right one, keeps it in the tab, and forgets it', async () => {
    await page.goto(`${site.base}/operators`);
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
    expect(site.complaints.filter((text) => !text.includes('401'))).toEqual([]);
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
    expect(site.complaints).toEqual([]);
  });

  it('shows a difference of the books in USD and shares, as the command audit does', async () => {
    await page.route('**/api/v2/admin/audit', async (route) => {
      const found = (await (await route.fetch()).json()) as object;
      const [account, position] = ['wallet:0x1', '1:0x1:YES shares'];
      const differences = [
        { kind: 'account', subject: account, stored: '7', computed: '100000000' },
        { kind: 'position', subject: position, stored: '-1500000', computed: '0' },
      ];
      await route.fulfill({ json: { ...found, ok: false, differences } });
    });
    await open('');
    await push('Check the books');
    for (const figure of ['0.000007 USD', '100 USD', '-1.5 shares', '0 shares']) await see(figure);
  });

  it('approves and suspends a creator, whose texts are shown as texts', async () => {
    const address = await apply('Eve <b>', ATTACK);
    await open('/creators');
    await see(ATTACK);
    expect(await page.locator('[data-view] :is(script, b)').count()).toBe(0);
    const approve = page.getByRole('button', { name: 'Approve', exact: true }).first();
    await approve.dblclick();
    await see('Eve <b> is approved and may open markets.');
    expect(site.sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect((await site.standalone.market.creatorStatus({ address })).status).toBe('approved');
    await page.getByText('Suspend…').click();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByLabel('Reason').fill('Copies questions.');
    await push('Suspend');
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await see('Eve <b> is suspended.');
    expect((await site.standalone.market.creatorStatus({ address })).status).toBe('suspended');
    expect(site.complaints).toEqual([]);
  });

  const openHostile = (question: string) =>
    openMarket(site, question, { resolutionCriteria: ATTACK, description: ATTACK });
  const answer = (name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const posts = () =>
    site.sent.filter(({ method }) => method !== 'GET').map(({ url }) => new URL(url).pathname);

  it('decides a market with evidence, once, after it has asked again', async () => {
    const { id } = await openHostile('Will <i>this</i> be decided?');
    await site.standalone.market.closeMarket({ market: id });
    await page.route('**/resolution', (route) =>
      route.fulfill({ json: { marketId: id, status: 'escalated', rounds: [HOSTILE_ROUND] } }),
    );
    await open('/markets?status=resolving');
    await see('Will <i>this</i> be decided?');
    await page.getByText('Votes, reasons and citations').click();
    await see('A title of javascript:');
    expect(await page.locator('[data-view] :is(script, i, img)').count()).toBe(0);
    expect(await page.locator('[data-view] a[href^="javascript"]').count()).toBe(0);
    expect(await page.locator('.operators-vote a').getAttribute('href')).toBe('https://example.com/proof');
    await page.getByText('Decide…').click();
    await page.getByLabel('Outcome').selectOption('YES');
    await page.getByLabel('Evidence and reason').fill('Seen by the operator.');
    expect(await accessibilityFindings(page)).toEqual([]);
    await push('Decide');
    await answer('Cancel');
    expect(posts()).toEqual([]);
    await push('Decide');
    await see('This is final');
    expect(await accessibilityFindings(page)).toEqual([]);
    await answer('Decide YES');
    await see('Decided YES. Each YES share is paid 1 USD');
    expect(posts()).toEqual([`/api/v2/admin/markets/${id}/resolve`]);
    const { outcome, note } = await site.standalone.market.getMarketResolution(id);
    expect([outcome, note]).toEqual(['YES', 'Seen by the operator.']);
    expect(site.complaints).toEqual([]);
  });

  it('says that the outcome of a change is not known when its answer is lost', async () => {
    const { id } = await openHostile('Will an answer be lost?');
    await page.route(`**/markets/${id}/close`, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await open('/markets?status=open');
    await push('Close now');
    await answer('Close it');
    await see('It is not known whether this was carried out. No answer came from the server.');
    expect((await site.standalone.market.getMarket(id)).status).toBe('resolving');
  });

  it('credits a wallet once for each reference, and revokes its keys', async () => {
    const wallet = randomWallet();
    await issueKeyTo(site.standalone.market, wallet);
    await open(`/accounts?address=${wallet.address}`);
    await see('API keys');
    for (const _time of ['first', 'again']) {
      await page.getByLabel('Amount in USD').fill('12.5');
      await page.getByLabel('Reference').fill('from the bank');
      await push('Credit the wallet');
      await answer('Credit it');
      await see('Credited $12.50. The wallet has $12.50 available.');
    }
    await page.getByLabel('Amount in USD').fill('13');
    await page.getByLabel('Reference').fill('from the bank');
    await push('Credit the wallet');
    await answer('Credit it');
    await see('Choose another reference.');
    expect(await accessibilityFindings(page)).toEqual([]);
    await push('Revoke');
    await answer('Revoke it');
    await see('This key is revoked.');
    expect((await site.standalone.market.listKeys({ address: wallet.address })).keys).toEqual([]);
    expect(site.complaints.filter((text) => !text.includes('409'))).toEqual([]);
  });

  it('adds a webhook, shows its secret once, and removes it', async () => {
    await open('/feeds');
    await see('There are no webhooks.');
    await page.getByLabel('Address').fill(`${site.base}/no-endpoint`);
    await page.getByLabel('Description (optional)').fill('<script>alert(1)</script>');
    await push('Add it');
    await see('Copy its secret now');
    expect(await page.getByText(/^whsec_/).count()).toBe(1);
    expect(await accessibilityFindings(page)).toEqual([]);
    await push('I have stored it');
    await see('The secret is not shown any more.');
    expect(await page.getByText(/^whsec_/).count()).toBe(0);
    expect(await page.locator('[data-view] script').count()).toBe(0);
    await page.reload();
    await push('Remove');
    await answer('Remove it');
    await see('This webhook is removed.');
    expect((await site.standalone.market.listWebhooks()).total).toBe(0);
    expect(site.complaints).toEqual([]);
  });

  it('shows in its log what was done on the other pages', async () => {
    await open('/log');
    for (const done of [
      'decided a market',
      'credited a wallet',
      'revoked a key',
      'added a webhook',
      'suspended a creator',
    ])
      await page.getByRole('cell', { name: done, exact: true }).first().waitFor();
    const rowOf = (done: string) => page.getByRole('row').filter({ hasText: done }).first();
    const link = rowOf('decided a market').getByRole('link');
    expect(await link.getAttribute('href')).toMatch(/^\/market\/\d+$/);
    const id = Number((await link.getAttribute('href'))?.split('/').pop());
    expect(await link.textContent()).toBe((await site.standalone.market.getMarket(id)).question);
    expect(await rowOf('credited a wallet').textContent()).toMatch(/amount: \$[\d,]+\.\d\d/);
    await page.getByLabel('Show').selectOption('webhook.create');
    await page.getByRole('cell', { name: 'decided a market' }).waitFor({ state: 'detached' });
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await page.locator('[data-view] script').count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(site.complaints).toEqual([]);
  });

  moneyAndFeedsTests({
    standalone: () => site.standalone,
    page: () => page,
    base: () => site.base,
    complaints: () => site.complaints,
    ...{ open, push, see, answer, openMarket: openHostile },
  });

  it('puts money into the treasury, and shows what is open', async () => {
    await open('/money');
    await see('No payments here.');
    await see('No withdrawal is open.');
    await page.getByLabel('Amount in USD').fill('100');
    await page.getByLabel('Reference').fill('for the house');
    await push('Put money in');
    await answer('Credit it');
    await see('Credited. The treasury holds $');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(site.complaints).toEqual([]);
  });
});
