/**
 * Stands between a storage and its Postgres, and refuses BEGIN as a server can on a connection that lives on: a
 * cancelled backend, no memory, a pooler without a free server. Whatever was sent behind the BEGIN goes through.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface RefusingProxy {
  /** As the one of the server, by way of the proxy. */
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
    const messages = messageCutter();
    client.on('data', (part: Buffer) => {
      for (const message of messages(part)) {
        if (left > 0 && isBegin(message)) {
          left -= 1;
          refused += 1;
          client.write(answer);
        } else {
          server.write(message);
        }
      }
    });
    server.on('data', (part: Buffer) => client.write(part));
    // What the client sent before it hung up still arrives, as it does without a proxy.
    client.on('close', () => server.end());
    server.on('close', () => client.destroy());
    for (const socket of [client, server]) {
      sockets.add(socket);
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

const isBegin = (message: Buffer): boolean =>
  message[0] === 'Q'.charCodeAt(0) && message.toString('utf8', 5).startsWith('BEGIN');

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

/** Cuts what a client sends into whole messages. The first one, the greeting, has no letter before its length. */
function messageCutter(): (part: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  let letter = 0;
  return (part) => {
    rest = Buffer.concat([rest, part]);
    const whole: Buffer[] = [];
    while (rest.length >= letter + 4) {
      const length = letter + rest.readUInt32BE(letter);
      if (rest.length < length) break;
      whole.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      letter = 1;
    }
    return whole;
  };
}
