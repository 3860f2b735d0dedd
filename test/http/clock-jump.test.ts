import express, { type Express } from 'express';
import request from 'supertest';
import { pay, type PaymentRequired } from '../x402/support/payer';
import { createTestMarket, testClock, type TestMarket } from '../../testing';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1_000;

describe('an instance whose clock has jumped', () => {
  let elapsed: number;
  let test: TestMarket;
  let app: Express;
  let apiKey: string;
  const pass = (milliseconds: number): void => {
    test.clock.advance(milliseconds);
    elapsed += milliseconds;
  };

  beforeEach(async () => {
    elapsed = 0;
    test = await createTestMarket({ clock: Object.assign(testClock(), { monotonic: () => elapsed }) });
    const trader = test.wallet('trader');
    await test.fund(trader, 1_000);
    await test.createMarket();
    apiKey = await test.apiKey(trader);
    app = express().use(test.pm.router).use('/ops', test.pm.adminRouter);
  });
  afterEach(() => test.close());

  const trade = () =>
    request(app)
      .post('/api/v2/public/markets/1/trade')
      .set('X-API-Key', apiKey)
      .send({ side: 'YES', amount: 1 });
  const tradeTimes = async () =>
    (await test.pm.listTrades({ market: 1 })).trades.map(({ createdAt }) => Date.parse(createdAt)).reverse();
  const newMarket = () => ({
    question: 'Will this market be opened?',
    resolutionCriteria: 'It is open.',
    resolveDate: new Date(test.clock.now() + 48 * HOUR).toISOString(),
    category: 'other' as const,
  });

  it("refuses trades, new markets and operators' decisions until its next look finds the clock set right", async () => {
    pass(SECOND);
    expect((await trade()).status).toBe(201);
    const started = test.clock.now();
    test.clock.advance(HOUR);
    const refused = await trade();
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '5',
    ]);
    const creator = test.wallet('creator').address;
    await expect(test.pm.createMarket({ ...newMarket(), creator })).rejects.toMatchObject({ status: 503 });
    expect((await request(app).post('/ops/markets/1/close')).status).toBe(503);
    const decision = { outcome: 'YES' };
    expect((await request(app).post('/ops/markets/1/resolve').send(decision)).status).toBe(503);
    test.clock.advance(-HOUR);
    pass(4 * SECOND);
    expect((await trade()).status).toBe(503);
    pass(5 * SECOND);
    expect((await trade()).status).toBe(201);
    expect(await tradeTimes()).toEqual([started, started + 9 * SECOND]);
    expect((await test.pm.getMarket(1)).status).toBe('open');
    expect((await test.pm.audit()).ok).toBe(true);
  });

  it('trades again when the clock has stayed where it is', async () => {
    test.clock.advance(HOUR);
    expect((await trade()).status).toBe(503);
    pass(5 * SECOND);
    expect((await trade()).status).toBe(201);
    expect(await tradeTimes()).toEqual([test.clock.now()]);
  });

  it('charges nothing for a market that it would refuse', async () => {
    const payer = test.wallet('payer');
    await test.approveCreator(payer);
    const buy = (headers: Record<string, string>) =>
      request(app).post('/api/v2/x402/markets').set(headers).send(newMarket());
    const challenge = (await buy({})).body as PaymentRequired;
    const payment = await pay(payer, challenge, { now: test.clock.now() });
    test.clock.advance(2 * MINUTE);
    const refused = await buy(payment);
    expect([refused.status, refused.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(test.facilitator.calls).toEqual([]);
    test.clock.advance(-2 * MINUTE);
    await buy(payment);
    pass(5 * SECOND);
    expect((await buy(payment)).status).toBe(201);
  });

  it('shows markets, prices and balances meanwhile', async () => {
    test.clock.advance(HOUR);
    await trade();
    for (const path of ['/markets/1', '/markets/1/price', '/balance']) {
      const { status } = await request(app).get(`/api/v2/public${path}`).set('X-API-Key', apiKey);
      expect([path, status]).toEqual([path, 200]);
    }
  });
});
