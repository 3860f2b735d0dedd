import type { Response } from 'supertest';
import type { MarketListView } from '../../src/views/market';
import { API, createMarket, marketBody, START, startService, wallet, type Service } from './support/service';

const creator = wallet(201);
const trader = wallet(202);
const PUBLIC = `${API}/public`;

let service: Service;
let key: string;
let market: number;

beforeEach(async () => {
  service = await startService();
  market = await createMarket(service, creator);
  await service.fund(trader, 100);
  key = await service.issueKey(trader);
});
afterEach(() => service.close());

function get(path: string): Promise<Response> {
  return service.call('get', PUBLIC + path, { key });
}

function trade(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return service.call('post', `${PUBLIC}/markets/${String(market)}/trade`, { key, body, headers });
}

describe('markets', () => {
  it('are created by approved creators only', async () => {
    const body = marketBody(service);
    const refused = await service.call('post', `${PUBLIC}/markets`, { key, body });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 'INSUFFICIENT_PERMISSIONS' });
    await service.approve(trader);
    const created = await service.call('post', `${PUBLIC}/markets`, {
      key,
      body: { ...body, description: 'Any *rain*.' },
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      status: 'open',
      yesPrice: 0.5,
      noPrice: 0.5,
      volume: 0,
      liquidity: 0,
      resolution: null,
      creator: { address: trader.address, displayName: null },
      createdAt: new Date(START).toISOString(),
    });
  });

  it('are found by words of their questions, or the beginnings of words', async () => {
    await createMarket(service, creator, { question: 'Will Köln win the cup?', category: 'sports' });
    const found = async (query: string) => {
      const { markets, total } = (await get(`/markets?${query}`)).body as MarketListView;
      return [markets.map(({ id }) => id), total];
    };
    expect(await found('q=KOLN%20wi')).toEqual([[2], 1]);
    expect(await found('q=will&sort=created_desc&limit=1')).toEqual([[2], 2]);
    expect(await found('q=will&category=science')).toEqual([[market], 1]);
    expect(await found('q=will&status=resolved')).toEqual([[], 0]);
    expect(await found('q=rain%20cup')).toEqual([[], 0]);
    expect((await service.pm.listMarkets({ q: 'lisbon' })).markets.map(({ id }) => id)).toEqual([market]);
  });

  it.each(['', '%20', '%3F%21', 'a'.repeat(201), 'a%20b%20c%20d%20e%20f%20g%20h%20i'])(
    'are not searched by %j: a 400 about q',
    async (q) => {
      const answer = await get(`/markets?q=${q}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ errors: [{ field: 'q' }] });
    },
  );

  it('are found by id, ticker and slug', async () => {
    const byId = await get(`/markets/${String(market)}`);
    expect(byId.status).toBe(200);
    const { tickerId, slug } = byId.body as { tickerId: string; slug: string };
    for (const reference of [tickerId, tickerId.toLowerCase(), slug]) {
      expect((await get(`/markets/${reference}`)).body).toEqual(byId.body);
    }
  });

  it.each([
    '999',
    'no-such-slug',
    '0',
    '-1',
    '01',
    '1e0',
    '%00',
    '%F0%9F%8E%B2',
    '99999999999999999999',
    'PM-1',
    '..%2f..',
  ])('that do not exist are a 404: %s', async (reference) => {
    const tails = ['', '/trades', '/price', '/history'];
    for (const tail of tails) {
      const response = await get(`/markets/${reference}${tail}`);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ code: 'MARKET_NOT_FOUND' });
    }
  });

  it('are listed with total, effective limit and offset', async () => {
    const response = await get('/markets?limit=500&status=open&category=SCIENCE&sort=created_desc&what=ever');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ total: 1, limit: 100, offset: 0, markets: [{ id: market }] });
    expect((await get('/markets?category=nonsense')).body).toMatchObject({
      total: 0,
      markets: [],
      limit: 20,
    });
  });

  it('are listed by each status that a market can show', async () => {
    const statuses = ['open', 'resolving', 'resolved'];
    const listed = (): Promise<unknown[]> =>
      Promise.all(
        statuses.map(async (status) => {
          const { markets = [], total } = (await get(`/markets?status=${status}`)).body as MarketListView;
          return [total, ...markets.map((one) => [one.id, one.status])];
        }),
      );
    expect(await listed()).toEqual([[1, [market, 'open']], [0], [0]]);
    await service.pm.closeMarket({ market });
    expect(await listed()).toEqual([[0], [1, [market, 'resolving']], [0]]);
    await service.pm.resolveMarket({ market, outcome: 'NO' });
    expect(await listed()).toEqual([[0], [0], [1, [market, 'resolved']]]);
  });
});

describe('trades', () => {
  it('move the price and are listed', async () => {
    const bought = await trade({ side: 'YES', amount: 10, maxPrice: 0.6, minShares: 15 });
    expect(bought.status).toBe(201);
    expect(bought.body).toMatchObject({
      marketId: market,
      side: 'YES',
      action: 'buy',
      traderAddress: trader.address,
    });
    const { yesPrice, shares } = bought.body as { yesPrice: number; shares: number };
    expect(yesPrice).toBeGreaterThan(0.5);
    expect((await get(`/markets/${String(market)}`)).body).toMatchObject({ yesPrice });
    const sold = await trade({ side: 'YES', action: 'sell', shares: 'all', minPrice: 0.4 });
    expect(sold.status).toBe(201);
    expect(sold.body).toMatchObject({ shares, action: 'sell', position: { shares: 0 } });
    const listed = await get(`/markets/${String(market)}/trades?limit=1&side=YES`);
    expect(listed.body).toMatchObject({ total: 2, limit: 1, offset: 0, trades: [{ action: 'sell' }] });
    const { trades } = listed.body as { trades: { traderAddress: string }[] };
    expect(trades[0]?.traderAddress).toMatch(/^0x[0-9A-Fa-f]{4}\.\.\.[0-9A-Fa-f]{4}$/);
  });

  it('are answered as the first time when a request repeats an idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'order-1' };
    const body = { side: 'NO', shares: 3 };
    const first = await trade(body, headers);
    expect(first.status).toBe(201);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    const second = await trade(body, headers);
    expect(second.status).toBe(201);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
    const other = await trade({ side: 'NO', shares: 4 }, headers);
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  it.each(['', ' ', 'é', 'x'.repeat(129), 'a\tb'])(
    'are refused under the idempotency key %j',
    async (idempotencyKey) => {
      const response = await trade({ side: 'NO', shares: 3 }, { 'Idempotency-Key': idempotencyKey });
      expect([response.status, response.body]).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
    },
  );

  it('are refused with the code of their reason', async () => {
    expect((await trade({ side: 'YES', amount: 1000 })).body).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    expect((await trade({ side: 'YES', action: 'sell', shares: 1 })).body).toMatchObject({
      code: 'INSUFFICIENT_SHARES',
    });
    expect((await trade({ side: 'YES', amount: 10, maxPrice: 0.5 })).body).toMatchObject({
      code: 'SLIPPAGE_EXCEEDED',
    });
    await service.fund(trader, 1_000_000);
    expect((await trade({ side: 'YES', amount: 100_000 })).body).toMatchObject({ code: 'PRICE_LIMIT' });
    service.clock.advance(86_400_000);
    expect((await trade({ side: 'YES', amount: 1 })).body).toMatchObject({ code: 'MARKET_CLOSED' });
  });

  it('are quoted', async () => {
    const base = `/markets/${String(market)}/price`;
    expect((await get(base)).body).toMatchObject({
      marketId: market,
      yesPrice: 0.5,
      liquidity: 0,
      quote: null,
    });
    const quoted = await get(`${base}?side=YES&action=buy&amount=10`);
    expect(quoted.status).toBe(200);
    expect(quoted.body).toMatchObject({ quote: { side: 'YES', action: 'buy' } });
    expect((await get(`${base}?side=NO&shares=5`)).body).toMatchObject({ quote: { side: 'NO', shares: 5 } });
    expect((await get(`${base}?side=YES&amount=1000000`)).body).toMatchObject({ code: 'PRICE_LIMIT' });
  });

  it('make candles', async () => {
    await trade({ side: 'YES', amount: 10 });
    const response = await get(`/markets/${String(market)}/history?interval=1m`);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      marketId: market,
      interval: '1m',
      candles: [{ open: 0.5, trades: 1 }],
    });
  });
});

describe('a wallet', () => {
  beforeEach(async () => {
    await trade({ side: 'YES', shares: 20 });
  });

  it('sees its positions, its history and its balance', async () => {
    const positions = await get('/positions?status=open');
    expect(positions.status).toBe(200);
    expect(positions.body).toMatchObject({
      total: 1,
      positions: [{ marketId: market, shares: 20, maxPayout: 20 }],
    });
    expect((await get('/positions?status=closed')).body).toMatchObject({ total: 0 });
    const history = await get('/positions/history');
    expect(history.body).toMatchObject({
      total: 1,
      trades: [{ type: 'trade', traderAddress: trader.address }],
    });
    const balance = await get('/balance');
    expect(balance.body).toMatchObject({ address: trader.address, currency: 'USDC', reserved: 0 });
    const { available, balance: whole } = balance.body as { available: number; balance: number };
    expect(available).toBe(whole);
    expect(whole).toBeLessThan(100);
  });

  it('sees its limits, and reading them counts', async () => {
    const first = await get('/limits');
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      limit: 60,
      remaining: 58,
      resetAt: new Date(START + 60_000).toISOString(),
      scopes: ['markets:read', 'markets:create', 'trades:create', 'account:read', 'account:withdraw'],
    });
    expect((await get('/limits')).body).toMatchObject({ remaining: 57 });
  });
});

describe('scopes', () => {
  it.each([
    ['get', '/markets', 'markets:read'],
    ['get', '/markets/1', 'markets:read'],
    ['get', '/markets/1/trades', 'markets:read'],
    ['get', '/markets/1/price', 'markets:read'],
    ['get', '/markets/1/history', 'markets:read'],
    ['post', '/markets', 'markets:create'],
    ['post', '/markets/1/trade', 'trades:create'],
    ['get', '/positions', 'account:read'],
    ['get', '/positions/history', 'account:read'],
    ['get', '/balance', 'account:read'],
  ])('%s %s needs %s', async (method, path, scope) => {
    const weak = await service.issueKey(wallet(203), { scopes: ['account:withdraw'] });
    const response = await service.call(method, PUBLIC + path, { key: weak });
    expect(response.status).toBe(403);
    const message = `This API key lacks required scope: ${scope}`;
    expect(response.body).toEqual({ error: message, code: 'INSUFFICIENT_SCOPE', message });
    expect((await service.call('get', `${PUBLIC}/limits`, { key: weak })).status).toBe(200);
  });
});
