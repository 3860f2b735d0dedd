/**
 * A server of the HTTP bench, in a process of its own. The server prints one line of JSON when it listens, and ends
 * when its standard input ends.
 *
 * Variants: `memory`, `sqlite`, `postgres` (at POSTGRES_URL, with rate limits in Redis if REDIS_URL is set), which
 * are the library in an Express app, and `bare`: an Express app that sends the answers in the file BARE_ANSWERS.
 *
 * The app of the library has one more POST route, `/alone`, which trades in a transaction of its own.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { Wallet } from 'ethers';
import express, { type Express } from 'express';
import { createPredictionMarket, type Storage } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { redisRateLimit } from 'express-prediction-market/rate-limit/redis';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import type { PlaceTradeCommand } from '../../src/usecases/commands';
import { runTradeBatch, tradeOrder } from '../../src/usecases/trading/batch-transaction';
import { contextOver } from '../exchange';
import { MARKETS, PATHS, type BareRoute, type ServerInfo } from './calls';

const HOUR_MS = 3_600_000;

/** Sends each answer with the status, the headers and the body that one of our servers has sent. */
function bareApp(): Express {
  const app = express();
  const answers = JSON.parse(readFileSync(process.env.BARE_ANSWERS ?? '', 'utf8')) as Record<
    string,
    BareRoute
  >;
  for (const [name, { market, list, trade }] of Object.entries(answers)) {
    app.get(`/${name}${PATHS.market(':id')}`, (_request, response) => {
      response.status(market.status).set(market.headers).json(market.body);
    });
    const bytes = Buffer.from(JSON.stringify(list.body));
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length };
    const [listPath = ''] = PATHS.list(':id').split('?');
    app.get(`/${name}${listPath}`, (_request, response) => {
      response.writeHead(list.status, { ...list.headers, ...headers }).end(bytes);
    });
    app.post(`/${name}${PATHS.trade(':id')}`, express.json(), (_request, response) => {
      response.status(trade.status).set(trade.headers).json(trade.body);
    });
  }
  return app;
}

async function marketApp(storage: Storage): Promise<{ app: Express; apiKey: string; marketId: number }> {
  const { REDIS_URL } = process.env;
  const prefix = `bench-${process.pid}:`;
  const pm = createPredictionMarket({
    ...(REDIS_URL === undefined ? {} : { rateLimit: redisRateLimit({ url: REDIS_URL, prefix }) }),
    storage,
    oracle: manualOracle(),
    facilitator: developmentFacilitator({ warn: () => undefined }),
    payTo: Wallet.createRandom().address,
    keyRateLimit: 1_000_000,
    liquidityParameter: 100_000,
    exposureLimit: 1_000_000_000,
  });
  await pm.start();
  const wallet = Wallet.createRandom();
  const address = wallet.address;
  const { message, nonce } = await pm.issueChallenge({ address, action: 'issue' });
  const signature = await wallet.signMessage(message);
  const { apiKey } = await pm.issueKey({ address, message, nonce, signature });
  await pm.approveCreator({ address });
  await pm.deposit({ address, amount: 1_000_000_000, reference: 'bench' });
  let marketId = 0;
  for (let index = 0; index < MARKETS; index += 1) {
    const market = await pm.createMarket({
      creator: address,
      question: `Will bench ${index} finish?`,
      resolutionCriteria: 'It finishes.',
      resolveDate: new Date(Date.now() + 48 * HOUR_MS).toISOString(),
      category: 'other',
    });
    marketId = market.id;
  }
  const app = express();
  app.use(pm.router);
  addBaseline(app, storage, { wallet: address.toLowerCase(), marketId });
  return { app, apiKey, marketId };
}

interface Trading {
  wallet: string;
  marketId: number;
}

function addBaseline(app: Express, storage: Storage, { wallet, marketId }: Trading): void {
  const context = contextOver(storage);
  const creators = new Map<number, string>();
  app.post('/alone', express.json(), async (request, response) => {
    const { side } = request.body as Pick<PlaceTradeCommand, 'side'>;
    const command: PlaceTradeCommand = {
      wallet,
      market: String(marketId),
      side,
      action: 'buy',
      size: { amount: 1_000_000n },
      bounds: {},
      idempotencyKey: null,
    };
    const [traded] = await runTradeBatch(context, [tradeOrder(command, marketId)], creators);
    if (traded?.accepted !== true) throw new Error('a baseline trade was refused');
    response.status(201).json(traded.view);
  });
}

function storageOf(variant: string | undefined, folder: string): Storage {
  if (variant === 'sqlite') return sqliteStorage({ file: join(folder, 'bench.db') });
  if (variant !== 'postgres') return memoryStorage();
  return postgresStorage({ url: process.env.POSTGRES_URL ?? '', schema: `bench_${process.pid}` });
}

async function main(): Promise<void> {
  const variant = process.argv[2];
  const folder = mkdtempSync(join(tmpdir(), 'prediction-market-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const built =
    variant === 'bare'
      ? { app: bareApp(), apiKey: 'none', marketId: 1 }
      : await marketApp(storageOf(variant, folder));
  const server = built.app.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    const info: ServerInfo = { port, apiKey: built.apiKey, marketId: built.marketId };
    console.log(JSON.stringify(info));
  });
  process.stdin.resume();
  process.stdin.once('end', () => process.exit(0));
}

void main();
