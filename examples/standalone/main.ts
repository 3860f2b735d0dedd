/** `npm start`. Configuration comes from the environment; see settings.ts and docs/operations. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp, type Standalone } from './app';
import { bannerLines } from './banner';
import { SettingsError, type Environment } from './checks';
import { scrub } from './logger';
import { readSettings } from './settings';
import { shutDown } from './shutdown';

/** The port comes first: a taken one is found before a database is touched, and a free one (PORT=0) has to be known to say our address. */
async function listen(server: Server, environment: Environment): Promise<Environment> {
  const { host, port } = readSettings(environment);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { ...environment, PORT: String((server.address() as AddressInfo).port) };
}

/** What the settings hold that must not be shown. */
let secrets: readonly string[] = [];

const PARENT_CHECK_MS = 250;

/**
 * `npm start` puts a shell between npm and us, and the shell dies of the signal that npm sends without passing it
 * on. So under npm a parent that has gone is a request to stop; elsewhere it is none of our business.
 */
function onLosingNpm(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/** Returns whether a signal has come. */
function stopOnSignals(server: Server, standalone: Standalone): () => boolean {
  let stopping = false;
  const stop = (signal: string): void => {
    // An operator who asks twice does not want to wait.
    if (stopping) process.exit(1);
    stopping = true;
    shutDown(server, standalone, signal).then(
      () => process.exit(0),
      (error: unknown) => {
        standalone.logger.error({ err: error }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  onLosingNpm(() => {
    if (!stopping) stop('the end of npm');
  });
  return () => stopping;
}

async function main(): Promise<void> {
  const server = createServer();
  const standalone = createApp(await listen(server, process.env));
  secrets = standalone.secrets;
  server.on('request', standalone.app);
  const isStopping = stopOnSignals(server, standalone);
  try {
    // First what may be wrong for good, then what is opened.
    await standalone.payments.check();
    await standalone.market.start();
  } catch (error) {
    // A start that a signal has cut short is no failure; the shutdown ends the process.
    if (isStopping()) return;
    throw error;
  }
  // Standard error, so that standard output is nothing but log lines.
  process.stderr.write(`${bannerLines(standalone.settings, standalone.adminToken).join('\n')}\n`);
}

function oneLine(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  const { code, message, cause } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `PORT: ${message.replace(/^listen EADDRINUSE: /, '')}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST: ${message}`;
  // The storage tells callers nothing of its driver; the operator who starts the server has to know.
  if (code === 'SERVICE_UNAVAILABLE') return `DATABASE_URL: ${firstLine(cause ?? error)}`;
  return firstLine(error);
}

function firstLine(error: unknown): string {
  const { message } = error as Partial<Error>;
  return (message ?? String(error)).split('\n', 1)[0] ?? 'unknown error';
}

main().catch((error: unknown) => {
  process.stderr.write(`cannot start: ${scrub(oneLine(error), secrets)}\n`);
  process.exit(1);
});
