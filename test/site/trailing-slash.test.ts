import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { createDocs, createSite } from 'express-prediction-market/site';
import { fakeDetail, fakeMarket } from './fake-market';

const market = fakeMarket([fakeDetail(1)]);
const ORIGIN = 'https://market.example';
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trailing-slash-'));
  await writeFile(join(folder, 'index.html'), 'first');
  await writeFile(join(folder, 'deploy.html'), 'deploy');
  await writeFile(join(folder, '404.html'), 'none');
  const app = express();
  app.use('/docs', createDocs({ folder, catchAll: true }));
  app.use('/shop', createSite(market, { catchAll: true }));
  app.use(createSite(market, { adminUrl: '/ops', playMoney: true, catchAll: true }));
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the status and the `Location`. A client such as `fetch` would change some of the tested addresses. */
async function answerTo(path: string, method = 'GET'): Promise<[number | undefined, string | undefined]> {
  const { port } = server.address() as AddressInfo;
  const sent = httpRequest({ host: '127.0.0.1', port, path, method, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return [response.statusCode, response.headers.location];
}

it.each([
  ['/operators/', '/operators'],
  ['/operators/money/', '/operators/money'],
  ['/portfolio/', '/portfolio'],
  ['/keys/', '/keys'],
  ['/creators/', '/creators'],
  ['/play-money/', '/play-money'],
  ['/categories/science/?sort=newest&q=a+b', '/categories/science?sort=newest&q=a+b'],
  ['/market/market-1/?range=1d', '/market/market-1?range=1d'],
  ['/shop/portfolio/', '/shop/portfolio'],
  ['/docs/deploy/?q=x', '/docs/deploy?q=x'],
  ['/docs/deploy.md?q=x', '/docs/deploy?q=x'],
])('%s is redirected to %s, where the page is', async (given, address) => {
  expect(await answerTo(given)).toEqual([301, address]);
  expect(await answerTo(given, 'HEAD')).toEqual([301, address]);
  expect(await answerTo(address)).toEqual([200, undefined]);
});

it.each([
  '//evil.example/',
  '///evil.example/',
  '/\\evil.example/',
  '//evil.example/portfolio/',
  '//portfolio/',
  '/%2F%2Fevil.example/',
  '/market//evil.example/',
  '/nowhere/',
  '/portfolio//',
  '/market/',
  '/categories/',
  '/operators/nothing/',
  '/shop/operators/',
  '/shop//evil.example/',
  '/docs//evil.example/',
  '/docs/404/',
  '/docs/404.md',
  '/docs/nothing.md',
  '/docs//evil.example/deploy.md',
  '/docs/nothing/',
])('%s is no page, and leads nowhere', async (path) => {
  expect(await answerTo(path)).toEqual([404, undefined]);
});

it.each(['/market/\\\\evil.example/', '/market/..\\\\evil.example/', '/categories/@evil.example/'])(
  '%s stays on the site',
  async (path) => {
    const [status, location = ''] = await answerTo(path);
    expect([status, new URL(location, ORIGIN).origin]).toEqual([301, ORIGIN]);
  },
);

it('the first pages keep their slash, and other methods are not redirected', async () => {
  for (const path of ['/', '/shop/', '/docs/']) expect(await answerTo(path)).toEqual([200, undefined]);
  for (const path of ['/portfolio/', '/docs/deploy/', '/docs/deploy.md'])
    expect(await answerTo(path, 'POST')).toEqual([404, undefined]);
});
