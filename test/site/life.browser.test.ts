import type { Page } from 'playwright-core';
import { createGate } from '../support/gate';
import { describeWith } from '../support/optional';
import { modelServer, spoken, type ModelServer } from '../oracle/support/model-server';
import { attack, markdownAttack, plantedElements } from './hostile-texts';
import { showsStatus, showsWallet, siteInBrowser, statementOf } from './site-in-browser';

const TOKEN = 'token-of-this-life';
const HOUR = 3_600_000;
const QUESTION = attack('question');
const CRITERIA = markdownAttack('criteria');
const NO_ANSWER = /(net::ERR_|WebSocket connection to ).*\/api\/v2\/|net::ERR_.*\/site-data\//;

const VERDICT = {
  outcome: 'YES',
  probability: 0.98,
  confidence: 0.95,
  reasoning: attack('reasoning'),
  citations: [
    { url: 'javascript:citation()', title: 'No address of the web', quote: null, publishedAt: null },
    { url: 'https://example.com/report', title: attack('title'), quote: attack('quote'), publishedAt: null },
  ],
};

describeWith('chromium', 'the life of a market', (executablePath) => {
  const environment: Record<string, string> = {
    ADMIN_TOKEN: TOKEN,
    ORACLE_MODELS: 'judge-1,judge-2',
    CHALLENGE_PERIOD_MS: String(HOUR),
  };
  let hoursAhead = 0;
  const clock = { now: () => Date.now() + hoursAhead * HOUR };
  let judges: ModelServer;
  const judgesMayAnswer = createGate();
  beforeAll(async () => {
    judges = await modelServer();
    judges.respond(async (request) => {
      await judgesMayAnswer.opened;
      return spoken(request, JSON.stringify(VERDICT));
    });
    environment.ORACLE_BASE_URL = judges.baseUrl;
  });
  afterAll(() => judges.close());
  const site = siteInBrowser(executablePath, { environment, clock, storedIn: 'file' });
  let operator: Page;
  const received = new Map<Page, string[]>();

  async function newcomer(): Promise<Page> {
    const page = await site.newPage();
    const frames: string[] = [];
    received.set(page, frames);
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => frames.push(String(payload))),
    );
    await page.goto(site.base);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: 'Start with a throw-away wallet' }).click();
    await showsWallet(page, '$500.00');
    return page;
  }
  const push = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  const rows = (page: Page, count: number) =>
    page.locator(`#live-trades tbody tr:nth-child(${count})`).waitFor();
  const addressOf = async (page: Page): Promise<string> =>
    (await page.locator('[data-session-address]').textContent()) ?? '';

  async function operate(path: string): Promise<void> {
    // A change of the fragment alone would not load the page, so the browser leaves the page first.
    await operator.goto('about:blank');
    await operator.goto(`${site.base}/operators${path}#token=${TOKEN}`);
    await operator.locator('[data-view]').waitFor();
  }

  async function apply(page: Page, name: string): Promise<void> {
    await page.goto(`${site.base}/creators`);
    await see(page, 'has not applied yet');
    await page.getByLabel('Name shown on your markets').fill(attack(name));
    await page.getByLabel('What will you ask about?').fill(attack(`${name}Statement`));
    await push(page, 'Sign and apply');
    await see(page, 'is being reviewed');
    await operate('/creators');
    await see(operator, attack(name));
    await see(operator, attack(`${name}Statement`));
    expect(await plantedElements(operator)).toEqual([]);
  }

  async function openInForm(page: Page): Promise<string> {
    await page.getByLabel('Question, answerable by yes or no').fill(QUESTION);
    await page.getByLabel('How it is resolved').fill(CRITERIA);
    await page.getByLabel('Background (optional)').fill(markdownAttack('background'));
    const closes = new Date(clock.now() + 48 * HOUR).toISOString().slice(0, 16);
    await page.getByLabel('Trading closes (your time)').fill(closes);
    await push(page, 'Open the market');
    await page.getByRole('heading', { name: QUESTION }).waitFor();
    return new URL(page.url()).pathname;
  }

  async function order(page: Page, side: 'YES' | 'NO', amount: string): Promise<void> {
    await page.locator('.segment', { hasText: side === 'YES' ? /^YES/ : /^NO/ }).click();
    await page.locator('#ticket-amount').fill(amount);
    await see(page, `Paid if ${side}`);
  }
  async function buy(page: Page, side: 'YES' | 'NO', amount: string): Promise<void> {
    await order(page, side, amount);
    await push(page, `Buy ${side}`);
    await see(page, new RegExp(`^Bought [\\d.]+ ${side} for`));
  }

  async function moves(page: Page, work: () => Promise<void>): Promise<void> {
    const parts = [page.locator('.odd.yes strong'), page.locator('.chart-reading')];
    const before = await Promise.all(parts.map((part) => part.textContent()));
    await work();
    await Promise.all(parts.map((part, index) => part.filter({ hasNotText: before[index] ?? '' }).waitFor()));
  }

  /** Expects that the amounts in the CSV file add up to the balance of the portfolio. Returns the text of the file. */
  async function expectStatementAddsUp(page: Page): Promise<string> {
    await page.goto(`${site.base}/portfolio`);
    await page.locator('[data-history] tbody tr', { hasText: 'Paid out' }).first().waitFor();
    const { csv, micros } = await statementOf(page);
    const { balance } = await site.standalone.market.getBalance({ wallet: await addressOf(page) });
    expect(micros).toBe(Math.round(balance * 1e6));
    const shown = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(balance);
    await page.locator('[data-balance]', { hasText: shown }).waitFor();
    return csv;
  }

  it('goes from an empty server to a statement that adds up, live, through outages, with hostile texts', async () => {
    const ada = await newcomer();
    operator = await site.newPage();
    await apply(ada, 'ada');
    await push(operator, 'Approve');
    await see(operator, `${attack('ada')} is approved`);
    await ada.reload();
    await see(ada, 'is an approved creator');
    const market = await openInForm(ada);

    const ben = await newcomer();
    await ben.goto(site.base + market);
    for (const page of [ada, ben]) {
      await showsStatus(page, 'Live');
      await page.evaluate('window.loadedOnce = true');
    }
    await buy(ada, 'NO', '10');
    await rows(ben, 1);
    await ben.locator('[data-chart=ready]').waitFor();
    await moves(ben, () => buy(ada, 'NO', '20'));
    await rows(ben, 2);
    await ada.locator('[data-chart=ready]').waitFor();
    await moves(ada, () => buy(ben, 'YES', '50'));
    await rows(ada, 3);

    await site.excusing(NO_ANSWER, async () => {
      await ben.context().setOffline(true);
      await showsStatus(ben, 'Not live');
      await buy(ada, 'NO', '5');
      await ben.context().setOffline(false);
      await showsStatus(ben, 'Live');
      await rows(ben, 4);

      await ben.route('**/trade', async (route) => {
        await route.fetch();
        await site.stop();
        await route.abort();
      });
      await order(ben, 'YES', '25');
      await push(ben, 'Buy YES');
      await see(ben, 'It is not known yet whether this order was executed.');
      for (const page of [ada, ben]) await showsStatus(page, 'Not live');
      await ben.unroute('**/trade');
      await site.startAgain();
      for (const page of [ada, ben]) await showsStatus(page, 'Live');
      await push(ben, 'Send again: Buy YES');
      await see(ben, /^Bought [\d.]+ YES for \$25\.00/);
      await rows(ada, 5);
      await buy(ada, 'NO', '5');
    });
    await rows(ben, 6);
    await showsWallet(ada, '$460.');
    await showsWallet(ben, '$425.00');
    for (const page of [ada, ben]) expect(await page.evaluate('window.loadedOnce')).toBe(true);

    hoursAhead = 49;
    const loads = [ada, ben].map((page) => page.waitForEvent('load'));
    const jobs = site.standalone.market.runJobs();
    await Promise.all(loads);
    for (const page of [ada, ben]) {
      await showsStatus(page, 'Live');
      await page.evaluate('window.loadedOnce = true');
      received.get(page)?.splice(0);
    }
    judgesMayAnswer.open();
    await jobs;
    for (const page of [ada, ben]) {
      await see(page, 'It is carried out on');
      await see(page, attack('reasoning'));
      await page
        .getByRole('link', { name: attack('title') })
        .first()
        .waitFor();
      expect(await plantedElements(page)).toEqual([]);
      expect((received.get(page) ?? []).join('\n')).toContain('market.proposed');
      expect(await page.evaluate('window.loadedOnce')).toBe(true);
    }
    await operate('/markets?status=proposed');
    await see(operator, QUESTION);
    await operator.getByText('Votes, reasons and citations').click();
    await see(operator, attack('reasoning'));
    expect(await plantedElements(operator)).toEqual([]);
    hoursAhead = 51;
    await site.standalone.market.runJobs();
    for (const page of [ada, ben]) {
      await see(page, 'Resolved YES');
      await see(page, 'decided by the oracle');
      await see(page, attack('reasoning'));
    }

    const csv = await expectStatementAddsUp(ben);
    expect(csv).toContain(`'${QUESTION}`);
    expect(await expectStatementAddsUp(ada)).toContain('creator fees');
    expect(site.complaints).toEqual([]);
    expect((await site.standalone.market.audit()).ok).toBe(true);
  });
});
