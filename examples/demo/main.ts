/**
 * `npm run demo`: the whole life of a market, printed step by step. The demo starts a server of its own in
 * memory, or uses a running server: `BASE_URL=http://localhost:3000 ADMIN_TOKEN=… npm run demo`.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../standalone';
import { createCall } from './client.js';
import { dim } from './print.js';
import { walk } from './walk.js';

interface Target {
  baseUrl: string;
  adminToken: string;
  close(): Promise<void>;
}

async function startOwnServer(): Promise<Target> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const adminToken = randomBytes(24).toString('base64url');
  const standalone = createApp({
    ...{ BASE_URL: baseUrl, DATABASE_URL: 'memory:', LOG_LEVEL: 'silent' },
    ADMIN_TOKEN: adminToken,
  });
  server.on('request', standalone.app);
  await standalone.start();
  console.log(dim(`Started a server in memory at ${baseUrl}. Everything below is play money.`));
  return {
    baseUrl,
    adminToken,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await standalone.market.close();
    },
  };
}

function runningServer(baseUrl: string): Target {
  const adminToken = process.env.ADMIN_TOKEN;
  if (adminToken === undefined) throw new Error('ADMIN_TOKEN: needed to walk against a running server');
  return { baseUrl: baseUrl.replace(/\/+$/, ''), adminToken, close: () => Promise.resolve() };
}

async function main(): Promise<void> {
  const running = process.env.BASE_URL;
  const target = running === undefined ? await startOwnServer() : runningServer(running);
  try {
    await walk({
      call: createCall(target.baseUrl),
      adminToken: target.adminToken,
      runId: randomBytes(4).toString('hex'),
      siteUrl: process.env.SITE_URL ?? target.baseUrl,
    });
  } finally {
    await target.close();
  }
}

main().catch((error: unknown) => {
  console.error(`\nThe demo stopped: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
