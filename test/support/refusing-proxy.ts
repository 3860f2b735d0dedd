/**
 * Stands between a storage and its Postgres, and refuses BEGIN as a server can on a connection that lives on: a
 * cancelled backend, no memory, a pooler without a free server. Later messages go through.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { clientMessages, textIn, type ProtocolMessage } from './postgres-protocol';

export interface RefusingProxy {
  /** The address of the server by way of the proxy. */
  url: string;
  /** The next so many BEGINs are refused with this SQLSTATE. */
  refuse(sqlState: string, times: number): void;
  /** How many BEGINs were refused so far. */
  refused(): number;
  close(): Promise<void>;
}

export async function startRefusingProxy(url: string): Promise<RefusingProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let left = 0;
  let refused = 0;
  let answer: Buffer = Buffer.alloc(0);

  function serve(client: Socket): void {
    const server = connect(Number(target.port), target.hostname);
    const messages = clientMessages();
    client.on('data', (part: Buffer) => {
      for (const message of messages(part)) {
        if (left > 0 && isBegin(message)) {
          left -= 1;
          refused += 1;
          client.write(answer);
        } else {
          server.write(message.whole);
        }
      }
    });
    server.on('data', (part: Buffer) => client.write(part));
    // What the client sent before it hung up still arrives, as it does without a proxy.
    client.on('close', () => server.end());
    server.on('close', () => client.destroy());
    for (const socket of [client, server]) {
      sockets.add(socket);
      // As the driver and the server set it: small packets that wait for each other's receipt take 40 ms each.
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
  }

  const listener = createServer(serve).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = new URL(url);
  address.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: address.href,
    refuse(sqlState, times) {
      left = times;
      answer = refusal(sqlState);
    },
    refused: () => refused,
    async close() {
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const isBegin = ({ type, body }: ProtocolMessage): boolean =>
  type === 'Q' && textIn(body).startsWith('BEGIN');

/** ErrorResponse, then ReadyForQuery: no transaction is open. */
function refusal(sqlState: string): Buffer {
  const fields = ['SERROR', 'VERROR', `C${sqlState}`, 'MBEGIN is refused']
    .map((field) => `${field}\0`)
    .join('');
  return Buffer.concat([framed('E', Buffer.from(`${fields}\0`)), framed('Z', Buffer.from('I'))]);
}

function framed(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}
