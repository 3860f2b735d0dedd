/** Starts the app, and stops it on Ctrl-C and SIGTERM. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createApp } from './app.ts';
import { optional } from './settings.ts';

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const port = Number(optional('PORT') ?? 3000);
  const host = optional('HOST') ?? '127.0.0.1';
  const adminToken = optional('ADMIN_TOKEN') ?? randomBytes(24).toString('base64url');

  const { app, market } = createApp({ adminToken });
  const server = app.listen(port, host);
  await once(server, 'listening');
  // if live
  market.attachWebSocket(server); // the live feed at /api/v2/ws
  // end
  await market.start(); // opens the storage, migrates it, starts the jobs

  const stop = (): void => {
    server.close(() => void market.close()); // requests finish, then the market stops
    void market.closeConnections();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);

  // if pages
  console.log(`The market is at http://localhost:${port}, its API at http://localhost:${port}/api/v2/docs`);
  // end
  // if apiAlone
  console.log(`The API of the market is at http://localhost:${port}/api/v2/docs; there are no pages`);
  // end
  if (optional('ADMIN_TOKEN') === undefined)
    console.log(`ADMIN_TOKEN was not set; for this run it is ${adminToken}`);
}

main().catch((error: unknown) => {
  console.error(`cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
