import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tellsSecret } from './secrets';

/** A server that no adapter knows. A service redirects an adapter to it, and the server remembers what it gets. */
export interface Stranger {
  address: string;
  /** Whether a request to the server contained one of the secrets. */
  wasTold(secrets: readonly string[]): boolean;
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
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/elsewhere`,
    wasTold: (secrets) => got.some((request) => tellsSecret(request, secrets)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
