import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PredictionMarket } from 'express-prediction-market';
import { createApp } from '../../examples/standalone';
import { modelServer, spoken } from '../../test/oracle/support/model-server';

export const OPERATOR_TOKEN = 'a-token-for-pictures-only-32-characters';
/** A word in the question of the market that the judges do not answer. */
export const UNDECIDED = 'bridge';

const VERDICT = {
  outcome: 'YES',
  probability: 0.97,
  confidence: 0.94,
  reasoning:
    'The harbour authority lists the departure of 07:30 as on time. The newspaper of the island says the same.',
  citations: [
    {
      url: 'https://example.com/harbour/departures',
      title: 'Departures of the day, harbour authority',
      quote: '07:30 northern ferry: departed 07:31, on time.',
      publishedAt: null,
    },
    {
      url: 'https://example.com/news/ferry',
      title: 'The ferry leaves on time again',
      quote: null,
      publishedAt: null,
    },
  ],
};

export interface PictureServer {
  base: string;
  market: PredictionMarket;
  close(): Promise<void>;
}

export async function startServer(): Promise<PictureServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  const DATABASE_URL = `sqlite:${join(folder, 'markets.db')}`;
  const sample = ['--import', 'tsx', 'cli/main.ts', 'sample'];
  await promisify(execFile)(process.execPath, sample, { env: { ...process.env, DATABASE_URL } });
  const judges = await modelServer();
  judges.respond((request) =>
    JSON.stringify(request.body).includes(UNDECIDED)
      ? { status: 500, body: '' }
      : spoken(request, JSON.stringify(VERDICT)),
  );
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const standalone = createApp({
    DATABASE_URL,
    ADMIN_TOKEN: OPERATOR_TOKEN,
    BASE_URL: base,
    LOG_LEVEL: 'silent',
    ADDRESS_RATE_LIMIT: '100000',
    ORACLE_MODELS: 'judge-1,judge-2',
    ORACLE_BASE_URL: judges.baseUrl,
    CHALLENGE_PERIOD_MS: '7200000',
    WEBHOOK_ALLOW_PRIVATE: '1',
  });
  server.on('request', standalone.app);
  standalone.market.attachWebSocket(server);
  await standalone.start();
  return {
    base,
    market: standalone.market,
    async close() {
      server.closeAllConnections();
      server.close();
      await standalone.close();
      await judges.close();
      await rm(folder, { recursive: true });
    },
  };
}
