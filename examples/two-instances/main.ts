import { hostname } from 'node:os';
import { createApp } from './app.js';
import { createMarket } from './market.js';

const pm = createMarket({
  databaseUrl: process.env['DATABASE_URL'] ?? 'postgres://market:market@localhost:5432/market',
  redisUrl: process.env['REDIS_URL'] ?? 'redis://localhost:6379',
  baseUrl: process.env['BASE_URL'] ?? 'http://localhost:3000',
});

async function start(): Promise<void> {
  await pm.start(); // migrates; instances that start at the same time wait for each other
  const server = createApp(pm, hostname()).listen(Number(process.env['PORT'] ?? 3000));
  pm.attachWebSocket(server);
  process.once('SIGTERM', () => {
    server.close(() => void pm.close()); // requests finish, and the proxy goes to the other instance
    void pm.closeConnections(); // clients of sockets resume there
  });
  console.log('listening', server.address());
}

start().catch((error: unknown) => {
  console.error('cannot start:', error);
  process.exit(1);
});
