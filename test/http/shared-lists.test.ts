import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'supertest';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { serviceUnavailable } from '../../src/domain/errors';
import type { Reader, Storage } from '../../src/ports/storage';
import type { MarketListView, MarketView } from '../../src/views/market';
import { createGate, type Gate } from '../support/gate';
import { migratedSqliteFile, type SqliteFile } from '../support/sqlite-files';
import { until } from '../support/until';
import { API, createMarket, startService, wallet, type Service } from './support/service';

const trader = wallet(701);
const reader = wallet(702);
const LIST = `${API}/public/markets?sort=created_desc`;

let file: SqliteFile;
let service: Service;
let market: number;
let [traderKey, readerKey] = ['', ''];
/** While a gate is set, the storage returns a list only when the gate opens. */
let held: Gate | null;
let failure: Error | null;
let [begun, looked] = [0, 0];

function watched(storage: Storage): Storage {
  const watching = (inner: Reader): Reader => ({
    ...inner,
    apiKeys: {
      ...inner.apiKeys,
      findActiveByHashes(hashes) {
        looked += hashes.length;
        return inner.apiKeys.findActiveByHashes(hashes);
      },
    },
    markets: {
      ...inner.markets,
      async list(query) {
        const refusal = failure;
        const answer = await inner.markets.list(query);
        begun += 1;
        await held?.opened;
        if (refusal !== null) throw refusal;
        return answer;
      },
    },
  });
  return { ...storage, read: (work) => storage.read((inner) => work(watching(inner))) };
}

beforeEach(async () => {
  [held, failure, begun, looked] = [null, null, 0, 0];
  file = await migratedSqliteFile();
  service = await startService({ storage: watched(sqliteStorage({ file: file.file })) });
  market = await createMarket(service, trader);
  await service.fund(trader, 100);
  traderKey = await service.issueKey(trader);
  readerKey = await service.issueKey(reader);
});
afterEach(async () => {
  held?.open();
  await service.close();
  await file.remove();
});

const list = (key: string, path = LIST): Promise<Response> => service.call('get', path, { key });

const firstOf = (response: Response): MarketView | undefined => (response.body as MarketListView).markets[0];

const trade = (): Promise<Response> =>
  service.call('post', `${API}/public/markets/${market}/trade`, {
    key: traderKey,
    body: { side: 'YES', action: 'buy', amount: 10 },
  });

async function keep(): Promise<void> {
  for (let time = 0; time < 4; time += 1) expect((await list(traderKey)).status).toBe(200);
}

it('a shared list shows a trade to the trader, also while a list from before the trade is still in work', async () => {
  await keep();
  held = createGate();
  begun = 0;
  const early = list(readerKey);
  await until(() => begun === 1);
  expect((await trade()).status).toBe(201);
  const late = [list(traderKey), list(readerKey), list(traderKey)];
  held.open();
  expect(firstOf(await early)).toMatchObject({ volume: 0 });
  for (const response of await Promise.all(late)) {
    expect(firstOf(response)?.volume).toBeGreaterThan(9);
    expect(firstOf(response)?.yesPrice).toBeGreaterThan(0.5);
  }
});

it('a shared list shows each step of trades that go on, to the trader and to others', async () => {
  let volume = 0;
  for (let time = 0; time < 10; time += 1) {
    const others = [list(readerKey), list(readerKey)];
    expect((await trade()).status).toBe(201);
    const [own, other] = await Promise.all([list(traderKey), list(readerKey)]);
    expect(firstOf(own)?.volume).toBeGreaterThan(volume);
    expect(firstOf(other)?.volume).toBe(firstOf(own)?.volume);
    volume = firstOf(own)?.volume ?? NaN;
    await Promise.all(others);
  }
});

it('a shared list gives each of its requests the headers of its own key, and a key that was revoked meanwhile nothing', async () => {
  const revoked = wallet(703);
  const revokedKey = await service.issueKey(revoked);
  const narrowKey = await service.issueKey(wallet(704), { scopes: ['account:read'] });
  for (let time = 0; time < 3; time += 1) await list(readerKey);
  held = createGate();
  begun = 0;
  const early = list(traderKey);
  await until(() => begun === 1);
  const others = [list(traderKey), list(readerKey), list(narrowKey)];
  const { keys } = await service.pm.listKeys({ address: revoked.address });
  await service.pm.revokeKeyAsOperator({ id: keys[0]?.id ?? NaN });
  const late = list(revokedKey);
  held.open();
  const responses = await Promise.all([early, ...others, late]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 403, 401]);
  expect(responses.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual([
    '59',
    '58',
    '56',
    '59',
    '59',
  ]);
  expect(responses[2]?.text).toBe(responses[1]?.text);
});

it('a shared list fails for each request that shares it with an answer of its own, and for no later one', async () => {
  held = createGate();
  failure = serviceUnavailable('The storage is away');
  const failing = [list(traderKey), list(readerKey)];
  await until(() => begun > 0);
  failure = null;
  const later = list(readerKey);
  held.open();
  for (const response of await Promise.all(failing)) {
    expect([response.status, response.headers['retry-after']]).toEqual([503, expect.any(String)]);
    expect(response.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  }
  expect((await later).status).toBe(200);
});

it('a shared list comes also when the client that asked first has gone', async () => {
  const server = service.app.listen(0, '127.0.0.1');
  held = createGate();
  const early = list(readerKey);
  await until(() => begun === 1);
  looked = 0;
  const { port } = server.address() as AddressInfo;
  const gone = send({ port, host: '127.0.0.1', path: LIST, headers: { 'X-API-Key': traderKey } });
  gone.on('error', () => undefined).end();
  await until(() => looked === 1);
  const stays = list(readerKey);
  await until(() => looked === 2);
  gone.destroy();
  held.open();
  expect([(await early).status, (await stays).status]).toEqual([200, 200]);
  await new Promise((resolve) => server.close(resolve));
});

it('a shared list shows a market as resolving from its resolve date on, although nothing is written', async () => {
  await keep();
  const due = Date.parse(firstOf(await list(traderKey))?.resolveDate ?? '');
  const status = async (filter = ''): Promise<string | undefined> =>
    firstOf(await list(traderKey, `${LIST}${filter}`))?.status;
  await status('&status=open');
  expect(await status('&status=open')).toBe('open');
  service.clock.advance(due - service.clock.now() - 1);
  expect([await status(), await status('&status=open'), await status('&status=resolving')]).toEqual([
    'open',
    'open',
    undefined,
  ]);
  service.clock.advance(1);
  expect([await status(), await status('&status=open'), await status('&status=resolving')]).toEqual([
    'resolving',
    undefined,
    'resolving',
  ]);
  service.clock.advance(-1);
  expect([await status(), await status('&status=resolving')]).toEqual(['open', undefined]);
});
