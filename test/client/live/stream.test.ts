import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openStream } from '../../../src/client/live/stream';

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/stream`;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

function endOf(address: string) {
  const wire = { message: jest.fn(), reached: jest.fn(), alive: jest.fn() };
  const request = { channels: ['account'], since: null, apiKey: 'pmk_secret' };
  return new Promise((closed) => openStream(fetch, address, request, { ...wire, closed }));
}

it.each([301, 302, 307, 308])(
  'a stream does not follow a redirect, so that another host never gets the key: %i',
  async (status) => {
    const keys: unknown[] = [];
    const elsewhere = await serve(({ headers }, answer) => {
      keys.push(headers['x-api-key']);
      answer.end();
    });
    const address = await serve((_request, answer) => {
      answer.writeHead(status, { Location: elsewhere }).end();
    });
    expect(await endOf(address)).toBe('other');
    expect(keys).toEqual([]);
  },
);

it('a stream ends at an item that is no message', async () => {
  const address = await serve((_request, answer) => {
    answer.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: {"type":"resync"}\n\n');
  });
  expect(await endOf(address)).toBe('other');
});
