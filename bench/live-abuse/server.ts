/** The server of the bench, in a process of its own: one instance over SQLite, with the default limits of sockets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { createPredictionMarket, type PredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { CRASH_CREATOR } from '../../test/crash/wallets';
import { keyHolders, type KeyHolder } from '../../test/postgres-operations/support/clients';
import { answerQuestions } from '../child';

export type ServerQuestion = { op: 'start'; markets: number; trades: number } | { op: 'figures' };

export interface ServerAnswer {
  port: number;
  holders: KeyHolder[];
  markets: number[];
  epoch: string;
  open: number;
  closed: Record<number, number>;
  cpuSeconds: number;
  residentBytes: number;
}

const TRADERS = 16;
const TRADES_AT_ONCE = 64;
/** A short interval, so that the bench finds silent sockets while it runs. The default is 20. */
const HEARTBEAT_SECONDS = 1;
const UNLIMITED = 1_000_000;
const HOUR_MS = 3_600_000;

interface Running {
  pm: PredictionMarket;
  server: Server;
  holders: KeyHolder[];
  markets: number[];
}

let running: Running | null = null;

async function start(markets: number, trades: number): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'live-abuse-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const pm = createPredictionMarket({
    storage: sqliteStorage({ file: join(folder, 'bench.db') }),
    oracle: manualOracle(),
    facilitator: developmentFacilitator({ warn: () => undefined }),
    payTo: CRASH_CREATOR,
    addressRateLimit: UNLIMITED,
    liquidityParameter: 100_000,
    exposureLimit: 1_000_000_000,
    live: { heartbeatSeconds: HEARTBEAT_SECONDS },
  });
  const server = createServer(express().use(pm.router));
  pm.attachWebSocket(server);
  await pm.start();
  const names = Array.from({ length: TRADERS }, (_, index) => `abuse ${index}`);
  const holders = await keyHolders(pm, names);
  const wallets = holders.map(({ address }) => address);
  const made = await openMarkets(pm, wallets, markets);
  for (let count = 0; count < trades; count += TRADES_AT_ONCE)
    await Promise.all(
      Array.from({ length: TRADES_AT_ONCE }, (_, index) =>
        pm.placeTrade({
          wallet: wallets[index % TRADERS] ?? '',
          market: made[(count + index) % made.length] ?? 0,
          side: index % 2 === 0 ? 'YES' : 'NO',
          amount: 1,
        }),
      ),
    );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
  return { pm, server, holders, markets: made };
}

async function openMarkets(
  pm: PredictionMarket,
  wallets: readonly string[],
  count: number,
): Promise<number[]> {
  await pm.approveCreator({ address: CRASH_CREATOR });
  for (const address of wallets)
    await pm.deposit({ address, amount: 1_000_000, reference: `abuse-${address}` });
  const resolveDate = new Date(Date.now() + 48 * HOUR_MS).toISOString();
  const made: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id } = await pm.createMarket({
      creator: CRASH_CREATOR,
      question: `Does the good client notice bad client ${index}?`,
      resolutionCriteria: 'It does.',
      resolveDate,
      category: 'other',
    });
    made.push(id);
  }
  return made;
}

answerQuestions<ServerQuestion, ServerAnswer>(async (question) => {
  if (question.op === 'start') running = await start(question.markets, question.trades);
  if (running === null) throw new Error('the server was not started');
  const { pm, server, holders, markets } = running;
  const { sockets } = pm.liveFigures();
  const { user, system } = process.cpuUsage();
  return {
    port: (server.address() as AddressInfo).port,
    holders,
    markets,
    epoch: pm.eventPosition().epoch,
    open: sockets.open,
    closed: sockets.closed,
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
  };
});
