import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export const SHARED_POSTGRES_PORT = 'SHARED_POSTGRES_PORT';

/** `null` outside Jest, or when the shared server could not start. */
export async function sharedPostgres(): Promise<string | null> {
  const port = process.env[SHARED_POSTGRES_PORT];
  if (port === undefined) return null;
  const url = await text(connect(Number(port), '127.0.0.1'));
  return url === '' ? null : url;
}
