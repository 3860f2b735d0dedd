/**
 * One server of the fan-out bench, in a process of its own. The variant `feed` is the live feed over memory
 * storage, and `sqlite` is the live feed over SQLite. `bare` is a loop that sends each message to each client
 * of `ws`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { WebSocketServer } from 'ws';
import { openExchange, walletOf, type Exchange } from '../exchange';
import { closedLoop } from '../load';
import { answerQuestions, cpuSeconds } from '../child';

export type ServerQuestion =
  | { op: 'start' }
  /** Makes this many trades at the same time. The bare loop sends this many messages one after another. */
  | { op: 'burst'; count: number }
  /** Makes trades in an open loop: each trade begins at its time, whether or not the trade before has ended. */
  | { op: 'steady'; perSecond: number; seconds: number }
  /**
   * Makes trades in a closed loop: each client begins a trade when its trade before has ended. At the end each
   * market has the same number of trades.
   */
  | { op: 'load'; clients: number; markets: number; seconds: number }
  | { op: 'figures' }
  /** The figures after a garbage collection. */
  | { op: 'memory' };

export interface ServerAnswer {
  port: number;
  cpuSeconds: number;
  heapBytes: number;
  residentBytes: number;
  tradesPerSecond: number;
  sentCount: number;
}

const MARKETS = 20;
const WALLETS = 64;
const STEADY_STEP_MS = 5;

/** A server and its source of messages. `send` makes the message number `count`. */
interface Source {
  server: Server;
  send(count: number): Promise<void>;
}

async function feedSource(): Promise<Source> {
  const folder = mkdtempSync(join(tmpdir(), 'fanout-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const isDurable = process.argv[2] === 'sqlite';
  const storage = isDurable ? sqliteStorage({ file: join(folder, 'bench.db') }) : memoryStorage();
  const exchange = await openExchange(storage, { markets: MARKETS, wallets: WALLETS });
  const server = createServer();
  exchange.pm.attachWebSocket(server);
  return { server, send: (count) => trade(exchange, count) };
}

async function trade({ pm, markets }: Exchange, count: number): Promise<void> {
  const wallet = walletOf(count % WALLETS);
  const market = markets[count % MARKETS] ?? 1;
  await pm.placeTrade({ wallet, market, side: (count >> 4) % 2 === 0 ? 'YES' : 'NO', amount: 1 });
}

/** Sends messages like those of the channel `trades`. Each message is written as JSON once. */
function bareSource(): Source {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  return {
    server,
    async send(count) {
      const ts = new Date().toISOString();
      const data = {
        id: count,
        marketId: 1 + (count % MARKETS),
        side: 'YES',
        action: 'buy',
        shares: 1.989988,
        pricePerShare: 0.500003,
        totalCost: 1,
        fee: 0.004976,
        traderAddress: '0x0000...0001',
        yesPrice: 0.500012,
        noPrice: 0.499988,
        volume: 1234.567891,
        liquidity: 123.456789,
        createdAt: ts,
      };
      const envelope = { type: 'event', channel: 'trades', event: 'trade', seq: count, prev: count - 1 };
      const text = JSON.stringify({ ...envelope, marketSeq: count, ts, data });
      for (const client of sockets.clients) client.send(text);
    },
  };
}

let sentCount = 0;
let source: Source | null = null;

async function start(): Promise<void> {
  source = process.argv[2] === 'bare' ? bareSource() : await feedSource();
  const { server } = source;
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', 4_096, resolve));
}

async function sendNext(): Promise<void> {
  await source?.send((sentCount += 1));
}

async function steady(perSecond: number, seconds: number): Promise<void> {
  const begun = performance.now();
  const all: Promise<void>[] = [];
  while (performance.now() - begun < seconds * 1_000) {
    const due = Math.floor(((performance.now() - begun) / 1_000) * perSecond);
    while (all.length < due) all.push(sendNext());
    await sleep(STEADY_STEP_MS);
  }
  await Promise.all(all);
}

/** Makes the number of trades a multiple of `markets`, so that each market has the same number. */
async function load(clients: number, markets: number, seconds: number): Promise<number> {
  const { rate } = await closedLoop(clients, seconds, sendNext);
  while (sentCount % markets > 0) await sendNext();
  return rate;
}

function collectGarbage(): void {
  // Some objects are freed only by the second collection.
  global.gc?.();
  global.gc?.();
}

function figures(tradesPerSecond = 0): ServerAnswer {
  const { heapUsed, external, rss } = process.memoryUsage();
  const { port } = source?.server.address() as AddressInfo;
  const memory = { heapBytes: heapUsed + external, residentBytes: rss };
  return { port, cpuSeconds: cpuSeconds(), ...memory, tradesPerSecond, sentCount };
}

answerQuestions<ServerQuestion, ServerAnswer>(async (question) => {
  switch (question.op) {
    case 'start':
      await start();
      return figures();
    case 'burst':
      await Promise.all(Array.from({ length: question.count }, sendNext));
      return figures();
    case 'steady':
      await steady(question.perSecond, question.seconds);
      return figures();
    case 'load':
      return figures(await load(question.clients, question.markets, question.seconds));
    case 'memory':
      collectGarbage();
      return figures();
    case 'figures':
      return figures();
  }
});
