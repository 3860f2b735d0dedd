import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { createApp, type Standalone } from '../../examples/standalone';
import { randomWallet } from '../support/random-wallet';

describe('the metrics of two instances on one database', () => {
  let folder: string;
  let instances: Standalone[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'metrics-'));
    const environment = { DATABASE_URL: `sqlite:${join(folder, 'markets.db')}`, LOG_LEVEL: 'silent' };
    instances = [createApp(environment), createApp(environment)];
    for (const { market } of instances) await market.start();
  });
  afterEach(async () => {
    for (const instance of instances) await instance.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function sum(series: string): Promise<number> {
    let total = 0;
    for (const { app } of instances) {
      const { text } = await request(app).get('/metrics');
      const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
      total += Number(line?.split(' ')[1] ?? 0);
    }
    return total;
  }

  it('add up to the facts, whichever instance wrote them', async () => {
    const [first, second] = instances.map(({ market }) => market);
    if (first === undefined || second === undefined) throw new Error('two instances were started');
    const { address } = randomWallet();
    await first.approveCreator({ address });
    await second.deposit({ address, amount: 100, reference: 'metrics' });
    const { id } = await first.createMarket({
      creator: address,
      question: 'Is this counted once?',
      resolutionCriteria: 'By the metrics.',
      resolveDate: new Date(Date.now() + 48 * 3_600_000).toISOString(),
      category: 'other',
    });
    const order = { wallet: address, market: id, side: 'YES', amount: 10, idempotencyKey: 'once' } as const;
    await first.placeTrade(order);
    await second.placeTrade(order);
    await second.placeTrade({ ...order, idempotencyKey: 'twice' });
    await expect(
      second.placeTrade({ ...order, amount: 1_000, idempotencyKey: 'too much' }),
    ).rejects.toThrow();
    await first.closeMarket({ market: id });
    for (const market of [first, second]) await market.runJobs();
    await second.resolveMarket({ market: id, outcome: 'YES' });
    for (const market of [first, second, first]) await market.runJobs();
    const { trades } = await first.listTrades({ market: id });
    const notional = trades.reduce((total, { shares, pricePerShare }) => total + shares * pricePerShare, 0);
    const [settled] = (await first.listWalletHistory({ wallet: address })).trades;
    expect(await sum('prediction_market_ready')).toBe(2);
    expect(await sum('prediction_market_trades_total{side="YES",action="buy"}')).toBe(2);
    expect(await sum('prediction_market_trade_volume_usd_total')).toBeCloseTo(notional, 3);
    expect(await sum('prediction_market_events_total{event="market.created"}')).toBe(1);
    expect(await sum('prediction_market_events_total{event="market.resolved"}')).toBe(1);
    expect(await sum('prediction_market_events_total{event="creator.updated"}')).toBe(1);
    expect(await sum('prediction_market_events_total{event="account.settlement"}')).toBe(1);
    // The manual oracle abstains. Only one of the instances has asked the oracle, so one round is counted.
    const round = 'prediction_market_oracle_rounds_total{finding="no-quorum",decision="again"}';
    expect(await sum(round)).toBe(1);
    expect(await sum('prediction_market_oracle_votes_total{voter="manual",outcome="UNKNOWN"}')).toBe(1);
    expect(await sum('prediction_market_payouts_usd_total')).toBeCloseTo(settled?.shares ?? NaN, 3);
  });
});

describe('a token of the metrics', () => {
  const METRICS_TOKEN = 'a-token-of-the-metrics';
  const ADMIN_TOKEN = 'a-token-of-the-operators';
  const { app } = createApp({
    DATABASE_URL: 'memory:',
    LOG_LEVEL: 'silent',
    METRICS_TOKEN,
    ADMIN_TOKEN,
  });
  const ask = (token?: string) => {
    const asked = request(app).get('/metrics');
    return token === undefined ? asked : asked.set('Authorization', `Bearer ${token}`);
  };

  it('is asked of every reader', async () => {
    const missing = await ask().expect(401);
    expect(missing.headers['www-authenticate']).toBe('Bearer realm="metrics"');
    expect(missing.body).toMatchObject({
      code: 'UNAUTHORIZED',
      error: expect.stringMatching(/^The metrics token/),
    });
    for (const wrong of [ADMIN_TOKEN, `${METRICS_TOKEN}x`]) await ask(wrong).expect(401);
    const { text } = await ask(METRICS_TOKEN).expect(200);
    expect(text).toContain('prediction_market_');
    // This app has not been started.
    expect(text).toMatch(/^prediction_market_ready 0$/m);
  });

  it("an operators' request with a wrong token is timed under its route", async () => {
    for (const path of ['treasury', 'markets/7/close', 'nothing-here'])
      await request(app).post(`/api/v2/admin/${path}`).set('Authorization', 'Bearer wrong').expect(401);
    await request(app).get('/api/v2/admin/treasury').expect(401);
    const { text } = await ask(METRICS_TOKEN);
    const counts = [...text.matchAll(/^http_request_duration_seconds_count\{(.*status="401")\} (\d+)$/gm)];
    expect(counts.map(([, labels]) => labels)).toEqual(
      expect.arrayContaining([
        'method="POST",route="/api/v2/admin/markets/:id/close",status="401"',
        'method="GET",route="/api/v2/admin/treasury",status="401"',
        // No route has this method or this path.
        'method="POST",route="unmatched",status="401"',
      ]),
    );
  });

  it('opens no other route', () =>
    request(app).get('/api/v2/admin/treasury').set('Authorization', `Bearer ${METRICS_TOKEN}`).expect(401));
});
