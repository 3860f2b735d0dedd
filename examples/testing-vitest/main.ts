import { createPredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { createApp } from './app.js';

const pm = createPredictionMarket({
  storage: memoryStorage(), // the data end with the process
  oracle: manualOracle(),
  facilitator: developmentFacilitator(), // play money
  payTo: '0x1111111111111111111111111111111111111111',
});

const server = createApp(pm).listen(Number(process.env['PORT'] ?? 3000));
process.once('SIGTERM', () => {
  server.close(() => void pm.close());
  void pm.closeConnections();
});
pm.start().then(
  () => console.log('listening', server.address()),
  (error: unknown) => {
    console.error('cannot start:', error);
    process.exit(1);
  },
);
