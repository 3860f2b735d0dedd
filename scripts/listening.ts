import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves the app at a free port of this machine while `use` runs with the address. */
export async function listening<Result>(
  app: RequestListener,
  use: (address: string) => Promise<Result>,
): Promise<Result> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
