import { jest } from '@jest/globals';
import { readOrderFast } from '../../src/schemas/order-reader';
import { parseBody } from '../../src/schemas/parse';
import { placeTradeInput, tradeBody } from '../../src/schemas/trades';
import { tradeRoutes } from '../../src/http/routes/trades';
import { API, createMarket, startService, wallet, type Service } from './support/service';

const ORDER = { side: 'YES', amount: 1 };
const trader = wallet(203);

let service: Service;
beforeAll(async () => {
  service = await startService();
  await createMarket(service, wallet(204));
  await service.fund(trader, 100);
});
afterAll(() => service.close());
afterEach(() => jest.restoreAllMocks());

it('the order reader is declared on the route of orders', () => {
  const routes = tradeRoutes({
    place: () => Promise.reject(new Error('No order is placed here')),
    drain: () => Promise.resolve(),
  });
  expect(routes.find(({ body }) => body === tradeBody)?.bodyShortcut).toBe(readOrderFast);
});

it('the order reader reads an ordinary order of the HTTP API without the schema', async () => {
  const key = await service.issueKey(trader);
  const bySchema = jest.spyOn(tradeBody, 'validate');
  const place = (body: object) => service.call('post', `${API}/public/markets/1/trade`, { key, body });
  expect((await place(ORDER)).status).toBe(201);
  expect(bySchema).not.toHaveBeenCalled();
  expect((await place({ ...ORDER, maxPrice: null })).status).toBe(400);
  expect(bySchema).toHaveBeenCalledTimes(1);
});

it('the order reader reads an ordinary order of the typed method without the schema', async () => {
  const bySchema = jest.spyOn(placeTradeInput, 'validate');
  const place = (change: object) =>
    service.pm.placeTrade({ side: 'YES', amount: 1, wallet: trader.address, market: 1, ...change });
  await place({});
  expect(bySchema).not.toHaveBeenCalled();
  await expect(place({ maxPrice: null })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(bySchema).toHaveBeenCalledTimes(1);
});

it('the order reader is used only where it is declared, and importing it changes no other reading', () => {
  const bySchema = jest.spyOn(tradeBody, 'validate');
  expect(parseBody(tradeBody, ORDER)).toEqual(readOrderFast(ORDER));
  expect(bySchema).toHaveBeenCalledTimes(1);
});
