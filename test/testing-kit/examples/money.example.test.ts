import express from 'express';
import { api, createTestMarket, paymentHeader, type TestMarket } from 'express-prediction-market/testing';
import { Webhook } from 'standardwebhooks';

let market: TestMarket;
let app: express.Express;
beforeEach(async () => {
  // `verify` of standardwebhooks compares the time of a message with the time of the machine.
  market = await createTestMarket({ startAt: Date.now(), webhooks: { allowPrivate: true } });
  app = express();
  app.use(market.pm.router);
});
afterEach(() => market.close());

test('a withdrawal that fails gives the money back', async () => {
  const alice = market.wallet('alice');
  await market.fund(alice, 50);
  const client = api(app).as(alice);
  market.payout.progressWith({ status: 'failed', transaction: null, reason: 'reverted' });

  const asked = await client.post<{ id: number }>('/public/withdrawals').send({ amount: 20 }).expect(202); // not paid yet
  await market.runJobs(); // prepares, submits, looks at the progress

  const { body } = await client.get(`/public/withdrawals/${asked.body.id}`).expect(200);
  expect(body.status).toBe('failed');
  expect(market.payout.orders).toMatchObject([{ amount: 20_000_000n }]); // millionths of a USD
  expect(market.payout.submitted).toHaveLength(1);
  expect((await client.get('/public/balance')).body.balance).toBe(50);
});

test('a paid request is settled once', async () => {
  const bob = market.wallet('bob');
  const offer = await api(app).post('/x402/deposit').send({ amount: 5 }).expect(402);
  const header = await paymentHeader(bob, offer.body, market.clock.now()); // signed by Bob

  const paid = () => api(app).post('/x402/deposit').set('X-PAYMENT', header).send({ amount: 5 });
  await paid().expect(201);
  await paid().expect(402); // the payment is used

  expect(market.facilitator.calls.filter(({ method }) => method === 'settle')).toHaveLength(1);
  expect((await api(app).as(bob).get('/public/balance')).body.balance).toBe(5);
});

test('a webhook tells the receiver of a trade', async () => {
  const got: { body: string; headers: Record<string, string> }[] = [];
  const receiver = express().post(
    '/hooks',
    express.text({ type: 'application/json' }),
    (request, response) => {
      got.push({ body: request.body, headers: request.headers as Record<string, string> });
      response.sendStatus(204);
    },
  );
  const server = receiver.listen(0);
  try {
    const { port } = server.address() as { port: number };
    const { secret } = await market.pm.createWebhook({
      url: `http://127.0.0.1:${port}/hooks`,
      events: ['trade'],
    });
    const alice = market.wallet('alice');
    await market.fund(alice, 50);
    const { id } = await market.createMarket();
    await market.pm.placeTrade({ wallet: alice.address, market: id, side: 'YES', amount: 10 });
    await market.runJobs(); // delivers the events

    const messages = got.map(({ body, headers }) => new Webhook(secret).verify(body, headers));
    expect(messages).toMatchObject([{ type: 'trade', data: { marketId: id } }]);
  } finally {
    server.close();
  }
});
