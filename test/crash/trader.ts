/**
 * Usage: trader.ts <storage> <run>, where storage is an SQLite file or `postgres://…`. The process trades until it
 * is killed. Before it sends an order it prints `order <key>`, and after the answer `ack <key> <trade id>
 * <shares>`.
 */
import { createPredictionMarket, type PredictionMarket, type Storage } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { orderKey, orderOf } from './orders';
import { prepareMarkets } from './prepare';
import { CRASH_CREATOR, CRASH_WALLETS } from './wallets';

const [location, run] = process.argv.slice(2);

function storageAt(place: string): Storage {
  return /^postgres:/.test(place) ? postgresStorage({ url: place }) : sqliteStorage({ file: place });
}

async function main(): Promise<void> {
  if (location === undefined || run === undefined) throw new Error('usage: trader.ts <storage> <run>');
  const pm = createPredictionMarket({
    storage: storageAt(location),
    oracle: manualOracle(),
    facilitator: developmentFacilitator(),
    payTo: CRASH_CREATOR,
  });
  await pm.start();
  const markets = await prepareMarkets(pm, CRASH_WALLETS);
  process.stdout.write(`ready ${markets.join(',')}\n`);
  await Promise.all(CRASH_WALLETS.map((_, index) => trade(pm, run, index, markets)));
}

async function trade(pm: PredictionMarket, ownRun: string, index: number, markets: number[]): Promise<never> {
  for (let count = 0; ; count += 1) {
    const order = orderOf(orderKey(ownRun, index, count), markets);
    process.stdout.write(`order ${order.idempotencyKey}\n`);
    const done = await pm.placeTrade(order);
    process.stdout.write(`ack ${order.idempotencyKey} ${done.id} ${done.shares}\n`);
  }
}

void main();
