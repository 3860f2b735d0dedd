import { createPredictionMarket } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';
import { createApp } from './app.js';

const pm = createPredictionMarket({
  storage: sqliteStorage({ file: process.env['DATABASE_FILE'] ?? 'data/markets.db' }),
  oracle: manualOracle(), // operators resolve the markets
  facilitator: developmentFacilitator(), // play money
  payTo: '0x1111111111111111111111111111111111111111',
});

const app = createApp(pm, [
  { name: 'olga', password: 'olga', role: 'operator', wallet: '0x00000000000000000000000000000000000000a1' },
  { name: 'carl', password: 'carl', role: 'customer', wallet: '0x00000000000000000000000000000000000000c1' },
]);

const server = app.listen(Number(process.env['PORT'] ?? 3000));
pm.attachWebSocket(server);
process.once('SIGTERM', () => {
  server.close(() => void pm.close()); // requests finish, then the market stops
  void pm.closeConnections(); // sockets and streams end now
});
pm.start().then(
  () => console.log('listening', server.address()),
  (error: unknown) => {
    console.error('cannot start:', error);
    process.exit(1);
  },
);
