/**
 * Runs the standalone server until a signal comes, or until the `npm` that has started it ends. With `WORKERS` above 1,
 * this process starts and watches the workers, which serve the requests.
 */
import cluster from 'node:cluster';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp, type Standalone } from './app';
import { bannerLines, SAMPLE_COMMAND } from './banner';
import { SettingsError, type Environment } from './checks';
import { envFileLines } from './env-file';
import { createExpressServer, type ExpressServer } from './express-server';
import { onLosingNpm } from './npm-parent';
import { oneLine } from './one-line';
import { scrub } from './scrub';
import { readSettings } from './settings';
import { shutDown } from './shutdown';
import { linkToPrimary, type PrimaryLink } from './worker-link';
import { runWorkers } from './workers';

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

/**
 * Stops the server at a signal, at an order of the primary process, or at the end of npm. Returns a function that says
 * whether the server is stopping.
 */
function stopOnSignals(server: Server, standalone: Standalone, primary: PrimaryLink | null): () => boolean {
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) {
      // A worker gets the order to stop from the primary, and often the same signal too. So a second call
      // does not mean a second signal. The primary counts the signals.
      if (primary !== null) return;
      // An operator who sends the signal twice does not want to wait.
      process.exit(1);
    }
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
  if (primary !== null) primary.follow({ stop: () => stop('the primary'), figures: standalone.figures });
  else
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
export async function runServer(
  environment: Environment,
  { sampleCommand = SAMPLE_COMMAND }: { sampleCommand?: string } = {},
): Promise<void> {
  if (cluster.isPrimary && readSettings(environment).workers > 1) {
    runWorkers(environment);
    return;
  }
  const primary = linkToPrimary();
  let secrets: readonly string[] = [];
  try {
    const listener = createExpressServer();
    const standalone = createApp(
      await listen(listener.server, environment),
      primary === null ? {} : { scrape: primary.scrape },
    );
    secrets = standalone.secrets;
    await start(listener, standalone, { primary, sampleCommand, environment });
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new Error(scrub(oneLine(error), secrets), { cause: error });
  }
}

async function start(
  { server, serve }: ExpressServer,
  standalone: Standalone,
  {
    primary,
    sampleCommand,
    environment,
  }: { primary: PrimaryLink | null; sampleCommand: string; environment: Environment },
): Promise<void> {
  serve(standalone.app);
  standalone.market.attachWebSocket(server);
  const isStopping = stopOnSignals(server, standalone, primary);
  try {
    await standalone.start();
  } catch (error) {
    // A signal came while the parts were opened. The shutdown ends the process.
    if (isStopping()) return;
    throw error;
  }
  if (primary !== null) {
    primary.ready(standalone.settings.port, standalone.books);
    return;
  }
  // The banner goes to standard error, so that standard output has only log lines.
  const { settings, adminToken, books } = standalone;
  const lines = bannerLines(settings, adminToken, books, sampleCommand);
  process.stderr.write(`${[...lines, ...envFileLines(environment)].join('\n')}\n`);
}
