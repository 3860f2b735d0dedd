import {
  createClient,
  fromEthers,
  isPredictionMarketApiError,
  type PredictionMarketClient,
} from '../../src/client/index';
import { ADMIN_TOKEN, serveMarket, type ServedMarket } from './support/server';

let served: ServedMarket;
let operator: PredictionMarketClient;
beforeAll(async () => {
  served = await serveMarket({ keyRateLimit: 10_000, addressRateLimit: 10_000 });
  operator = createClient({ baseUrl: served.url, adminToken: ADMIN_TOKEN });
});
afterAll(() => served.close());

async function collect<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const collected: Row[] = [];
  for await (const row of rows) collected.push(row);
  return collected;
}

async function connected(name: string): Promise<{ client: PredictionMarketClient; address: string }> {
  const client = createClient({ baseUrl: served.url });
  const wallet = served.test.wallet(name);
  await client.connectWallet(fromEthers(wallet), { label: name });
  return { client, address: wallet.address };
}

it('the client takes a market from the application of its creator to the withdrawal of the winnings', async () => {
  const { test } = served;
  const creator = await connected('creator');
  const applied = await creator.client.creators.apply(fromEthers(test.wallet('creator')), {
    displayName: 'Weather office',
  });
  expect(applied.status).toBe('pending');
  await operator.admin.creators.approve(creator.address);
  await operator.admin.treasury.deposit({ amount: 1_000, reference: 'capital' });
  const market = await creator.client.markets.create({
    question: 'Will it rain in Lisbon tomorrow?',
    resolutionCriteria: 'YES if any rain is measured.',
    resolveDate: new Date(test.clock.now() + 86_400_000).toISOString(),
    category: 'science',
  });

  const { client, address } = await connected('trader');
  await operator.admin.accounts.deposit(address, { amount: 100, reference: 'transfer 1' });
  const { quote } = await client.markets.price(market.slug, { side: 'YES', amount: 10 });
  const bought = await client.trades.place(market.tickerId, { side: 'YES', amount: 10, maxPrice: 0.6 });
  expect(bought.shares).toBe(quote?.shares);
  const sold = await client.trades.place(market.id, { side: 'YES', action: 'sell', shares: 5 });
  expect((await collect(client.trades.all(market.id))).map(({ id }) => id)).toEqual([sold.id, bought.id]);
  expect(await collect(client.account.allPositions())).toMatchObject([{ marketId: market.id, side: 'YES' }]);

  test.clock.advance(86_400_000);
  await expect(client.trades.place(market.id, { side: 'YES', amount: 1 })).rejects.toMatchObject({
    code: 'MARKET_CLOSED',
    status: 409,
    outcome: 'refused',
  });
  await operator.admin.markets.resolve(market.id, { outcome: 'YES', note: 'It rained.' });
  expect(await client.markets.resolution(market.id)).toMatchObject({ outcome: 'YES', method: 'operator' });
  const history = await collect(client.account.allHistory());
  expect(history.map(({ type }) => type)).toEqual(['settlement', 'trade', 'trade']);
  const { available } = await client.account.balance();
  expect(available).toBeCloseTo(100 - bought.totalCost + sold.totalCost + bought.shares - 5, 6);

  const withdrawal = await client.withdrawals.request(50);
  await test.runJobs();
  expect(await client.withdrawals.get(withdrawal.id)).toMatchObject({ amount: 50, status: 'confirmed' });
  expect(await collect(client.withdrawals.all())).toHaveLength(1);
  expect((await operator.admin.audit()).ok).toBe(true);
});

it('the client walks through all markets and candles while new ones come', async () => {
  const { test } = served;
  const { client, address } = await connected('walker');
  await test.fund({ address }, 1_000);
  const made: number[] = [];
  for (let count = 0; count < 105; count += 1)
    made.push((await test.createMarket({ category: 'sports' })).id);
  const seen: number[] = [];
  for await (const { id } of client.markets.all({ category: 'sports', sort: 'created_desc' })) {
    // The new market shifts older markets to later places in the list that the loop is reading.
    if (seen.length === 50) await test.createMarket({ category: 'sports' });
    seen.push(id);
  }
  expect(seen).toEqual(made.reverse());

  const market = seen[0] ?? 0;
  for (let minute = 0; minute < 3; minute += 1) {
    await client.trades.place(market, { side: 'NO', amount: 1 });
    test.clock.advance(400 * 60_000);
  }
  const candles = await collect(client.markets.allCandles(market, { interval: '1m' }));
  expect(candles).toHaveLength(1201);
  expect(new Set(candles.map(({ time }) => time)).size).toBe(1201);
  expect(candles.reduce((sum, { trades }) => sum + trades, 0)).toBe(3);
  const endTime = candles[700]?.time ?? '';
  const startTime = candles[10]?.time ?? '';
  expect(await collect(client.markets.allCandles(market, { interval: '1m', startTime, endTime }))).toEqual(
    candles.slice(10, 700),
  );
});

it('the client replaces the key of the same label, and forgets a key', async () => {
  const signer = fromEthers(served.test.wallet('restarting bot'));
  const { address } = served.test.wallet('restarting bot');
  for (let start = 0; start < 7; start += 1) {
    const client = createClient({ baseUrl: served.url });
    await client.connectWallet(signer, { label: 'bot', replace: true });
    expect((await client.account.balance()).address).toBe(address);
    expect(await client.keys.list(address)).toHaveLength(1);
    client.useApiKey(null);
    const refused = client.account.balance();
    await expect(refused).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
    await expect(refused).rejects.toThrow(/\(call connectWallet first\)$/);
  }
});

it('the client says what is wrong with a request', async () => {
  const { client } = await connected('careless');
  const error: unknown = await client.trades
    .place(1, { side: 'YES', amount: 0.1 + 0.2 })
    .catch((reason: unknown) => reason);
  if (!isPredictionMarketApiError(error)) throw error;
  expect(error.errors).toEqual([{ field: 'amount', message: expect.stringContaining('6 decimals') }]);
  expect(error).toMatchObject({ code: 'VALIDATION_ERROR', attempts: 1, path: '/public/markets/1/trade' });
  await expect(client.markets.get('..')).rejects.toThrow('must not be ".."');
  await expect(client.admin.treasury.get()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

it('the client asks once whether the service is ready', async () => {
  expect(await operator.health()).toEqual({ status: 'ok' });
  expect(await operator.ready()).toMatchObject({ status: 'ready' });
});
