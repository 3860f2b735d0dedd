/**
 * The service of the memory bench, in a process of its own, so that the memory of the bench does not count. The
 * arguments are the storage and, for Postgres, its address and schema.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PredictionMarket, Storage } from 'express-prediction-market';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { answerQuestions } from '../child';
import { openExchange, walletOf } from '../exchange';

export type MarketQuestion =
  { op: 'start' } | { op: 'trade'; count: number } | { op: 'tradeFor'; seconds: number };

export interface MarketAnswer {
  trades: number;
  residentBytes: number;
  /** Heap and buffers after a garbage collection. */
  heapBytes: number;
}

const MARKETS = 100;
const WALLETS = 1_000;
const CLIENTS = 256;

function openStorage([kind, url, schema]: readonly string[]): Storage {
  if (kind === 'postgres')
    return postgresStorage({ url: url ?? '', ...(schema !== undefined && { schema }) });
  if (kind === 'memory') return memoryStorage();
  const folder = mkdtempSync(join(tmpdir(), 'memory-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return sqliteStorage({ file: join(folder, 'bench.db') });
}

let market: PredictionMarket | null = null;
let begun = 0;

async function placeNext(): Promise<void> {
  const order = begun++;
  await market?.placeTrade({
    wallet: walletOf(order % WALLETS),
    market: 1 + ((order * 31) % MARKETS),
    side: Math.floor(order / WALLETS) % 2 === 0 ? 'YES' : 'NO',
    amount: 1,
  });
}

async function tradeWhile(isOn: () => boolean): Promise<void> {
  const client = async (): Promise<void> => {
    while (isOn()) await placeNext();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

function figures(): MarketAnswer {
  // Some objects are freed only by the second collection.
  global.gc?.();
  global.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { trades: begun, residentBytes: rss, heapBytes: heapUsed + external };
}

answerQuestions<MarketQuestion, MarketAnswer>(async (question) => {
  if (question.op === 'start') {
    const opened = await openExchange(openStorage(process.argv.slice(2)), {
      markets: MARKETS,
      wallets: WALLETS,
    });
    market = opened.pm;
  } else if (question.op === 'trade') {
    const end = begun + question.count;
    await tradeWhile(() => begun < end);
  } else {
    const end = performance.now() + question.seconds * 1_000;
    await tradeWhile(() => performance.now() < end);
  }
  return figures();
});
