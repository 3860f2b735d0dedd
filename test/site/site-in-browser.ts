import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import type { Wallet } from 'ethers';
import type { Clock, MarketDetailView } from 'express-prediction-market';
import { createApp, type Standalone } from '../../examples/standalone';
import { issueKeyTo } from '../support/sign-challenge';
import { migratedSqliteFile, type SqliteFile } from '../support/sqlite-files';
import { testBrowser, type TestBrowser } from './chromium';
import { randomAddress } from '../support/random-wallet';

export interface SiteSetUp {
  environment?: Record<string, string>;
  clock?: Clock;
  /** Data in memory are lost with `stop()`. Default: memory. */
  storedIn?: 'memory' | 'file';
  withTreasury?: boolean;
}

export interface SiteInBrowser extends TestBrowser {
  readonly base: string;
  readonly server: Server;
  readonly standalone: Standalone;
  stop(): Promise<void>;
  startAgain(): Promise<void>;
}

/** Registers hooks of Jest, so call this function inside a `describe`. */
export function siteInBrowser(executablePath: string, setUp: SiteSetUp = {}): SiteInBrowser {
  const { environment = {}, clock, storedIn = 'memory', withTreasury = true } = setUp;
  let file: SqliteFile | null = null;
  let server: Server;
  let standalone: Standalone;
  let base = '';

  async function start(port: number): Promise<void> {
    server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const variables = {
      DATABASE_URL: file === null ? 'memory:' : `sqlite:${file.file}`,
      LOG_LEVEL: 'silent',
      BASE_URL: base,
      ADDRESS_RATE_LIMIT: '1000',
      ...environment,
    };
    standalone = createApp(variables, clock === undefined ? {} : { clock });
    server.on('request', standalone.app);
    standalone.market.attachWebSocket(server);
    await (withTreasury ? standalone : standalone.market).start();
  }
  async function stop(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    await standalone.close();
    server.closeAllConnections();
    await closed;
  }

  beforeAll(async () => {
    if (storedIn === 'file') file = await migratedSqliteFile();
    await start(0);
  });
  const browser = testBrowser(executablePath, () => [base]);
  afterAll(async () => {
    await stop();
    await file?.remove();
  });

  return {
    ...browser,
    get base() {
      return base;
    },
    get server() {
      return server;
    },
    get standalone() {
      return standalone;
    },
    stop,
    startAgain: () => start(Number(new URL(base).port)),
  };
}

export async function openMarket(
  { standalone: { market } }: SiteInBrowser,
  question: string,
  fields: { resolutionCriteria?: string; description?: string } = {},
): Promise<MarketDetailView> {
  const creator = randomAddress();
  await market.approveCreator({ address: creator });
  const resolveDate = new Date(Date.now() + HOURS_48).toISOString();
  const asked = { creator, question, resolveDate, category: 'science' as const };
  return market.createMarket({ ...asked, resolutionCriteria: 'By looking.', ...fields });
}

export const HOURS_48 = 48 * 3_600_000;

export async function connect(page: Page, wallet: Wallet): Promise<void> {
  await page.getByRole('button', { name: 'Connect', exact: true }).first().click();
  await page.getByRole('button', { name: /^Sign with/ }).click();
  await page.locator('[data-session]', { hasText: wallet.address.slice(0, 6) }).waitFor();
}

export async function signedIn(site: SiteInBrowser, wallet: Wallet, label: string): Promise<Page> {
  const { apiKey } = await issueKeyTo(site.standalone.market, wallet, label);
  const page = await site.newPage();
  await page.goto(`${site.base}/play-money`);
  const stored = {
    'prediction-market.api-key': apiKey,
    'prediction-market.wallet': JSON.stringify({ kind: 'throw-away', address: wallet.address }),
    'prediction-market.throw-away-secret': wallet.privateKey,
  };
  await page.evaluate(`Object.assign(localStorage, ${JSON.stringify(stored)})`);
  return page;
}

export const showsStatus = (page: Page, text: string): Promise<void> =>
  page.locator('[data-live-status]', { hasText: text }).waitFor();

export const showsWallet = (page: Page, text: string): Promise<void> =>
  page.locator('[data-session]', { hasText: text }).waitFor();

export async function statementOf(page: Page): Promise<{ csv: string; micros: number }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Make a CSV file' }).click(),
  ]);
  const csv = await readFile(await download.path(), 'utf8');
  // A question may contain a comma, so the columns are counted from the end of the line.
  const amounts = csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.split(',').at(-3)));
  return { csv, micros: amounts.reduce((sum, amount) => sum + Math.round(amount * 1e6), 0) };
}

interface Typed {
  domain: object;
  types: Record<string, { name: string; type: string }[]>;
  message: Record<string, string>;
}

/** The page gets the interface of a browser wallet, whose signatures the test makes. */
export async function installWallet(page: Page, wallet: Wallet): Promise<void> {
  await page.exposeFunction('signForTest', (method: string, text: string) => {
    if (method === 'personal_sign')
      return wallet.signMessage(Buffer.from(text.slice(2), 'hex').toString('utf8'));
    const { domain, types, message } = JSON.parse(text) as Typed;
    const { EIP712Domain: _, ...named } = types;
    return wallet.signTypedData(domain, named, message);
  });
  await page.addInitScript((address: string) => {
    const scope = globalThis as unknown as {
      ethereum: object;
      signForTest(method: string, text: string): Promise<string>;
    };
    scope.ethereum = {
      request: ({ method, params = [] }: { method: string; params?: string[] }) => {
        if (method === 'personal_sign') return scope.signForTest(method, params[0] ?? '');
        if (method === 'eth_signTypedData_v4') return scope.signForTest(method, params[1] ?? '');
        return Promise.resolve([address]);
      },
    };
  }, wallet.address);
}
