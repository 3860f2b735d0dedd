import type { Page } from 'playwright-core';
import { describeWith } from '../support/optional';
import { issueKeyTo } from '../support/sign-challenge';
import { accessibilityFindings, sidewaysScrolling } from './accessibility';
import { connect, HOURS_48, installWallet, openMarket, siteInBrowser } from './site-in-browser';
import { randomAddress, randomWallet } from '../support/random-wallet';

describeWith('chromium', 'the site in a browser', (executablePath) => {
  // Without BASE_URL, the server does not know its origin.
  const site = siteInBrowser(executablePath, { environment: { BASE_URL: '' } });
  let page: Page;
  beforeEach(async () => {
    page = await site.newPage();
  });

  it('takes a trader from the list to a position, and out of it again', async () => {
    const wallet = randomWallet();
    const market = await openMarket(site, 'Will a browser buy this?');
    await site.standalone.market.deposit({ address: wallet.address, amount: 100, reference: wallet.address });
    await installWallet(page, wallet);

    await page.goto(site.base);
    await page.locator('.card', { hasText: market.question }).locator('a.tag').click();
    await page.waitForURL('**/categories/*');
    await page.getByRole('link', { name: market.question }).click();
    expect(await page.locator('pre', { hasText: 'X-API-Key' }).textContent()).toContain(
      `curl "${site.base}/api/v2/public/markets/${market.id}/trade"`,
    );
    await connect(page, wallet);
    await page.getByLabel('Amount in USD, fee included').fill('101');
    await page.getByText('This is more than your balance.').waitFor();
    await page.getByRole('button', { name: 'Max', exact: true }).click();
    expect(await page.getByLabel('Amount in USD, fee included').inputValue()).toBe('100');
    await page.getByRole('button', { name: '$25', exact: true }).click();
    await page.getByText('Paid if YES').waitFor();
    await page.getByRole('button', { name: 'Buy YES' }).click();
    await page.getByText(/^Bought [\d.]+ YES for \$25\.00/).waitFor();
    await page.locator('#live-trades tbody tr').waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    const tooWide = page
      .locator('#live-trades :is(.scroll, tbody, tbody *)')
      .evaluateAll(
        (parts: { scrollWidth: number; clientWidth: number; className: string }[]) =>
          parts.filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
            .length,
      );
    expect(await tooWide).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.locator('.chart-reading', { hasText: '1 trade, ' }).waitFor();
    await page.locator('[data-session]', { hasText: '$75.00' }).waitFor();
    expect(await page.locator('.odd.yes strong').textContent()).not.toBe('50%');

    await page.locator('.segment', { hasText: 'Sell' }).click();
    await page.getByRole('button', { name: '50%', exact: true }).click();
    await page.getByText('You receive').waitFor();
    await page.getByText(/^You hold [\d.]+ YES, worth \$/).waitFor();
    await page.getByRole('button', { name: 'Sell your YES shares' }).click();
    await page.getByText('You receive').waitFor();
    const sell = page.getByRole('button', { name: 'Sell YES' });
    await sell.click();
    await page.getByText(/^Sold .* You now hold 0\./).waitFor();

    await page.getByRole('link', { name: 'Portfolio' }).click();
    await page.locator('[data-closed] tbody tr').waitFor();
    expect(await page.locator('[data-history] tbody tr').count()).toBe(2);
    expect(site.complaints).toEqual([]);
    expect((await site.standalone.market.audit()).ok).toBe(true);
  });

  it('keeps an order whose answer was lost, over a reload too, and trades once when it is sent again', async () => {
    const wallet = randomWallet();
    const market = await openMarket(site, 'Will an answer be lost?');
    await site.standalone.market.deposit({ address: wallet.address, amount: 100, reference: wallet.address });
    await installWallet(page, wallet);
    await page.goto(`${site.base}/market/${market.slug}`);
    await connect(page, wallet);
    const amount = page.getByLabel('Amount in USD, fee included');
    await amount.fill('25');
    await page.getByText('Paid if YES').waitFor();
    await page.route('**/trade', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Buy YES' }).click();
    await page.getByText('It is not known yet whether this order was executed.').waitFor();
    expect(await amount.isDisabled()).toBe(true);
    await page.unroute('**/trade');
    const limited = { code: 'RATE_LIMIT_EXCEEDED', error: 'RATE_LIMIT_EXCEEDED', message: 'Too many.' };
    await page.route('**/trade', (route) => route.fulfill({ status: 429, json: limited }));
    await page.getByRole('button', { name: 'Send again: Buy YES' }).click();
    await page.getByText('Too many. It is not known yet').waitFor();
    await page.unroute('**/trade');
    // A refusal because of the price does not tell whether an earlier copy of the order was executed.
    const moved = { code: 'SLIPPAGE_EXCEEDED', error: 'SLIPPAGE_EXCEEDED', message: 'The price has moved.' };
    await page.route('**/trade', (route) => route.fulfill({ status: 409, json: moved }));
    await page.getByRole('button', { name: 'Send again: Buy YES' }).click();
    await page.getByText('The price has moved. It is not known yet').waitFor();
    await page.unroute('**/trade');

    await page.reload();
    await page.getByRole('button', { name: 'Send again: Buy YES' }).click();
    await page.getByText(/^Bought [\d.]+ YES for \$25\.00/).waitFor();
    expect(await amount.isEnabled()).toBe(true);
    const { trades, total } = await site.standalone.market.listTrades({ market: market.id });
    expect([total, trades[0]?.totalCost]).toEqual([1, 25]);
    await page.reload();
    await page.getByRole('button', { name: 'Buy YES', exact: true }).waitFor();
  });

  it('puts an order of unknown outcome aside only after a question, and says where to look for it', async () => {
    const wallet = randomWallet();
    const market = await openMarket(site, 'Will an order be put aside?');
    await site.standalone.market.deposit({ address: wallet.address, amount: 100, reference: wallet.address });
    await installWallet(page, wallet);
    await page.goto(`${site.base}/market/${market.slug}`);
    await connect(page, wallet);
    const amount = page.getByLabel('Amount in USD, fee included');
    await amount.fill('25');
    await page.getByText('Paid if YES').waitFor();
    await page.route('**/trade', (route) => route.abort());
    await page.getByRole('button', { name: 'Buy YES' }).click();
    const aside = page.getByRole('button', { name: 'Put this order aside…' });
    await aside.click();
    await page.getByText('This does not cancel the order.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Send again: Buy YES' }).waitFor();
    await aside.click();
    await page.getByRole('button', { name: 'Put it aside' }).click();
    await page
      .getByText(/^Put aside\. Look in the history of your portfolio for “Buy \$25\.00 of YES”/)
      .waitFor();
    expect([await amount.isEnabled(), await aside.isVisible()]).toEqual([true, false]);
    await page.reload();
    await page.getByRole('button', { name: 'Buy YES', exact: true }).waitFor();
  });

  it('tells a trader why an order was refused', async () => {
    const wallet = randomWallet();
    const market = await openMarket(site, 'Will a wallet without money buy this?');
    await installWallet(page, wallet);
    await page.goto(`${site.base}/market/${market.slug}`);
    await connect(page, wallet);
    await page.getByLabel('Amount in USD, fee included').fill('25');
    await page.getByText('Paid if YES').waitFor();
    await page.getByRole('button', { name: 'Buy YES' }).click();
    await page.locator('[data-ticket] .message.bad').waitFor();
    expect(await page.locator('[data-ticket] .message').textContent()).toMatch(/has 0 USD available/);
    expect(site.complaints.filter((text) => !text.includes('409'))).toEqual([]);

    const shares = page.locator('[data-quote] dd').first();
    const before = (await shares.textContent()) ?? '';
    const other = randomAddress();
    await site.standalone.market.deposit({ address: other, amount: 1_000, reference: other });
    await site.standalone.market.placeTrade({ wallet: other, market: market.id, side: 'YES', amount: 300 });
    await shares.filter({ hasNotText: before }).waitFor();
    expect(await page.locator('[data-quote].stale').count()).toBe(0);
  });

  it('takes a creator from the application to a market of their own, opened once although its answer was lost', async () => {
    const wallet = randomWallet();
    await installWallet(page, wallet);
    await page.goto(`${site.base}/creators`);
    await connect(page, wallet);
    await page.getByText('has not applied yet').waitFor();
    await page.getByLabel('Name shown on your markets').fill('Ada');
    await page.getByRole('button', { name: 'Sign and apply' }).click();
    await page.getByText('is being reviewed').waitFor();
    await site.standalone.market.approveCreator({ address: wallet.address });
    await page.reload();
    await page.getByText('is an approved creator').waitFor();
    await page.getByRole('button', { name: 'Sign and apply' }).waitFor({ state: 'hidden' });
    const question = page.getByLabel('Question, answerable by yes or no');
    await question.fill('Which form will work best');
    await page.getByText('Ask so that the answer is yes or no').waitFor();
    await page.getByText('End the question with a question mark.').waitFor();
    await question.fill('Will Ada’s form work?');
    await page.getByLabel('How it is resolved').fill('By this test.');
    await page.getByText('Name the source that decides').waitFor();
    await page.getByText('Ask so that the answer is yes or no').waitFor({ state: 'detached' });
    await page.getByText('You have opened no market yet.').waitFor();
    const inTwoDays = new Date(Date.now() + HOURS_48).toISOString().slice(0, 16);
    await page.getByLabel('Trading closes (your time)').fill(inTwoDays);
    await page.getByLabel('Category').selectOption('science');
    const closes = page.getByLabel('Trading closes (your time)');
    await closes.fill('2020-01-01T00:00');
    await page.getByRole('button', { name: 'Open the market' }).click();
    await page.locator('#resolve-date-error', { hasText: '1 hour' }).waitFor();
    expect(await closes.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'See how it will look' }).click();
    await page.locator('#resolve-date-error', { hasText: '1 hour' }).waitFor();
    await closes.fill(inTwoDays);
    await page.getByRole('button', { name: 'See how it will look' }).click();
    const preview = page.getByRole('region', { name: 'How the market will look' });
    await preview.getByRole('heading', { name: 'Will Ada’s form work?' }).waitFor();
    await preview.getByText('/market/will-adas-form-work').waitFor();
    await page.getByLabel('Background (optional)').fill('<script>alert(1)</script> in **bold**');
    await preview.locator('strong', { hasText: 'bold' }).waitFor();
    expect(await preview.locator('script').count()).toBe(0);
    await page.getByLabel('Background (optional)').fill('');
    expect(await accessibilityFindings(page)).toEqual([]);
    let sent = 0;
    await page.route('**/public/markets', async (route) => {
      sent += 1;
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Open the market' }).click();
    await page.getByText('It is not known whether this market was opened').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Look for the market' }).click();
    await page.getByRole('heading', { name: 'Will Ada’s form work?' }).waitFor();
    expect(sent).toBe(1);
    expect(await page.getByText('by Ada').count()).toBe(1);

    const trader = randomAddress();
    await site.standalone.market.deposit({ address: trader, amount: 100, reference: trader });
    const slug = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '');
    await site.standalone.market.placeTrade({ wallet: trader, market: slug, side: 'YES', amount: 100 });
    await page.goto(`${site.base}/creators`);
    await page.getByText(/^You have earned \$0\.\d\d with one market\.$/).waitFor();
    await page.locator('[data-own-list] tbody tr', { hasText: 'Will Ada’s form work?' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(site.complaints.filter((text) => !/400|net::ERR_FAILED/.test(text))).toEqual([]);
  });

  it('accepts a pasted key, refuses a wrong one, and forgets a key when told to', async () => {
    const { apiKey } = await issueKeyTo(site.standalone.market, randomWallet());
    await page.goto(`${site.base}/portfolio`);
    const paste = async (key: string): Promise<void> => {
      await page.getByLabel('or paste an API key').fill(key);
      await page.getByRole('button', { name: 'Use it' }).click();
    };
    await page.locator('[data-session-open]').click();
    await paste('pmk_wrong');
    await page.getByText('Invalid or missing API key.').waitFor();
    await paste(apiKey);
    await page.getByText('No open positions.').waitFor();
    await page.locator('[data-session]').click();
    await page.getByRole('button', { name: 'Forget the key in this browser' }).click();
    await page.locator('[data-needs-key]').waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
    expect(site.complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });

  it('shows a hostile question as text, at every width and without JavaScript', async () => {
    const attack = `<img src=x onerror=alert(1)> "><script>alert(2)</script> ${'W'.repeat(90)}`;
    const market = await openMarket(site, attack, { resolutionCriteria: attack });
    for (const [width, javaScriptEnabled] of [
      [1280, true],
      [360, true],
      [360, false],
    ] as const) {
      const view = await site.newPage({ viewport: { width, height: 800 }, javaScriptEnabled });
      for (const path of ['/', `/market/${market.slug}`]) {
        await view.goto(site.base + path);
        await view.getByText('<img src=x onerror=alert(1)>').first().waitFor();
        expect(await view.locator('img, main script').count()).toBe(0);
        if (javaScriptEnabled) {
          expect(await view.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        }
      }
    }
    expect(site.complaints).toEqual([]);
  });

  it('never scrolls sideways, also with a question of 200 characters without a space', async () => {
    const { slug } = await openMarket(site, 'W'.repeat(200), { resolutionCriteria: 'W'.repeat(300) });
    const found: string[] = [];
    for (const path of [
      '/',
      '/?q=xylophone',
      '/categories/weather',
      `/market/${slug}`,
      '/portfolio',
      '/creators',
      '/keys',
      '/play-money',
      '/market/nowhere',
      `/embed/market/${slug}`,
    ]) {
      await page.goto(site.base + path);
      found.push(...(await sidewaysScrolling(page)));
    }
    expect(found).toEqual([]);
  });

  it('brings another person’s trade to a page that is open', async () => {
    const market = await openMarket(site, 'Will this page move by itself?');
    await page.goto(`${site.base}/market/${market.slug}`);
    const trader = randomAddress();
    await site.standalone.market.deposit({ address: trader, amount: 50, reference: trader });
    await site.standalone.market.placeTrade({ wallet: trader, market: market.id, side: 'NO', amount: 20 });
    await page.locator('#live-trades tbody tr', { hasText: 'NO' }).waitFor();
    expect(await page.locator('.odd.no strong').textContent()).not.toBe('50%');
    await site.standalone.market.resolveMarket({ market: market.id, outcome: 'NO' });
    await page.getByText('Resolved NO').waitFor();
    expect(site.complaints).toEqual([]);
  });
});
