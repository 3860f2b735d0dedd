/**
 * What payment-server.ts and oracle-server.ts share. Such a program reads its settings, a line of JSON, and prints
 * `listening <port>`. Then it reads orders, each a line of JSON, and prints `done` for each order that it has carried
 * out. It dies or pauses at exactly the step that the test names. It ends with its standard input, so that it never
 * outlives the test.
 */
import { writeSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import express, { type Express } from 'express';
// A program that has loaded the drivers before the settings arrive starts faster.
import 'pg';
import 'sequelize';
import 'sqlite3';
import type { PredictionMarket, Storage } from 'express-prediction-market';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';

export interface ProgramSettings {
  /** A file of SQLite, or `postgres://…`. */
  storage: string;
  /** How far the program's clock is ahead, so that a test need not wait for the leases of a dead process to end. */
  aheadMs: number;
  jobIntervalMs: number;
}

export type Order =
  /** The process dies when it reaches this step for the `time`th time from now on. Default 1. */
  | { order: 'die'; at: string; time?: number }
  /** The process prints `paused` at this step and pauses until SIGCONT. This happens once. */
  | { order: 'pause'; at: string }
  /** The next paid call fails. */
  | { order: 'fail the call' }
  | { order: 'advance'; byMs: number }
  | { order: 'run jobs' };

let aheadMs = 0;
let death: { at: string; left: number } | null = null;
let pausesAt: string | null = null;
let failsCall = false;
const reachedSteps = new Map<string, number>();

export function reached(step: string): void {
  reachedSteps.set(step, timesReached(step) + 1);
  if (step === death?.at && --death.left === 0) {
    process.kill(process.pid, 'SIGKILL');
    // The process does nothing more until the signal arrives.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  if (step === pausesAt) {
    pausesAt = null;
    // Writes without the stream, which might write the line only after the process continues.
    writeSync(process.stdout.fd, 'paused\n');
    process.kill(process.pid, 'SIGSTOP');
  }
  if (step === 'before the call' && failsCall) {
    failsCall = false;
    throw new Error('this call was told to fail');
  }
}

export function timesReached(step: string): number {
  return reachedSteps.get(step) ?? 0;
}

export const clock = { now: () => Date.now() + aheadMs };

export function storageAt(place: string): Storage {
  return /^postgres:/.test(place)
    ? postgresStorage({ url: place, pool: { max: 4 } })
    : sqliteStorage({ file: place });
}

/** Routes for work for which the HTTP API needs a key, or has no route. */
export type ProgramRoutes = Record<string, (query: Readonly<Record<string, string>>) => Promise<object>>;

/** `build` creates the prediction market, which starts when the program has its settings. */
export async function runProgram<Settings extends ProgramSettings>(
  build: (settings: Settings) => { pm: PredictionMarket; routes: ProgramRoutes },
): Promise<void> {
  let pm: PredictionMarket | null = null;
  for await (const line of createInterface({ input: process.stdin })) {
    if (pm === null) {
      const settings = JSON.parse(line) as Settings;
      aheadMs = settings.aheadMs;
      const built = build(settings);
      pm = built.pm;
      await serve(pm, built.routes);
      continue;
    }
    await carryOut(JSON.parse(line) as Order, pm);
    process.stdout.write('done\n');
  }
  process.exit(0);
}

async function serve(pm: PredictionMarket, routes: ProgramRoutes): Promise<void> {
  const app = express();
  app.use('/ops', pm.adminRouter);
  for (const [name, answer] of Object.entries(routes)) addRoute(app, `/program/${name}`, answer);
  app.use(pm.router);
  await pm.start();
  const server = app.listen(0, '127.0.0.1', () => {
    process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
  });
}

function addRoute(app: Express, path: string, answer: ProgramRoutes[string]): void {
  app.get(path, (request, response, next) => {
    answer(request.query as Record<string, string>)
      .then((view) => response.json(view))
      .catch(next);
  });
}

async function carryOut(order: Order, pm: PredictionMarket): Promise<void> {
  switch (order.order) {
    case 'die':
      death = { at: order.at, left: order.time ?? 1 };
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
      return pm.runJobs();
  }
}
