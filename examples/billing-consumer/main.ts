import { createPredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { createApp } from './app.js';
import { startBilling } from './billing.js';
import { openFeeBook } from './fee-book.js';

const pm = createPredictionMarket({
  storage: sqliteStorage({ file: process.env['DATABASE_FILE'] ?? 'data/markets.db' }),
  oracle: manualOracle(),
  facilitator: developmentFacilitator(), // play money
  payTo: '0x1111111111111111111111111111111111111111',
});

async function start(): Promise<void> {
  await pm.start();
  const fees = await openFeeBook(process.env['FEES_FILE'] ?? 'data/fees.db');
  await startBilling(pm, fees);
  const server = createApp(pm, fees).listen(Number(process.env['PORT'] ?? 3000));
  server.once('listening', () => console.log('listening', server.address()));
  process.once('SIGTERM', () => {
    // `pm.close` waits up to 10 seconds for the billing handler. Only then is the table closed.
    server.close(() => void pm.close().then(() => fees.close()));
    void pm.closeConnections();
  });
}

start().catch((error: unknown) => {
  console.error('cannot start:', error);
  process.exit(1);
});
