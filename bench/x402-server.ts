/**
 * One server of the x402 bench, in a process of its own. Variants: `ours`, `official` (@x402/express), `least` (see
 * x402-least.ts), and `bare` (an Express app that sends a given answer). With the suffix `-faster`, a variant runs on
 * the HTTP server of `npm start`. The server answers each message with its CPU time so far, in microseconds.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { x402ResourceServer, type FacilitatorClient } from '@x402/core/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { paymentMiddleware } from '@x402/express';
import express, { type Express } from 'express';
import {
  createPredictionMarket,
  type Facilitator,
  type MarketFeedView,
  type PredictionMarket,
} from 'express-prediction-market';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { createExpressServer } from '../examples/standalone/express-server';
import { activeCurve } from '../src/crypto/curve';
import { leastApp, type Token } from './x402-least';
import { FEED_PATH } from './x402-payments';

const PAY_TO = `0x${'d'.repeat(40)}`;
const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const ASSET_NAME = { name: 'USD Coin', version: '2' };
const NETWORK = 'eip155:8453';
const TOKEN: Token = {
  ...ASSET_NAME,
  chainId: 8453,
  verifyingContract: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
};
const CREATOR = `0x${'c'.repeat(40)}`;
const MARKETS = Number(process.env.BENCH_MARKETS ?? 1);
const HOUR_MS = 3_600_000;

export interface ServerHello {
  port: number;
  curve: string;
}

export interface BareAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Both facilitators accept at once, so that only the work of the server is measured. */
const ourFacilitator: Facilitator = {
  name: 'instant',
  verify: async () => ({ status: 'valid' }),
  settle: async ({ authorization }) => ({ status: 'settled', transaction: authorization.nonce }),
  lookup: async () => ({ status: 'unused' }),
  supported: async () => ({
    status: 'supported',
    kinds: [{ x402Version: 2, scheme: 'exact', network: NETWORK }],
  }),
};

const officialFacilitator: FacilitatorClient = {
  verify: async () => ({ isValid: true, payer: CREATOR }),
  settle: async ({ payload }) => ({
    success: true,
    transaction: (payload as { authorization: { nonce: string } }).authorization.nonce,
    network: NETWORK,
    payer: CREATOR,
  }),
  getSupported: async () => ({
    kinds: [{ x402Version: 2, scheme: 'exact', network: NETWORK }],
    extensions: [],
    signers: {},
  }),
};

async function startMarket(): Promise<PredictionMarket> {
  const pm = createPredictionMarket({
    storage: memoryStorage(),
    oracle: manualOracle(),
    facilitator: ourFacilitator,
    payTo: PAY_TO,
    exposureLimit: 1_000_000_000,
  });
  await pm.start();
  await pm.approveCreator({ address: CREATOR });
  for (let index = 0; index < MARKETS; index += 1) {
    await pm.createMarket({
      creator: CREATOR,
      question: `Will bench market ${index} be read?`,
      resolutionCriteria: 'It is.',
      resolveDate: new Date(Date.now() + 48 * HOUR_MS).toISOString(),
      category: 'other',
    });
  }
  return pm;
}

function ourApp(pm: PredictionMarket): Express {
  const app = express();
  app.use(pm.router);
  return app;
}

/**
 * The official middleware, which sells the feed at the same price as our server. The handler answers with a
 * feed that was made in advance.
 */
function officialApp(feed: MarketFeedView): Express {
  const app = express();
  const server = new x402ResourceServer(officialFacilitator).register(NETWORK, new ExactEvmScheme());
  const price = { asset: ASSET, amount: '1000', extra: ASSET_NAME };
  const routes = {
    [`GET ${FEED_PATH}`]: {
      accepts: { scheme: 'exact', network: NETWORK, payTo: PAY_TO, price, maxTimeoutSeconds: 300 } as const,
      description: 'Real-time snapshot: prices, volume, active markets',
      mimeType: 'application/json',
    },
  };
  app.use(paymentMiddleware(routes, server));
  app.get(FEED_PATH, (_request, response) => {
    response.json(feed);
  });
  return app;
}

function bareApp({ status, headers, body }: BareAnswer): Express {
  const app = express();
  app.get(FEED_PATH, (_request, response) => {
    response.status(status).set(headers).json(body);
  });
  return app;
}

async function appOf(variant: string | undefined): Promise<Express> {
  if (variant === 'bare') return bareApp(JSON.parse(process.env.BARE_ANSWER ?? '') as BareAnswer);
  const pm = await startMarket();
  if (variant === 'official') return officialApp(await pm.getMarketFeed());
  if (variant === 'least') return leastApp(await pm.getMarketFeed(), TOKEN);
  return ourApp(pm);
}

/** The server of `npm start` (docs/embedding.md "A faster HTTP server"), or that of an ordinary Express app. */
function serverOf(isFaster: boolean, app: Express): Server {
  if (!isFaster) return createServer(app);
  const { server, serve } = createExpressServer();
  serve(app);
  return server;
}

async function main(): Promise<void> {
  const tell = process.send?.bind(process);
  if (tell === undefined) throw new Error('this server is started by the bench');
  const [variant, isFaster = ''] = (process.argv[2] ?? '').split('-');
  const server = serverOf(isFaster !== '', await appOf(variant));
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    const hello: ServerHello = { port, curve: activeCurve().implementation };
    tell(hello);
  });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    tell(user + system);
  });
  process.once('disconnect', () => process.exit(0));
}

void main();
