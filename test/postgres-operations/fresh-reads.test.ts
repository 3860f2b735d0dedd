import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { PredictionMarket } from 'express-prediction-market';
import { testWallet } from 'express-prediction-market/testing';
import { prepareMarkets } from '../crash/prepare';
import { CRASH_WALLETS } from '../crash/wallets';
import { describeWith } from '../support/optional';
import { freshDatabase, startPostgres, type PostgresServer } from '../support/postgres';
import { issueKeyTo, signChallenge } from '../support/sign-challenge';
import { marketOn } from './support/books';
import { keyHolders } from './support/clients';

const REVOCATIONS = 1_000;
const TRADES = 500;
const WALLETS = 10;

interface Served {
  pm: PredictionMarket;
  server: Server;
  base: string;
}

async function serve(url: string): Promise<Served> {
  const pm = marketOn(url);
  await pm.start();
  const server = createServer(express().use(pm.router));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { pm, server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2/public` };
}

async function get(base: string, path: string, apiKey: string) {
  const response = await fetch(`${base}${path}`, { headers: { 'X-API-Key': apiKey } });
  return {
    status: response.status,
    body: (await response.json()) as { yesPrice?: number; balance?: number; code?: string },
  };
}

describeWith('postgres', 'two instances on one Postgres', () => {
  let postgres: PostgresServer;
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let here: Served;
  let there: Served;

  beforeAll(async () => {
    postgres = await startPostgres();
    database = await freshDatabase(postgres.url);
    [here, there] = await Promise.all([serve(database.url), serve(database.url)]);
  });
  afterAll(async () => {
    for (const { server, pm } of [here, there]) {
      server.closeAllConnections();
      server.close();
      await pm.close();
    }
    await database.drop();
    await postgres.stop();
  });

  async function revokeOnce(wallet: ReturnType<typeof testWallet>): Promise<number> {
    const { id, apiKey } = await issueKeyTo(here.pm, wallet);
    const order = await signChallenge(wallet, (address) =>
      here.pm.issueChallenge({ address, action: 'revoke', keyId: id }),
    );
    expect((await get(there.base, '/balance', apiKey)).status).toBe(200);
    const inUse = get(there.base, '/balance', apiKey);
    await here.pm.revokeKey({ ...order, id });
    const { status } = await get(there.base, '/balance', apiKey);
    // The revocation may come before or after this request.
    const raced = await inUse;
    expect(raced).toMatchObject(
      raced.status === 200 ? { body: { balance: 0 } } : { status: 401, body: { code: 'UNAUTHORIZED' } },
    );
    return status;
  }

  it(`refuse a key that the other has revoked, ${REVOCATIONS} times of ${REVOCATIONS}`, async () => {
    const statuses: number[] = [];
    await Promise.all(
      Array.from({ length: WALLETS }, async (_, index) => {
        const wallet = testWallet(`revoked ${index}`);
        for (let count = 0; count < REVOCATIONS / WALLETS; count += 1) {
          statuses.push(await revokeOnce(wallet));
        }
      }),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(REVOCATIONS);
  }, 120_000);

  it(`show a trade that the other has answered, ${TRADES} times of ${TRADES}`, async () => {
    const [holder] = await keyHolders(here.pm, ['trader']);
    if (holder === undefined) throw new Error('no key');
    const [market = NaN] = await prepareMarkets(here.pm, [holder.address, ...CRASH_WALLETS]);
    let stale = 0;
    for (let count = 0; count < TRADES; count += 1) {
      const [trading, reading] = count % 2 === 0 ? [here, there] : [there, here];
      const side = count % 4 < 2 ? 'YES' : 'NO';
      const trade = await trading.pm.placeTrade({ wallet: holder.address, market, side, amount: 1 });
      const { body } = await get(reading.base, `/markets/${market}/price`, holder.apiKey);
      if (body.yesPrice !== trade.yesPrice) stale += 1;
    }
    expect(stale).toBe(0);
  }, 120_000);
});
