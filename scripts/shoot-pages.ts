/**
 * Takes pictures of the pages of a standalone server with sample markets: `npm run shots [folder]`, by default into
 * .tmp/shots. With --docs it also makes the pictures of the documentation in docs/pictures again.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { testWallet } from 'express-prediction-market/testing';
import { issueKeyTo } from '../test/support/sign-challenge';
import { openBrowser, shoot, shootPart } from './pictures/browser';
import { shootDocuments } from './pictures/documents';
import { openSpecialMarkets, openStates } from './pictures/markets';
import { fillOperatorsLists } from './pictures/operators';
import { shootOperators } from './pictures/operators-pages';
import { startServer, type PictureServer } from './pictures/server';

const folder = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? '.tmp/shots';
const isForDocs = process.argv.includes('--docs');
const DOCS = 'docs/pictures';

async function slugOf(server: PictureServer, status: 'open' | 'resolved'): Promise<string> {
  const { markets } = await server.market.listMarkets({ status, sort: 'volume_desc', limit: 1 });
  const [first] = markets;
  if (first === undefined) throw new Error(`no market is ${status}`);
  return first.slug;
}

async function shootSignedOut(
  page: Page,
  server: PictureServer,
  special: Record<string, string>,
): Promise<void> {
  const pages: Record<string, string> = {
    list: '/',
    category: '/categories/science',
    'no-category': '/categories/weather',
    'no-match': '/?q=xylophone',
    market: `/market/${await slugOf(server, 'open')}`,
    'market-resolved': `/market/${await slugOf(server, 'resolved')}`,
    ...Object.fromEntries(
      Object.entries(special).map(([name, slug]) => [`market-${name}`, `/market/${slug}`]),
    ),
    portfolio: '/portfolio',
    create: '/creators',
    keys: '/keys',
    'play-money': '/play-money',
    operators: '/operators',
    'not-found': '/market/nowhere',
    embed: `/embed/market/${await slugOf(server, 'open')}`,
  };
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(server.base + path);
    await shoot(page, folder, `out-${name}`);
  }
  for (const name of ['list', 'market', 'market-arabic', 'portfolio'] as const) {
    await page.goto(`${server.base}${pages[name] ?? '/'}`);
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    await shoot(page, folder, `rtl-${name}`);
  }
}

/** Signs in with a throw-away wallet, which has 500 USD of play money, and trades. Returns its address. */
async function signIn(page: Page, { base, market }: PictureServer): Promise<string> {
  await page.goto(`${base}/portfolio`);
  await page.locator('[data-session]').click();
  await shoot(page, folder, 'out-connect');
  await page.getByRole('button', { name: 'Start with a throw-away wallet' }).click();
  await page.locator('[data-session]', { hasText: '$500.00' }).waitFor();
  await page.locator('[data-session]').click();
  const wallet = /0x[0-9a-fA-F]{40}/.exec((await page.locator('#connect').textContent()) ?? '')?.[0] ?? '';
  const { markets } = await market.listMarkets({ status: 'open', sort: 'volume_desc', limit: 3 });
  for (const [index, { id }] of markets.entries()) {
    const order = { wallet, market: id } as const;
    await market.placeTrade({ ...order, side: index === 1 ? 'NO' : 'YES', amount: 40 + 20 * index });
    if (index === 0) await market.placeTrade({ ...order, side: 'YES', action: 'sell', shares: 20 });
  }
  return wallet;
}

async function shootSignedIn(page: Page, server: PictureServer): Promise<void> {
  const wallet = await signIn(page, server);
  const open = await slugOf(server, 'open');
  await page.goto(`${server.base}/market/${open}`);
  await page.locator('#ticket-amount').fill('25');
  await shoot(page, folder, 'in-market');
  if (isForDocs) await shootPart(page, join(DOCS, 'market.png'), { width: 1280, height: 860 });
  await page.goto(`${server.base}/creators`);
  await shoot(page, folder, 'in-create-apply');
  await server.market.approveCreator({ address: wallet });
  for (const name of ['creators', 'keys', 'play-money']) {
    await page.goto(`${server.base}/${name}`);
    await shoot(page, folder, `in-${name}`);
  }
  if (!isForDocs) return;
  await page.goto(server.base);
  await shootPart(page, join(DOCS, 'list.png'), { width: 1280, height: 860 });
}

async function shootPortfolio(page: Page, server: PictureServer): Promise<void> {
  const trader = testWallet('sample trader 1');
  const { apiKey } = await issueKeyTo(server.market, trader);
  const stored = {
    'prediction-market.api-key': apiKey,
    'prediction-market.wallet': JSON.stringify({ kind: 'throw-away', address: trader.address }),
    'prediction-market.throw-away-secret': trader.privateKey,
  };
  await page.evaluate(`Object.assign(localStorage, ${JSON.stringify(stored)})`);
  await page.goto(`${server.base}/portfolio`);
  await page.locator('[data-positions] tbody tr').first().waitFor();
  await shoot(page, folder, 'in-portfolio');
  if (isForDocs) await shootPart(page, join(DOCS, 'portfolio.png'), { width: 1280, height: 860 });
}

await mkdir(folder, { recursive: true });
const server = await startServer();
const browser = await openBrowser();
try {
  const page = await browser.newPage({ colorScheme: 'light' });
  page.setDefaultTimeout(10_000);
  const special = { ...(await openSpecialMarkets(server.market)), ...(await openStates(server.market)) };
  await shootSignedOut(page, server, special);
  await shootSignedIn(page, server);
  await shootPortfolio(page, server);
  await fillOperatorsLists(server.market);
  await shootOperators(page, server, folder);
  if (isForDocs) await shootPart(page, join(DOCS, 'operators.png'), { width: 1280, height: 860 });
  await shootDocuments(page, server, folder);
} finally {
  await browser.close();
  await server.close();
}
