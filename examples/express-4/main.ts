import { randomBytes } from 'node:crypto';
import { createPredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { createApp } from './app.js';

const pm = createPredictionMarket({
  storage: memoryStorage(), // the data end with the process
  oracle: manualOracle(),
  facilitator: developmentFacilitator(),
  payTo: '0x1111111111111111111111111111111111111111',
});

const operatorsToken = process.env['OPERATORS_TOKEN'] ?? randomBytes(24).toString('base64url');
const server = createApp(pm, operatorsToken).listen(Number(process.env['PORT'] ?? 3000));
pm.attachWebSocket(server, { path: '/markets/api/v2/ws' }); // the path of the router's mount
process.once('SIGTERM', () => {
  server.close(() => void pm.close());
  void pm.closeConnections();
});
pm.start().then(
  () => console.log('listening', server.address(), `operators' token: ${operatorsToken}`),
  (error: unknown) => {
    console.error('cannot start:', error);
    process.exit(1);
  },
);
