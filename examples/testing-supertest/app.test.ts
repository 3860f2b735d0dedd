/**
 * Tests a host with Jest and supertest. A test can move the market's clock and choose the oracle's answers. The money
 * is play money.
 */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { api, createTestMarket, type TestMarket } from 'express-prediction-market/testing';
import request from 'supertest';
import { createApp } from './app.js';

const DAY_MS = 24 * 3_600_000;

let market: TestMarket;
let app: ReturnType<typeof createApp>;

beforeEach(async () => {
  market = await createTestMarket(); // memory storage, started
  app = createApp(market.pm);
});
afterEach(() => market.close());

test('a market becomes a favourite when traders buy one side', async () => {
  const alice = market.wallet('alice'); // can sign; the same address in every run
  await market.fund(alice, 200);
  const { id } = await market.createMarket({ question: 'Will it rain?' });
  expect((await request(app).get('/favourites').expect(200)).body).toEqual([]);

  await market.pm.placeTrade({ wallet: alice.address, market: id, side: 'YES', amount: 60 });

  const response = await request(app).get('/favourites').expect(200);
  expect(response.body).toMatchObject([{ question: 'Will it rain?' }]);
});

test('the winner can trade through the API, and is paid', async () => {
  const alice = market.wallet('alice');
  await market.fund(alice, 100);
  const { id } = await market.createMarket();

  const client = api(app).as(alice); // signs a challenge for its API key with the first call
  await client.post(`/public/markets/${id}/trade`).send({ side: 'YES', amount: 10 }).expect(201);

  market.oracle.answer('YES');
  market.clock.advance(DAY_MS); // to the resolve date
  await market.runJobs(); // closes the market, asks the oracle, pays

  const { body } = await client.get<{ balance: number }>('/public/balance').expect(200);
  expect(body.balance).toBeGreaterThan(100);
});

test('an order that costs more than the trader has is refused with a code', async () => {
  const { id } = await market.createMarket();
  const client = api(app).as(market.wallet('bob'));
  const { body } = await client
    .post<{ code: string }>(`/public/markets/${id}/trade`)
    .send({ side: 'NO', amount: 10 })
    .expect(409);
  expect(body.code).toBe('INSUFFICIENT_BALANCE');
});
