import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright-core';
import { clientDocuments } from '../../scripts/client-documents';
import type * as testing from '../../testing/index';
import type { TestMarket } from '../../testing/index';
import { ethereumProvider } from '../client/support/ethereum-provider';
import { FLAGS } from '../site/chromium';
import { freePort } from '../support/free-port';
import { describeWith } from '../support/optional';
import { openWorld, snippetsOf, type World } from './snippets';

const ORIGIN = 'https://app.example.com';
const snippets = snippetsOf('docs/recipes.md');
const begin = snippets.find(({ kind }) => kind === 'begin')?.code ?? '';
const middleware = snippets.find(({ code }) => code.includes('allowPages'))?.code ?? '';
const nginx = snippets.find(({ code }) => code.includes('add_header'))?.code ?? '';

/** The values that the code sets for a header. Texts that are joined by `+` count as one value. */
function valuesOf(code: string, header: string): string[] {
  const joined = code.replaceAll(/' \+\n\s*'/g, '');
  return [...joined.matchAll(new RegExp(`${header}'?:?\\s+['"]([^'"]+)['"]`, 'g'))].map(
    ([, value = '']) => value,
  );
}
const lowerCase = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());

describe('the recipe for CORS', () => {
  it('allows each header that the API takes, and exposes each header that it answers', async () => {
    const { callers } = await clientDocuments();
    const operations = Object.values(callers.paths).flatMap((path) => Object.values(path)) as {
      parameters?: { in: string; name: string }[];
      responses: Record<string, { headers?: Record<string, unknown> }>;
    }[];
    const taken = operations.flatMap(({ parameters = [] }) =>
      parameters.flatMap((parameter) => (parameter.in === 'header' ? [parameter.name] : [])),
    );
    const answered = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
    );
    const [allowed = ''] = valuesOf(middleware, 'Access-Control-Allow-Headers');
    const [exposed = ''] = valuesOf(middleware, 'Access-Control-Expose-Headers');
    expect(lowerCase(allowed.split(', '))).toEqual(
      expect.arrayContaining(lowerCase(['Content-Type', 'X-API-Key', ...taken])),
    );
    expect(lowerCase(exposed.split(', '))).toEqual(
      expect.arrayContaining(lowerCase(['X-Request-Id', ...answered])),
    );
  });

  it.each(['Access-Control-Allow-Methods', 'Access-Control-Allow-Headers', 'Access-Control-Expose-Headers'])(
    'gives %s the same value in the app as in nginx',
    (header) => {
      expect(valuesOf(nginx, header)).toEqual(valuesOf(middleware, header));
      expect(valuesOf(nginx, header)).toHaveLength(1);
    },
  );
});

const CLIENT = `
  import { createClient, fromEip1193 } from './src/client';
  const signer = fromEip1193({ request: ({ method, params }) => askWallet(method, params) });
  globalThis.use = async (baseUrl, body) => {
    const asked = [];
    const onAttempt = ({ remaining }) => asked.push(remaining);
    const client = createClient({ baseUrl, payWith: signer, onAttempt, retry: { attempts: 1 } });
    const firstEvent = async (options) => {
      const own = createClient({ baseUrl, apiKey: globalThis.apiKey, ...options });
      for await (const { type } of own.live(['account'])) return type;
    };
    const AsyncFunction = (async () => undefined).constructor;
    return new AsyncFunction('client', 'signer', 'asked', 'firstEvent', body)(client, signer, asked, firstEvent);
  };
`;

describeWith('chromium', 'the middleware of the recipe for CORS', (executablePath) => {
  let browser: Browser;
  let world: World;
  let folder: string;
  let market: TestMarket;
  let service: string;
  let script: string;
  const pageServers: Server[] = [];

  async function openPageServer(): Promise<string> {
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><title>App</title><script>${script}</script>`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    pageServers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  let listed: string;
  let other: string;
  beforeAll(async () => {
    const bundled = await build({
      stdin: { contents: CLIENT, resolveDir: process.cwd() },
      bundle: true,
      write: false,
      format: 'iife',
      logLevel: 'error',
    });
    script = bundled.outputFiles[0]?.text ?? '';
    listed = await openPageServer();
    other = await openPageServer();
    folder = mkdtempSync(join(tmpdir(), 'cors-'));
    const port = await freePort();
    service = `http://127.0.0.1:${port}`;
    world = openWorld({ port, folder, load });
    await world.run(`${begin}\n${middleware}`.replaceAll(ORIGIN, listed));
    browser = await chromium.launch({ executablePath, args: FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
    for (const server of pageServers) server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The market starts at the time of the browser, because the browser signs payments with its own clock. */
  function load(name: string): Record<string, unknown> {
    const loaded = jest.requireActual<Record<string, unknown>>(name);
    if (name !== 'express-prediction-market/testing') return loaded;
    const { createTestMarket } = loaded as unknown as typeof testing;
    return {
      ...loaded,
      createTestMarket: async () =>
        (market = (await createTestMarket({ startAt: Date.now(), keyRateLimit: 60 })) as TestMarket),
    };
  }

  async function openPage(origin: string): Promise<Page> {
    const page = await browser.newPage();
    await page.exposeFunction('askWallet', (method: string, params: unknown) =>
      ethereumProvider(market.wallet('ada')).request({ method, params }),
    );
    await page.goto(origin);
    return page;
  }

  const use = (page: Page, body: string): Promise<unknown> =>
    page.evaluate(`use(${JSON.stringify(service)}, ${JSON.stringify(body)})`);

  it('lets a page of the list trade, follow its account and pay, and read the headers of answers', async () => {
    const page = await openPage(listed);
    const traded = await use(
      page,
      `({ apiKey: globalThis.apiKey } = await client.connectWallet(signer));
       const idempotencyKey = 'order-1';
       const { side } = await client.trades.place(1, { side: 'YES', amount: 10 }, { idempotencyKey });
       const { receipt } = await client.paid.feed({ limit: 1 });
       return { side, remaining: asked[2], paid: receipt?.success };`,
    );
    expect(traded).toEqual({ side: 'YES', remaining: 59, paid: true });
    expect(await use(page, 'return firstEvent({})')).toBe('snapshot');
    expect(await use(page, 'return firstEvent({ WebSocket: null })')).toBe('snapshot');
  });

  it('lets a page that is not on the list pay, but neither read nor open a socket', async () => {
    const page = await openPage(other);
    expect(
      await use(page, 'return client.paid.feed({ limit: 1 }).then(({ answer }) => answer.markets.length)'),
    ).toBe(1);
    expect(
      await use(page, "client.useApiKey('pmk_any'); return client.markets.list().catch((e) => e.code)"),
    ).toBe('NETWORK_ERROR');
    const socket = `new Promise((resolve) => {
      const socket = new WebSocket(${JSON.stringify(service.replace('http', 'ws'))} + '/api/v2/ws');
      socket.onopen = () => resolve('open');
      socket.onclose = () => resolve('refused');
    })`;
    expect(await page.evaluate(socket)).toBe('refused');
  });
});
