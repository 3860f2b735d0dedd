/** The server sends "ready for query" and the error of a shutdown in one packet. */
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { postgresStorage } from '../../adapters/storage/postgres';
import { silentLogger } from '../../src/ports/logger';

function message(letter: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(letter), length, content]);
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const BACKEND_KEY = message('K', Buffer.alloc(8, 1));
const READY = message('Z', Buffer.from('I'));
const SHUTTING_DOWN = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);

let server: Server;
let sockets: Socket[];
let uncaught: unknown[];
const note = (error: unknown): void => void uncaught.push(error);

beforeEach(async () => {
  sockets = [];
  uncaught = [];
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.end(Buffer.concat([AUTHENTICATED, BACKEND_KEY, READY, SHUTTING_DOWN]));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  process.on('uncaughtException', note);
});
afterEach(async () => {
  process.off('uncaughtException', note);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

it('a connection that ends when it is ready is an outage, and ends no process', async () => {
  const { port } = server.address() as AddressInfo;
  const storage = postgresStorage({ url: `postgres://market@127.0.0.1:${port}/market`, schema: 'market' });
  const opening = await storage.open({ logger: silentLogger }).catch((error: unknown) => error);
  expect(uncaught).toEqual([]);
  expect(opening).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(sockets.length).toBeGreaterThan(0);
  await storage.close();
});
