import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createTestMarket, type TestMarket, type TestMarketOptions } from '../../../testing/index';

export const ADMIN_TOKEN = 'operator-token';

/**
 * `lost`: the service carries the request out, and the client gets no answer. An object: the client gets this answer,
 * and the service never sees the request.
 */
export type Fault = 'lost' | { status: number; headers?: Record<string, string>; body?: unknown };

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
}

export interface ServedMarket {
  test: TestMarket;
  url: string;
  seen: SeenRequest[];
  /** Entry n is for the n-th future request. The service serves a request whose entry is `null` or missing. */
  faults: (Fault | null)[];
  close(): Promise<void>;
}

export async function serveMarket(options: TestMarketOptions = {}): Promise<ServedMarket> {
  const test = (await createTestMarket(options)) as TestMarket;
  const app = express();
  app.use('/api/v2/admin', (request, response, next) => {
    if (request.get('authorization') === `Bearer ${ADMIN_TOKEN}`) next();
    else response.status(401).json({ code: 'UNAUTHORIZED', message: 'not an operator' });
  });
  app.use('/api/v2/admin', test.pm.adminRouter);
  app.use(test.pm.router);
  const seen: SeenRequest[] = [];
  const faults: ServedMarket['faults'] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, path: url, headers });
    const fault = faults.shift() ?? null;
    if (fault === 'lost') loseAnswer(response);
    if (fault === null || fault === 'lost') app(request, response);
    else sendFault(response, fault);
  });
  await listening(server);
  return {
    test,
    url: addressOf(server),
    seen,
    faults,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await test.close();
    },
  };
}

function loseAnswer(response: ServerResponse): void {
  const lose = (): ServerResponse => {
    response.destroy();
    return response;
  };
  Object.assign(response, { writeHead: lose, write: () => false, end: lose });
}

function sendFault(
  response: ServerResponse,
  { status, headers = {}, body = '' }: Exclude<Fault, 'lost'>,
): void {
  response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function listening(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
