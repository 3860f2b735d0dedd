/**
 * Delivers one fact to a webhook: `webhook-program.ts <file> <address of the receiver> <milliseconds that the
 * clock is ahead> [dies]`. With `dies` the process kills itself after the POST, when it is about to store the
 * delivery.
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
  // The process does nothing more until the signal arrives.
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
