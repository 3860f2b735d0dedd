import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedMessage {
  id: string;
  headers: Record<string, string>;
  body: string;
  port: number;
}

export interface Receiver {
  readonly url: string;
  /** Includes the messages that the receiver has refused. */
  readonly received: ReceivedMessage[];
  answerWith(answer: (response: ServerResponse, message: ReceivedMessage) => void): void;
  ids(): string[];
  forget(): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const taken = (response: ServerResponse): void => void response.writeHead(204).end();
  let answer: (response: ServerResponse, message: ReceivedMessage) => void = taken;
  const received: ReceivedMessage[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const headers = textsOf(request.headers);
      const port = request.socket.remotePort ?? 0;
      const message = { id: headers['webhook-id'] ?? '', headers, body, port };
      received.push(message);
      answer(response, message);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    answerWith: (given) => void (answer = given),
    ids: () => received.map(({ id }) => id),
    forget: () => void received.splice(0),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function textsOf(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

export const status =
  (code: number, headers: Record<string, string> = {}, body = '') =>
  (response: ServerResponse): void =>
    void response.writeHead(code, headers).end(body);
