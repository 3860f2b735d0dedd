import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

export async function refusingPostgres(): Promise<Server> {
  const refusal = ['SFATAL', 'VFATAL', 'C28P01', 'Mpassword authentication failed for user "ada"', ''];
  const body = Buffer.from(refusal.map((field) => `${field}\0`).join(''));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, body])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
