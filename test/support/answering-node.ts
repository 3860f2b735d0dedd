import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface AnsweringNode {
  url: string;
  close(): Promise<void>;
}

export async function startAnsweringNode(answers: Record<string, string>): Promise<AnsweringNode> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { id, method } = body as { id: number; method: string };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? null }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
