/**
 * One embedded Postgres for all files of a run. It starts when the first file asks for it, so a run without
 * such files does not start it. Test files run in other processes, so they ask through a port of this
 * process.
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
      // The test file that asked gets an empty answer. It then starts a server itself, and the error of that start
      // shows the cause.
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
