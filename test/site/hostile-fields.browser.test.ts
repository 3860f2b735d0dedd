import { signChallenge } from '../support/sign-challenge';
import { describeWith } from '../support/optional';
import { modelServer, spoken, type ModelServer } from '../oracle/support/model-server';
import { breakout, expectTexts, longAttack, markdownAttack, plantedElements } from './hostile-texts';
import { openMarket, signedIn, siteInBrowser } from './site-in-browser';
import { randomWallet } from '../support/random-wallet';

const TOKEN = 'token-of-hostile-fields';
const NOT_FOUND = /status of 404/;

const VERDICT = {
  outcome: 'YES',
  probability: 0.98,
  confidence: 0.95,
  reasoning: longAttack('reasoning'),
  citations: [
    { url: 'javascript:citation()', title: 'No address of the web', quote: null, publishedAt: null },
    {
      url: `https://example.com/"'><b data-planted>`,
      title: longAttack('title'),
      quote: longAttack('quote'),
      publishedAt: null,
    },
  ],
};

describeWith('chromium', 'a text of a stranger', (executablePath) => {
  const environment: Record<string, string> = {
    ADMIN_TOKEN: TOKEN,
    ORACLE_MODELS: 'judge-1,judge-2',
    CHALLENGE_PERIOD_MS: '3600000',
    WEBHOOK_ALLOW_PRIVATE: '1',
  };
  let judges: ModelServer;
  beforeAll(async () => {
    judges = await modelServer();
    judges.respond((request) => spoken(request, JSON.stringify(VERDICT)));
    environment.ORACLE_BASE_URL = judges.baseUrl;
  });
  afterAll(() => judges.close());
  const site = siteInBrowser(executablePath, { environment });
  const trader = randomWallet();
  const rejected = randomWallet();
  const slugs = { open: '', proposed: '', decided: '' };
  const QUESTION = longAttack('question');

  beforeAll(async () => {
    const { market } = site.standalone;
    const acting = { operator: breakout('operator') };
    const words = {
      resolutionCriteria: `${markdownAttack('criteria')} ${breakout('criteria')}`,
      description: `${markdownAttack('background')} ${breakout('background')}`,
    };
    await market.deposit(
      { address: trader.address, amount: 200, reference: longAttack('reference') },
      acting,
    );
    await market.depositToTreasury({ amount: 5, reference: longAttack('treasury') }, acting);
    for (const name of ['open', 'proposed', 'decided'] as const) {
      const { id, slug } = await openMarket(site, QUESTION, words);
      slugs[name] = slug;
      await market.placeTrade({ wallet: trader.address, market: id, side: 'YES', amount: 10 });
      if (name === 'proposed') await market.closeMarket({ market: id }, acting);
      if (name === 'decided')
        await market.resolveMarket({ market: id, outcome: 'NO', note: longAttack('note') }, acting);
    }
    for (const wallet of [rejected, randomWallet()]) {
      const signed = await signChallenge(wallet, (address) =>
        market.issueChallenge({ address, action: 'apply' }),
      );
      await market.applyAsCreator({
        ...signed,
        displayName: breakout('name'),
        statement: longAttack('statement'),
      });
    }
    await market.rejectCreator({ address: rejected.address, reason: longAttack('reason') }, acting);
    await market.createWebhook(
      { url: `http://127.0.0.1:9/?${breakout('url')}`, description: longAttack('description') },
      acting,
    );
    const failing = (): Promise<void> => Promise.reject(new Error(longAttack('failure')));
    const consumer = await market.consume('books', failing, { from: 'now', attempts: 1 });
    await market.deposit({ address: trader.address, amount: 1, reference: 'a fact for the consumer' });
    await market.runJobs();
    await consumer.stop();
  });

  it('would be noticed if it were more than text', async () => {
    const page = await site.newPage();
    await page.goto(`${site.base}/play-money`);
    const plants = [
      `<b data-planted></b>`,
      `<a href=" JavaScript:x()">a</a>`,
      `<a href="data:text/html,x">a</a>`,
      `<meta name="x">`,
      `<style></style>`,
      `<p ONCLICK="x()"></p>`,
      `<img src="/x.png">`,
      `<script></script>`,
      `<iframe srcdoc="x"></iframe>`,
      `<form action="javascript:x()"></form>`,
    ];
    for (const plant of plants) {
      for (const place of [
        'document.body',
        `document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })`,
      ]) {
        await page.setContent('<main></main>');
        await site.excusing(/x\.png|Content Security Policy/, async () => {
          await page.evaluate(`(${place}).innerHTML = ${JSON.stringify(plant)}`);
        });
        expect(await plantedElements(page)).toHaveLength(1);
      }
    }
    await page.setContent('<iframe></iframe>');
    await page.evaluate(
      `document.querySelector('iframe').contentDocument.body.innerHTML = '<b data-planted></b>'`,
    );
    expect(await plantedElements(page)).toHaveLength(1);
  });

  it('stays text on the pages that everyone reads, also where it is in the address', async () => {
    const page = await site.newPage();
    const hostile = encodeURIComponent(longAttack('address'));
    const market = `/market/${slugs.open}`;
    const pages: [string, string[]][] = [
      ['/', [QUESTION]],
      [`/?q=${hostile}&status=${hostile}&sort=${hostile}&page=${hostile}`, ['No market matches']],
      [market, [QUESTION, longAttack('criteria').slice(0, 40), breakout('background')]],
      [`${market}?side=${hostile}&action=${hostile}&range=${hostile}`, [QUESTION]],
      [`/market/${slugs.proposed}`, [longAttack('reasoning'), longAttack('title')]],
      [`/market/${slugs.decided}`, [longAttack('note')]],
      [`/embed/market/${slugs.open}?theme=${hostile}`, [QUESTION]],
      [`/docs/?q=${hostile}`, []],
      ['/api/v2/docs', []],
      ['/api/v2/docs/live', []],
    ];
    for (const [path, texts] of pages) {
      await page.goto(site.base + path);
      await expectTexts(page, texts);
    }
    await page.goto(site.base);
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    await page.getByRole('searchbox').fill(longAttack('search'));
    await page.getByRole('button', { name: 'Search' }).click();
    await expectTexts(page, ['No market matches']);
    expect(await page.getByRole('searchbox').inputValue()).toBe(longAttack('search'));
    await site.excusing(NOT_FOUND, async () => {
      for (const path of [
        `/categories/${hostile}`,
        `/market/${hostile}`,
        `/${hostile}`,
        `/embed/market/${hostile}`,
      ]) {
        await page.goto(site.base + path);
        await expectTexts(page, []);
      }
    });
    expect(site.complaints).toEqual([]);
  });

  it('stays text in the head of a page, in oEmbed and in the element of other sites', async () => {
    const page = await site.newPage();
    await page.goto(`${site.base}/market/${slugs.open}`);
    expect(await page.title()).toContain(QUESTION);
    const contents = (await page.evaluate(
      `[...document.querySelectorAll('meta[property]')].map(({ content }) => content)`,
    )) as string[];
    expect(contents).toContain(QUESTION);
    const address = encodeURIComponent(`${site.base}/market/${slugs.open}`);
    const { html } = (await (await fetch(`${site.base}/oembed?url=${address}`)).json()) as { html: string };
    const body = `<!doctype html><link rel="icon" href="data:,"><main>${html}</main>`;
    await page.route(`${site.base}/host`, (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body }),
    );
    await page.goto(`${site.base}/host`);
    await page.frameLocator('iframe').getByText(QUESTION).waitFor();
    expect(await plantedElements(page)).toEqual([]);
    await page.addScriptTag({ url: `${site.base}/embed/element.js` });
    await site.excusing(NOT_FOUND, async () => {
      await page.evaluate(`(() => {
        const made = document.createElement('prediction-market');
        for (const name of ['market', 'theme', 'height', 'title']) made.setAttribute(name, ${JSON.stringify(longAttack('attribute'))});
        document.querySelector('main').replaceChildren(made);
      })()`);
      await page.frameLocator('iframe').getByText('There is no such market.').waitFor();
    });
    expect(await plantedElements(page)).toEqual([]);
    for (const base of ['javascript:base()//', 'data:text/html,<b data-planted>']) {
      await page.evaluate(
        `document.querySelector('prediction-market').setAttribute('base', ${JSON.stringify(base)})`,
      );
      expect(await page.locator('prediction-market iframe').getAttribute('src')).toBeNull();
    }
    expect(site.complaints).toEqual([]);
  });

  it('stays text on the pages of a wallet, and in its file', async () => {
    const page = await signedIn(site, trader, breakout('label'));
    await page.goto(`${site.base}/portfolio`);
    await page.locator('[data-history] tbody tr').first().waitFor();
    await expectTexts(page, [QUESTION]);
    await page.goto(`${site.base}/keys`);
    await expectTexts(page, [breakout('label')]);
    await page.goto(`${site.base}/creators`);
    await page.getByLabel('Question, answerable by yes or no').fill(QUESTION);
    await page.getByLabel('How it is resolved').fill(markdownAttack('criteria'));
    await page.getByLabel('Background (optional)').fill(markdownAttack('background'));
    const closes = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 16);
    await page.getByLabel('Trading closes (your time)').fill(closes);
    await page.getByRole('button', { name: 'See how it will look' }).click();
    await page.locator('[data-preview] .preview-question', { hasText: QUESTION }).waitFor();
    expect(await plantedElements(page)).toEqual([]);
    expect(site.complaints).toEqual([]);
    const other = await signedIn(site, rejected, 'of the rejected');
    await other.goto(`${site.base}/creators`);
    await expectTexts(other, [longAttack('reason')]);
    expect(site.complaints).toEqual([]);
  });

  it('stays text in the names and pictures of wallets that announce themselves', async () => {
    const page = await site.newPage();
    const infos = [
      {
        name: breakout('wallet'),
        rdns: breakout('rdns'),
        uuid: '1',
        icon: `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='icon()'/>`,
      },
      { name: 'Script', rdns: 'script', uuid: '2', icon: 'javascript:icon()' },
      { name: 'Outside', rdns: 'outside', uuid: '3', icon: 'https://example.com/icon.png' },
    ];
    await page.addInitScript(`addEventListener('eip6963:requestProvider', () => {
      for (const info of ${JSON.stringify(infos)})
        dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider: { request: async () => [] } } }));
    })`);
    await page.goto(site.base);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await expectTexts(page, [breakout('wallet'), 'Outside']);
    expect(site.complaints).toEqual([]);
  });

  it("stays text on the operators' pages", async () => {
    const page = await site.newPage();
    const views: [string, string[]][] = [
      ['/creators', [breakout('name'), longAttack('statement')]],
      ['/creators?status=rejected', [longAttack('reason')]],
      ['/markets', [QUESTION]],
      ['/money', []],
      ['/feeds', [longAttack('description'), longAttack('failure')]],
      [
        '/log',
        [breakout('operator'), longAttack('reference'), longAttack('treasury'), longAttack('note'), QUESTION],
      ],
    ];
    for (const [path, texts] of views) {
      await page.goto('about:blank');
      await page.goto(`${site.base}/operators${path}#token=${TOKEN}`);
      await page.locator('[data-view]').waitFor();
      await expectTexts(page, texts);
      const details = page.locator('[data-view] details:not([open]) > summary');
      for (let left = await details.count(); left > 0; left -= 1) await details.first().click();
      await expectTexts(page, path === '/markets' ? [longAttack('reasoning'), longAttack('quote')] : texts);
    }
    await page.getByLabel('Show').selectOption('account.deposit');
    await expectTexts(page, [longAttack('reference')]);
    expect(site.complaints).toEqual([]);
  });
});
