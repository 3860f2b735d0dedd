/** Runs the standalone server in this process until a signal comes. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp, type Standalone } from './app';
import { bannerLines } from './banner';
import { SettingsError, type Environment } from './checks';
import { oneLine } from './one-line';
import { scrub } from './scrub';
import { readSettings } from './settings';
import { shutDown } from './shutdown';

/**
 * Listens before any other part is opened. So a port that is taken is noticed before a database is used, and
 * with PORT=0 the address is known.
 */
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

const PARENT_CHECK_MS = 250;

/**
 * Stops the server if `npm start` has ended. npm runs the server under a shell, and the shell ends on npm's
 * signal without passing the signal on. So a server that runs under npm has to stop when its parent process is
 * gone. Otherwise a missing parent does not matter.
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

/** Returns a function that tells whether a signal has come. */
function stopOnSignals(server: Server, standalone: Standalone): () => boolean {
  let stopping = false;
  const stop = (signal: string): void => {
    // An operator who sends the signal twice does not want to wait.
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

/**
 * Starts the server. It stops at a signal, and then ends the process. Rejects if the server cannot start: with a
 * `SettingsError` for a wrong value, else with an error of one line without secrets. The caller then ends the
 * process.
 */
export async function runServer(environment: Environment): Promise<void> {
  let secrets: readonly string[] = [];
  try {
    const server = createServer();
    const standalone = createApp(await listen(server, environment));
    secrets = standalone.secrets;
    await start(server, standalone);
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new Error(scrub(oneLine(error), secrets), { cause: error });
  }
}

async function start(server: Server, standalone: Standalone): Promise<void> {
  server.on('request', standalone.app);
  standalone.market.attachWebSocket(server);
  const isStopping = stopOnSignals(server, standalone);
  try {
    await standalone.start();
  } catch (error) {
    // A signal came while the parts were opened. The shutdown ends the process.
    if (isStopping()) return;
    throw error;
  }
  // The banner goes to standard error, so that standard output has only log lines.
  process.stderr.write(`${bannerLines(standalone.settings, standalone.adminToken).join('\n')}\n`);
}
