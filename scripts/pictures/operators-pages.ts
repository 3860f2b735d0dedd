/**
 * Pictures of the operators' pages: each view, its rows opened, and states that a server of play money does
 * not reach. For these states, the script changes the server's answers before the browser gets them.
 */
import type { Page } from 'playwright-core';
import { testWallet } from 'express-prediction-market/testing';
import { shoot } from './browser';
import { OPERATOR_TOKEN, type PictureServer } from './server';

const PAGES = ['', '/creators', '/markets', '/money', '/accounts', '/feeds', '/log'];
const MOST_OPENED = 6;

/** Takes pictures of all views. At the end, the page shows the overview. */
export async function shootOperators(page: Page, server: PictureServer, folder: string): Promise<void> {
  const open = async (path: string): Promise<void> => {
    await page.goto(`${server.base}/operators${path}`);
    await page.locator('[data-view]').waitFor();
  };
  await page.goto(`${server.base}/operators#token=${OPERATOR_TOKEN}`);
  await page.locator('[data-view]').waitFor();
  for (const path of PAGES) {
    await open(path);
    await shoot(page, folder, `operators${path.replace('/', '-')}`);
    await openDetails(page, folder, path);
  }
  await shootMoney(page, folder, open);
  await shootAccount(page, folder, open);
  await shootDecision(page, folder, open);
  await open('');
}

/** If the rows of a view have details that can be opened, opens some of them and takes one more picture. */
async function openDetails(page: Page, folder: string, path: string): Promise<void> {
  // Details inside other details, such as a round of votes, are open already.
  const details = page.locator('[data-view] summary:not(details details summary)');
  const count = await details.count();
  if (count === 0) return;
  for (let index = 0; index < Math.min(count, MOST_OPENED); index += 1) await details.nth(index).click();
  await shoot(page, folder, `operators${path.replace('/', '-')}-open`);
}

type Open = (path: string) => Promise<void>;

const PAYER = testWallet('payer for pictures').address;
const TIMES = { createdAt: '2026-11-21T12:00:00.000Z', updatedAt: '2026-11-21T12:04:00.000Z' };
const PAYMENTS = {
  payments: [
    {
      ...{ id: 7, status: 'submitted', operation: 'deposit', amount: 250, payer: PAYER, transaction: null },
      ...{ asset: `0x${'2'.repeat(40)}`, nonce: `0x${'3f'.repeat(32)}`, decision: null },
      reason: 'The facilitator did not answer in time.',
      ...TIMES,
    },
  ],
  ...{ limit: 20, offset: 0, hasMore: false },
};
const WITHDRAWALS = {
  withdrawals: [
    { id: 12, amount: 40, status: 'pending', address: PAYER, transaction: null, ...TIMES },
    { id: 13, amount: 1250.5, status: 'sent', address: PAYER, transaction: `0x${'5e'.repeat(32)}`, ...TIMES },
  ],
  hasMore: false,
};
const DIFFERENCES = [
  { kind: 'balance', subject: PAYER.toLowerCase(), stored: '250.000000', computed: '210.000000' },
  { kind: 'pool', subject: '3', stored: '1039.720771', computed: '1039.720770' },
];

async function shootMoney(page: Page, folder: string, open: Open): Promise<void> {
  await page.route('**/admin/payments?*', (route) => route.fulfill({ json: PAYMENTS }));
  await page.route('**/admin/withdrawals?*', (route) => route.fulfill({ json: WITHDRAWALS }));
  await page.route('**/admin/audit', async (route) => {
    const audit = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...audit, ok: false, differences: DIFFERENCES } });
  });
  await open('/money');
  await page.getByRole('button', { name: 'Check the books' }).click();
  await page.getByText('The books do not agree.').waitFor();
  await shoot(page, folder, 'operators-money-waits');
  await openDetails(page, folder, '/money');
  await page.unrouteAll({ behavior: 'wait' });
}

async function shootAccount(page: Page, folder: string, open: Open): Promise<void> {
  await open(`/accounts?address=${testWallet('sample trader 1').address}`);
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await shoot(page, folder, 'operators-accounts-found');
}

async function shootDecision(page: Page, folder: string, open: Open): Promise<void> {
  await page.route('**/admin/markets?*', async (route) => {
    const answer = (await (await route.fetch()).json()) as { markets: { progress: object }[] };
    for (const market of answer.markets)
      market.progress = { ...market.progress, status: 'escalated', nextAttemptAt: null, proposal: null };
    await route.fulfill({ json: answer });
  });
  await open('/markets');
  await page.getByText('Decide…').first().click();
  await page.getByLabel('Outcome').first().selectOption('YES');
  await page.getByLabel('Evidence and reason').first().fill('The harbour authority: departed at 07:31.');
  await shoot(page, folder, 'operators-markets-escalated');
  await page.getByRole('button', { name: 'Decide', exact: true }).first().click();
  await shoot(page, folder, 'operators-markets-decision');
  await page.unrouteAll({ behavior: 'wait' });
}
