import express from 'express';
import { api, createTestMarket } from 'express-prediction-market/testing';
import request from 'supertest';
import { createApp } from '../../examples/express-4/app';

// The example imports `express`, which is Express 4 in this test.
jest.mock('express', () => jest.requireActual<object>('express4'));

it('the example runs on Express 4: a trade below the mount path, a route of the app, and the operators', async () => {
  expect('del' in express()).toBe(true);
  const test = await createTestMarket();
  const app = createApp(test.pm, 'the-token-of-this-test');
  const alice = test.wallet('alice');
  await test.fund(alice, 100);
  const { id } = await test.createMarket();

  const client = api(app, { base: '/markets/api/v2' }).as(alice);
  await client.post(`/public/markets/${id}/trade`).send({ side: 'YES', amount: 10 }).expect(201);

  const { body } = await request(app).get(`/price/${id}`).expect(200);
  expect(body.yesPrice).toBeGreaterThan(0.5);
  expect((await request(app).get('/price/99').expect(404)).body).toEqual({ code: 'MARKET_NOT_FOUND' });

  await request(app).get('/ops/audit').set('Authorization', 'Bearer another').expect(401);
  await request(app).get('/ops/audit').set('Authorization', 'Bearer the-token-of-this-test').expect(200);
  await test.close();
});
