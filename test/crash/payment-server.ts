/**
 * A server that takes payments and pays withdrawals until it is told where to die. It reads its settings, a line of JSON,
 * and prints `listening <port>`; then orders, a line of JSON each, and prints `done` for each that it has carried out. It
 * ends with its standard input, so that it never outlives the test. Under `/program` are methods that over HTTP need a
 * key.
 */
import { writeSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import express from 'express';
// Loaded before there are settings, so that a server which stands by has its start behind it.
import 'pg';
import 'sequelize';
import 'sqlite3';
import { createPredictionMarket, type Facilitator, type Storage } from 'express-prediction-market';
import { evmFacilitator } from 'express-prediction-market/facilitator/evm';
import { httpFacilitator } from 'express-prediction-market/facilitator/http';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { evmPayout } from 'express-prediction-market/payout/evm';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { mortalFacilitator, mortalPayout, mortalStorage } from './mortal-ports';

export interface ServerSettings {
  /** A file of SQLite, or `postgres://…`. */
  storage: string;
  rpcUrl: string;
  /** Settles through this service instead of with a key. */
  facilitatorUrl: string | null;
  /** Whether it asks the chain what has become of a payment, or the service. */
  facilitatorAsksChain: boolean;
  settlerKey: string;
  treasuryKey: string;
  payTo: string;
  /** How far the server's clock is ahead, so that a test need not wait for the leases of a dead process to end. */
  aheadMs: number;
  jobIntervalMs: number;
}

export type Order =
  | { order: 'die'; at: string }
  /** Prints `paused` and stands still there, once, until SIGCONT. */
  | { order: 'pause'; at: string }
  /** The first paid call fails, once. */
  | { order: 'fail the call' }
  | { order: 'advance'; byMs: number }
  | { order: 'run jobs' };

interface ProgramQuery {
  wallet: string;
  amount: string;
  /** A repeated request under the same key is the same withdrawal. */
  key: string;
}

let aheadMs = 0;
let diesAt: string | null = null;
let pausesAt: string | null = null;
let failsCall = false;

function reached(step: string): void {
  if (step === diesAt) {
    process.kill(process.pid, 'SIGKILL');
    // The process does nothing more until the signal arrives.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  if (step === pausesAt) {
    pausesAt = null;
    // Not through the stream, which might be written to only afterwards.
    writeSync(process.stdout.fd, 'paused\n');
    process.kill(process.pid, 'SIGSTOP');
  }
  if (step === 'before the call' && failsCall) {
    failsCall = false;
    throw new Error('this call was told to fail');
  }
}

const clock = { now: () => Date.now() + aheadMs };

function storageAt(place: string): Storage {
  return /^postgres:/.test(place)
    ? postgresStorage({ url: place, pool: { max: 4 } })
    : sqliteStorage({ file: place });
}

function facilitatorOf(settings: ServerSettings): Facilitator {
  const { facilitatorUrl: url, facilitatorAsksChain, rpcUrl, settlerKey } = settings;
  return url === null
    ? evmFacilitator({ rpcUrl, privateKey: settlerKey, pollIntervalMs: 20, clock })
    : httpFacilitator({ url, clock, ...(facilitatorAsksChain && { rpcUrl }) });
}

async function serve(settings: ServerSettings): Promise<() => Promise<void>> {
  aheadMs = settings.aheadMs;
  const { rpcUrl, treasuryKey, payTo, jobIntervalMs } = settings;
  const pm = createPredictionMarket({
    storage: mortalStorage(storageAt(settings.storage), reached),
    oracle: manualOracle(),
    facilitator: mortalFacilitator(facilitatorOf(settings), reached),
    payout: mortalPayout(evmPayout({ rpcUrl, privateKey: treasuryKey, confirmations: 1, clock }), reached),
    payTo,
    exposureLimit: 1_000_000_000,
    jobIntervalMs,
    addressRateLimit: 1_000_000,
    clock,
  });
  const app = express();
  app.use('/ops', pm.adminRouter);
  const onProgram = (path: string, ask: (query: ProgramQuery) => Promise<object>): void =>
    void app.get(path, (request, response, next) => {
      ask(request.query as unknown as ProgramQuery)
        .then((view) => response.json(view))
        .catch(next);
    });
  onProgram('/program/markets', () => pm.listMarkets());
  onProgram('/program/withdrawals', ({ wallet }) => pm.listWithdrawals({ wallet }));
  onProgram('/program/withdraw', ({ wallet, amount, key }) =>
    pm.requestWithdrawal({ wallet, amount: Number(amount), idempotencyKey: key }),
  );
  onProgram('/program/fund', ({ wallet, amount, key }) =>
    pm.deposit({ address: wallet, amount: Number(amount), reference: key }),
  );
  app.use(pm.router);
  await pm.start();
  const server = app.listen(0, '127.0.0.1', () => {
    process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
  });
  return () => pm.runJobs();
}

async function main(): Promise<void> {
  let runJobs: (() => Promise<void>) | null = null;
  for await (const line of createInterface({ input: process.stdin })) {
    if (runJobs === null) {
      runJobs = await serve(JSON.parse(line) as ServerSettings);
      continue;
    }
    await carryOut(JSON.parse(line) as Order, runJobs);
    process.stdout.write('done\n');
  }
  process.exit(0);
}

async function carryOut(order: Order, runJobs: () => Promise<void>): Promise<void> {
  switch (order.order) {
    case 'die':
      diesAt = order.at;
      return;
    case 'pause':
      pausesAt = order.at;
      return;
    case 'fail the call':
      failsCall = true;
      return;
    case 'advance':
      aheadMs += order.byMs;
      return;
    case 'run jobs':
      return runJobs();
  }
}

void main();
