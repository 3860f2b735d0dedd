/**
 * Usage: <program> <storage>. The program reads its settings (one line of JSON) and prints `listening <port>`. Then it
 * obeys orders (one line of JSON each) and answers each with `done`. The program ends with its standard input, so it
 * does not outlive the test.
 */
import { writeSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import express, { type Express } from 'express';
import type { PredictionMarket, Storage } from 'express-prediction-market';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { requireHere } from '../../src/crypto/require-here';

export interface ProgramSettings {
  storage: string;
  /** How far the clock of this program is ahead, so that the leases of a killed process have ended. */
  aheadMs: number;
  jobIntervalMs: number;
}

export type Order =
  /** The process kills itself at the `time`th arrival at this step, counted from this order. Default: the first. */
  | { order: 'die'; at: string; time?: number }
  | { order: 'pause'; at: string }
  | { order: 'fail the call' }
  | { order: 'advance'; byMs: number }
  | { order: 'run jobs' };

const isPostgres = (place: string): boolean => place.startsWith('postgres:');
// Loading Sequelize and the driver before the settings arrive lets the program start faster.
requireHere('sequelize');
requireHere(isPostgres(process.argv[2] ?? '') ? 'pg' : 'sqlite3');

let aheadMs = 0;
let death: { at: string; left: number } | null = null;
let pausesAt: string | null = null;
let failsCall = false;
const reachedSteps = new Map<string, number>();

export function reached(step: string): void {
  reachedSteps.set(step, timesReached(step) + 1);
  if (step === death?.at && --death.left === 0) {
    process.kill(process.pid, 'SIGKILL');
    // SIGKILL may take a moment. Until then this process must not go on.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  if (step === pausesAt) {
    pausesAt = null;
    // A stream might write this line only after SIGCONT.
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
  return isPostgres(place)
    ? postgresStorage({ url: place, pool: { max: 4 } })
    : sqliteStorage({ file: place });
}

export type ProgramRoutes = Record<string, (query: Readonly<Record<string, string>>) => Promise<object>>;

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
