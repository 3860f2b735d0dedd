import { createTestMarket, type TestMarket } from 'express-prediction-market/testing';
import request from 'supertest';
import { createApp } from '../../examples/existing-express-app/app';

let test: TestMarket;
let app: ReturnType<typeof createApp>;
let marketId: number;

beforeAll(async () => {
  test = await createTestMarket();
  const wallet = (name: string): string => test.wallet(name).address;
  app = createApp(test.pm, [
    { name: 'olga', password: 'o', role: 'operator', wallet: wallet('olga') },
    { name: 'carl', password: 'c', role: 'customer', wallet: wallet('carl') },
  ]);
  await test.fund(test.wallet('carl'), 100);
  marketId = (await test.createMarket()).id;
});
afterAll(() => test.close());

async function loggedIn(name: string, password: string): Promise<ReturnType<typeof request.agent>> {
  const agent = request.agent(app);
  await agent.post('/login').send({ name, password }).expect(200);
  return agent;
}

it('the app serves the public API beside the login of the app', async () => {
  await request(app).get('/api/v2/health').expect(200);
  await request(app).post('/login').send({ name: 'carl', password: 'wrong' }).expect(401);
  await request(app).post('/login').send({ name: 'unknown', password: 'c' }).expect(401);
});

it("the app lets operators of the app into the operators' routes, and no other user", async () => {
  await request(app).get('/ops/audit').expect(401);
  await (await loggedIn('carl', 'c')).get('/ops/audit').expect(403);
  const { body } = await (await loggedIn('olga', 'o')).get('/ops/audit').expect(200);
  expect(body).toMatchObject({ ok: true });
});

it('the app trades for the user of the session, once for each idempotency key', async () => {
  const carl = await loggedIn('carl', 'c');
  const order = { market: marketId, side: 'YES', amount: 10, wallet: test.wallet('olga').address };
  await request(app).post('/my/trades').send(order).expect(401);
  for (const _copy of [1, 2])
    await carl.post('/my/trades').set('Idempotency-Key', 'k').send(order).expect(201);
  const { body } = await carl.get('/my/positions').expect(200);
  expect(body.positions).toMatchObject([{ marketId, side: 'YES', costBasis: 10 }]);
  await carl.post('/logout').expect(204);
  await carl.get('/my/positions').expect(401);
});

it('the app answers a refusal of the market with its code, and changes nothing', async () => {
  const carl = await loggedIn('carl', 'c');
  const { body } = await carl.post('/my/trades').send({ market: marketId, side: 'YES', amount: 'all' });
  expect(body).toMatchObject({ code: 'VALIDATION_ERROR' });
  await carl.post('/my/trades').send({ market: marketId, side: 'YES', amount: 5_000 }).expect(409);
  await carl.post('/my/trades').send({ market: 99, side: 'YES', amount: 1 }).expect(404);
  await carl.post('/my/trades').send().expect(400);
});
