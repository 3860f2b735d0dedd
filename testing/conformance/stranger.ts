/** A server of the suite to which a service redirects an adapter. It remembers what it gets. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Stranger {
  address: string;
  /** Each request so far: its path, its headers and its body. */
  got(): readonly string[];
  close(): Promise<void>;
}

export async function openStranger(): Promise<Stranger> {
  const got: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push([request.url, ...request.rawHeaders, Buffer.concat(chunks).toString()].join('\n'));
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A check that ends at its time limit does not close the server. The open server must not keep the process alive.
  server.unref();
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/elsewhere`,
    got: () => got,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
