/**
 * Usage: webhook-program.ts <SQLite file> <URL of the receiver> <milliseconds that the clock is ahead> [dies].
 * Delivers one fact. With `dies` the process kills itself after the POST, before the delivery is stored.
 */
import 'sequelize';
import 'sqlite3';
import { createPredictionMarket, type Storage } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { CRASH_CREATOR } from './wallets';

const [, , file = '', url = '', aheadMs = '0', dies] = process.argv;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // SIGKILL may take a moment. Until then this process must not go on.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error('the process outlived its SIGKILL');
}

function deadly(storage: Storage): Storage {
  return {
    ...storage,
    transaction: (work, options) =>
      storage.transaction(
        (transaction) =>
          work({ ...transaction, webhooks: { ...transaction.webhooks, addDeliveries: async () => die() } }),
        options,
      ),
  };
}

const storage = sqliteStorage({ file });
const pm = createPredictionMarket({
  storage: dies === 'dies' ? deadly(storage) : storage,
  oracle: manualOracle(),
  facilitator: developmentFacilitator(),
  payTo: CRASH_CREATOR,
  clock: { now: () => Date.now() + Number(aheadMs) },
  webhooks: { allowPrivate: true },
});

async function main(): Promise<void> {
  await pm.start();
  if ((await pm.listWebhooks()).total === 0) {
    await pm.createWebhook({ url });
    await pm.approveCreator({ address: CRASH_CREATOR });
  }
  await pm.runJobs();
  await pm.close();
}

void main();
