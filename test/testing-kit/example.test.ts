import express from 'express';
import { api, createTestMarket, type TestMarket } from 'express-prediction-market/testing';

let market: TestMarket;
beforeEach(async () => {
  market = await createTestMarket(); // memory storage, started
});
afterEach(() => market.close()); // also after a test that has failed

test('a holder of the right side is paid', async () => {
  const app = express();
  app.use(market.pm.router);

  const alice = market.wallet('alice'); // an ethers wallet that signs; the same one in every run
  await market.fund(alice, 100);
  const { id } = await market.createMarket({ question: 'Will it rain?' });

  const client = api(app).as(alice); // signs a challenge for its API key with its first call
  await client.post(`/public/markets/${id}/trade`).send({ side: 'YES', amount: 10 }).expect(201);

  market.oracle.answer('YES');
  market.clock.advance(24 * 3_600_000); // the resolve date of createMarket is a day ahead
  await market.runJobs(); // closes, asks the oracle, pays, delivers events

  const { body } = await client.get<{ balance: number }>('/public/balance').expect(200);
  if (body.balance <= 100) throw new Error('Alice has won nothing');
});
