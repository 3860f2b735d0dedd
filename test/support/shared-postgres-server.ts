/**
 * One embedded Postgres for the test files of a run, which starts when the first file asks. Test files run in other
 * processes, so they ask over a port.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { startRestartablePostgres, type PostgresServer } from './postgres';
import { SHARED_POSTGRES_PORT } from './shared-postgres';

declare global {
  var sharedPostgres: { broker: Server; started(): Promise<PostgresServer> | null } | undefined;
}

export async function offerSharedPostgres(): Promise<void> {
  let server: Promise<PostgresServer> | null = null;
  const broker = createServer((socket) => {
    socket.on('error', () => undefined);
    server ??= startRestartablePostgres();
    server.then(
      ({ url }) => socket.end(url),
      // The test file gets an empty answer and starts a server itself, so that the error of the start is shown.
      () => socket.end(),
    );
  });
  broker.listen(0, '127.0.0.1');
  await once(broker, 'listening');
  broker.unref();
  process.env[SHARED_POSTGRES_PORT] = String((broker.address() as AddressInfo).port);
  globalThis.sharedPostgres = { broker, started: () => server };
}

export async function endSharedPostgres(): Promise<void> {
  globalThis.sharedPostgres?.broker.close();
  const server = await globalThis.sharedPostgres?.started()?.catch(() => null);
  await server?.stop();
}
