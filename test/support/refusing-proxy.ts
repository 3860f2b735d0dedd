/** A proxy in front of Postgres that can refuse BEGIN and keeps the connection open. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { clientMessages, textIn, type ProtocolMessage } from './postgres-protocol';

export interface RefusingProxy {
  url: string;
  refuse(sqlState: string, times: number): void;
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
    client.on('close', () => server.end());
    server.on('close', () => client.destroy());
    for (const socket of [client, server]) {
      sockets.add(socket);
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

/** ErrorResponse, and then ReadyForQuery with the state `I`: no transaction is open. */
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
