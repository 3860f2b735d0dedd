import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import {
  developmentFacilitator,
  type DevelopmentFacilitator,
} from 'express-prediction-market/facilitator/development';
import {
  createTestMarket,
  testWallet,
  type FakeOracle,
  type TestMarket,
} from 'express-prediction-market/testing';
import { advise } from '../../examples/paid-agent/agent';
import { payingClient } from '../../examples/paid-agent/pay';
import { until } from '../support/until';

const agent = testWallet('agent');
const payee = testWallet('payee').address;

let test: TestMarket<FakeOracle, DevelopmentFacilitator>;
let server: Server;
let client: ReturnType<typeof payingClient>;

beforeAll(async () => {
  // The published client of x402 signs with the time of the machine, so the market starts at that time.
  const facilitator = developmentFacilitator({ warn: () => undefined, balances: { [payee]: 0n } });
  test = await createTestMarket({ facilitator, startAt: Date.now(), payTo: payee });
  for (const question of ['Will it rain?', 'Will it snow?', 'Will it hail?'])
    await test.createMarket({ question });
  test.oracle.answer('YES');
  const app = express();
  app.use(test.pm.router);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  client = payingClient(`http://127.0.0.1:${port}`, agent.privateKey as `0x${string}`);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await test.close();
});

const received = (): number => Number(test.facilitator.balanceOf(payee)) / 1_000_000;

it('the agent pays for the feed and for each opinion, and compares them', async () => {
  const before = received();
  const { advice, spent } = await advise({ client, budget: 1 });
  expect(advice).toHaveLength(3);
  expect(advice[0]).toMatchObject({ market: 0.5, oracle: 1 });
  expect(spent).toBeCloseTo(0.151, 9);
  expect(received() - before).toBeCloseTo(spent, 9);
});

it('the agent stops before its budget is spent', async () => {
  const before = received();
  const { advice, spent } = await advise({ client, budget: 0.101 });
  expect([advice.length, spent]).toEqual([2, 0.101]);
  expect(received() - before).toBeCloseTo(0.101, 9);
  expect(await advise({ client, budget: 0 })).toEqual({ advice: [], spent: 0 });
});

it.each([NaN, Infinity, -1])('the agent refuses the budget %p before it pays', async (budget) => {
  const before = received();
  await expect(advise({ client, budget })).rejects.toThrow('budget: expected a number of USD');
  expect(received()).toBe(before);
});

it('main.ts prints what it has learned and paid', async () => {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  const before = { ...process.env };
  const { port } = server.address() as AddressInfo;
  const MARKET_URL = `http://127.0.0.1:${port}`;
  Object.assign(process.env, { MARKET_URL, PRIVATE_KEY: agent.privateKey, BUDGET: '0.06' });
  try {
    jest.requireActual('../../examples/paid-agent/main');
    await until(() => log.mock.calls.length === 2);
    const lines = log.mock.calls.map(([line]) => String(line));
    expect(lines[0]).toMatch(/^Will it .*\? traders 0\.50, oracle 1\.00$/);
    expect(lines[1]).toBe('paid at most 0.051 USD');
  } finally {
    process.env = before;
    log.mockRestore();
  }
});
