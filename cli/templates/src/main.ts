/** Starts the app, and stops it on Ctrl-C and SIGTERM. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { parseOperatorTokens, parseTrustProxy } from 'express-prediction-market';
import { createApp } from './app.ts';
import { isPermanent, reasonsOf } from './failures.ts';
import { faultOfPayments } from './payments.ts';
import { createPm } from './prediction-market.ts';
import { hintsAtNames, optional, port, secret, together } from './settings.ts';

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const host = optional('HOST') ?? '127.0.0.1';
  const { ownToken, adminTokens, portNumber, trustProxy, pm } = makeParts();
  const newToken =
    (ownToken ?? adminTokens) === undefined ? randomBytes(24).toString('base64url') : undefined;

  const { app } = createApp({ adminToken: ownToken ?? newToken, adminTokens, trustProxy, pm });
  const server = app.listen(portNumber, host);
  await once(server, 'listening');
  // if live
  pm.attachWebSocket(server); // the live feed at /api/v2/ws
  // end
  await pm.start(); // opens the storage, migrates it, starts the jobs

  // The market works without payments, so this is only a warning. The next payment asks the service again.
  void faultOfPayments().then((fault) => {
    if (fault !== null) console.warn(`payments cannot be settled now: ${fault}`);
  });

  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    server.close(() => void pm.close()); // requests finish, then the market stops
    void pm.closeConnections();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  whenNpmHasEnded(stop);

  const home = `http://localhost:${(server.address() as AddressInfo).port}`;
  // if pages
  console.log(`The market is at ${home}, its API at ${home}/api/v2/docs`);
  console.log(`Operators sign in at ${home}/operators${newToken === undefined ? '' : `#token=${newToken}`}`);
  // end
  // if apiAlone
  console.log(`The API of the market is at ${home}/api/v2/docs; there are no pages`);
  // end
  if (newToken !== undefined) console.log(`ADMIN_TOKEN was not set; for this run it is ${newToken}`);
}

function makeParts() {
  try {
    return together({
      ownToken: () => secret('ADMIN_TOKEN'),
      adminTokens: () => parseOperatorTokens(optional('ADMIN_TOKENS')),
      portNumber: () => port('PORT', 3000),
      trustProxy: () => parseTrustProxy(optional('TRUST_PROXY')),
      pm: createPm,
    });
  } finally {
    for (const hint of hintsAtNames()) console.warn(hint);
  }
}

/**
 * Stops the app when `npm start` has ended. npm runs the app under a shell, which passes no signal on. When npm has
 * ended, the app, or that shell, has another parent process.
 */
function whenNpmHasEnded(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const shell = shellParent(parent);
  setInterval(() => {
    if (process.ppid !== parent || shellParent(parent) !== shell) stop();
  }, 250).unref();
}

/**
 * The parent of a process that is a shell. `null` for another process, and where there is no /proc (it is
 * only on Linux).
 */
function shellParent(id: number): string | null {
  try {
    const [, name = '', parent = ''] =
      /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [];
    return /^(sh|ash|dash|bash|zsh)$/.test(name) ? parent : null;
  } catch {
    return null;
  }
}

main().catch((error: unknown) => {
  console.error(`cannot start: ${reasonsOf(error)}`);
  // Service managers can be told not to start the app again after exit code 2.
  process.exit(isPermanent(error) ? 2 : 1);
});
