import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import {
  createClient,
  fromEthers,
  type BuyOrder,
  type PredictionMarketClient,
} from 'express-prediction-market/client';
import { createTestMarket, type TestMarket } from 'express-prediction-market/testing';
import { WebSocket } from 'ws';
import { runBot } from '../../examples/trading-bot/bot';
import { orderFor } from '../../examples/trading-bot/strategy';
import { until } from '../support/until';

const RULES = { edge: 0.05, stake: 5 };

describe('the strategy', () => {
  it.each([
    ['buys YES that is cheap', 0.7, 0.5, 50, { side: 'YES', amount: 5, maxPrice: 0.675 }],
    ['buys NO when YES is dear', 0.3, 0.5, 50, { side: 'NO', amount: 5, maxPrice: 0.675 }],
    ['does nothing within the edge', 0.52, 0.5, 50, null],
    ['spends what is left', 0.7, 0.5, 1.5, { side: 'YES', amount: 1.5, maxPrice: 0.675 }],
    ['does nothing without money', 0.7, 0.5, 0.5, null],
  ])('%s', (_title, fair, yesPrice, budget, order) => {
    expect(orderFor({ fair, yesPrice, budget }, RULES)).toEqual(order);
  });
});

describe('the bot', () => {
  let test: TestMarket;
  let server: Server;
  let client: PredictionMarketClient;
  let marketId: number;
  let stop: AbortController;

  beforeEach(async () => {
    test = await createTestMarket({ startAt: Date.now() }); // payments take the time of the machine
    const app = express();
    app.use(test.pm.router);
    server = createServer(app).listen(0, '127.0.0.1');
    test.pm.attachWebSocket(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    client = createClient({ baseUrl: `http://127.0.0.1:${port}`, WebSocket });
    const bot = test.wallet('bot');
    await test.fund(bot, 1_000);
    await test.fund(test.wallet('other'), 1_000);
    await client.connectWallet(fromEthers(bot), { label: 'bot', replace: true });
    marketId = (await test.createMarket()).id;
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await test.pm.closeConnections();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await test.close();
  });

  const start = (budget: number, log: string[] = []): Promise<void> =>
    runBot({
      ...RULES,
      client,
      opinions: new Map([[marketId, 0.6]]),
      budget,
      signal: stop.signal,
      log: (line) => void log.push(line),
    });
  const price = async (): Promise<number> => (await test.pm.getPrice({ market: marketId })).yesPrice;
  const sell = (amount: number): Promise<unknown> =>
    test.pm.placeTrade({ wallet: test.wallet('other').address, market: marketId, side: 'NO', amount });

  it('trades until the price is near its opinion, and again when another trader moves it', async () => {
    const running = start(500);
    await until(async () => (await price()) > 0.55);
    await sell(60);
    expect(await price()).toBeLessThan(0.5);
    await until(async () => (await price()) > 0.55);
    stop.abort();
    await running;
    expect(await price()).toBeLessThan(0.6);
  });

  it('spends its budget and no more, also after a restart', async () => {
    const cost = async (): Promise<number> =>
      (await client.account.positions()).positions.reduce((sum, { costBasis }) => sum + costBasis, 0);
    const log: string[] = [];
    const first = start(7, log);
    await until(async () => (await cost()) >= 6.9);
    stop.abort();
    await first;
    expect(await cost()).toBeLessThanOrEqual(7);

    stop = new AbortController();
    const live = jest.spyOn(client, 'live');
    const second = start(7, log);
    await until(() => live.mock.results.length > 0 && live.mock.results[0]?.value.state() === 'live');
    await sell(60);
    await until(() => live.mock.results[0]?.value.position()?.seq === test.pm.eventPosition().seq);
    stop.abort();
    await second;
    expect(await cost()).toBeLessThanOrEqual(7);
    const connected = `market ${marketId}: YES costs `;
    expect(log.map((line) => line.startsWith(connected))).toEqual([true, false, false, true]);
  });

  it('says that a market of its opinions does not trade', async () => {
    test.clock.advance(24 * 3_600_000);
    await test.pm.resolveMarket({ market: marketId, outcome: 'NO' });
    const log: string[] = [];
    const running = start(500, log);
    await until(() => log.length > 0);
    stop.abort();
    await running;
    expect(log).toEqual([`market ${marketId} does not trade: it is resolved`]);
  });

  it('says at its start which price it sees, also if it does not trade', async () => {
    await test.pm.placeTrade({
      wallet: test.wallet('other').address,
      market: marketId,
      side: 'YES',
      amount: 20,
    });
    const log: string[] = [];
    const running = start(500, log);
    await until(() => log.length > 0);
    stop.abort();
    await running;
    expect(log).toEqual([`market ${marketId}: YES costs ${await price()}, the bot believes in 0.6`]);
  });

  it('goes on after an order that was refused', async () => {
    const log: string[] = [];
    jest
      .spyOn(client.trades, 'place')
      .mockImplementationOnce((market, order, options) =>
        client.trades.place(market, { ...(order as BuyOrder), maxPrice: 0.01 }, options),
      );
    const running = start(500, log);
    await until(() => log.length > 1);
    expect(log[1]).toContain('SLIPPAGE_EXCEEDED');
    await sell(1);
    await until(async () => (await price()) > 0.55);
    stop.abort();
    await running;
  });

  it.each([
    ['a wallet that has money', 'bot', {}],
    ['a new wallet, for which it deposits play money', 'new bot', { DEPOSIT: '20' }],
  ])('starts by main.ts with %s, and stops at SIGTERM', async (_title, name, more) => {
    const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    const before = { ...process.env };
    const { port } = server.address() as AddressInfo;
    const MARKET_URL = `http://127.0.0.1:${port}`;
    const PRIVATE_KEY = test.wallet(name).privateKey;
    Object.assign(process.env, { MARKET_URL, PRIVATE_KEY, OPINIONS: `${marketId}=0.7`, ...more });
    try {
      jest.isolateModules(() => jest.requireActual('../../examples/trading-bot/main'));
      await until(() => log.mock.calls.length > 1);
      const lines = log.mock.calls.map(([line]) => String(line));
      expect(lines[0]).toBe('market 1: YES costs 0.5, the bot believes in 0.7');
      expect(lines[1]).toMatch(/^market 1: [\d.]+ YES for 5 USD$/);
    } finally {
      process.env = before;
      process.emit('SIGTERM');
      log.mockRestore();
    }
    await until(() => test.pm.liveFigures().sockets.open === 0);
  });
});
