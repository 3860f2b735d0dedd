import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** The environment variable with the port at which shared-postgres-server.ts tells the server's address. */
export const SHARED_POSTGRES_PORT = 'SHARED_POSTGRES_PORT';

/**
 * The address of the shared server, which starts at the first call. `null` outside of Jest, or when the server
 * could not start.
 */
export async function sharedPostgres(): Promise<string | null> {
  const port = process.env[SHARED_POSTGRES_PORT];
  if (port === undefined) return null;
  const url = await text(connect(Number(port), '127.0.0.1'));
  return url === '' ? null : url;
}
