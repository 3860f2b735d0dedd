import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { sendHalf } from '../../support/half-body';
import type { Message } from './obedient-model';

export interface ModelRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  messages: Message[];
}

export interface ModelReply {
  status?: number;
  headers?: Record<string, string>;
  /** A string is sent unchanged. */
  body: unknown;
  isHalf?: boolean;
}

type Reply = (request: ModelRequest) => ModelReply | null | Promise<ModelReply>;

export interface ModelServer {
  baseUrl: string;
  requests: ModelRequest[];
  /** Sets later answers. `null`: no answer comes. */
  respond(reply: Reply): void;
  goAway(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export async function modelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const open = new Set<ServerResponse>();
  let reply: Reply = () => ({ status: 500, body: '' });
  const server = createServer((request, response) => {
    void answer(request, response);
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    open.add(response);
    const body = (await json(incoming)) as Record<string, unknown>;
    const messages = (body.messages ?? body.input) as Message[];
    const request = { path: incoming.url ?? '', headers: incoming.headers, body, messages };
    requests.push(request);
    const said = await reply(request);
    if (said === null) return;
    if (said.isHalf === true) return sendHalf(response, JSON.stringify(said.body));
    open.delete(response);
    response.writeHead(said.status ?? 200, { 'Content-Type': 'application/json', ...said.headers });
    response.end(typeof said.body === 'string' ? said.body : JSON.stringify(said.body));
  }

  async function listen(port: number): Promise<number> {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  async function close(): Promise<void> {
    for (const response of open) response.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  const port = await listen(0);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    respond: (next) => {
      reply = next;
    },
    async goAway() {
      await close();
      return async () => {
        await listen(port);
      };
    },
    close: async () => {
      if (server.listening) await close();
    },
  };
}

export function spoken(request: ModelRequest, text: string): ModelReply {
  const usage = { total_tokens: 120 };
  if (request.path.endsWith('/responses')) {
    const content = [{ type: 'output_text', text, annotations: [] }];
    return { body: { status: 'completed', output: [{ type: 'message', content }], usage } };
  }
  const message = { role: 'assistant', content: text };
  return { body: { choices: [{ finish_reason: 'stop', message }], usage } };
}
