import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, type ClientOptions as WebSocketClientOptions } from 'ws';
import type { Context } from '../../../src/usecases/context';
import { liveConfig, type LiveOptions } from '../../../src/live-options';
import { createConnectionLimiter, type ConnectionLimiter } from '../../../src/live/connection-limiter';
import { createWebSocketBridge, type WebSocketOptions } from '../../../src/live/websocket/bridge';
import { noSockets, type SocketFigures } from '../../../src/live/websocket/types';
import { createAuthThrottle } from '../../../src/rate-limit/auth-throttle';
import { memoryRateLimit } from '../../../src/rate-limit/memory';
import { createKeyAuthenticator } from '../../../src/usecases/keys/key-authenticator';
import { insertKey as insertNewKey } from '../../../src/usecases/keys/new-key';
import { SCOPES, type Scope } from '../../../src/domain/types';
import type { Reader, Storage } from '../../../src/ports/storage';
import { expectMessage } from '../../support/expect-message';
import { until } from '../../support/until';
import { ALICE, createFeedWorld, type FeedWorld, type Instance } from '../feed/support';

export interface SocketWorld extends FeedWorld {
  instance_: Instance;
  server: Server;
  port: number;
  figures: SocketFigures;
  connections: ConnectionLimiter;
  state: { isStarted: boolean };
  open(options?: ClientOptions): Promise<Client>;
  key(scopes?: readonly Scope[]): Promise<{ id: number; apiKey: string }>;
  stop(): Promise<void>;
}

interface ClientOptions extends WebSocketClientOptions {
  path?: string;
  headers?: Record<string, string>;
  autoPong?: boolean;
}

export async function createSocketWorld({
  live = {},
  options = {},
  over,
  shared,
  storage: given,
}: {
  live?: LiveOptions;
  options?: WebSocketOptions;
  over?: (storage: Storage) => Storage;
  shared?: FeedWorld;
  storage?: Storage;
} = {}): Promise<SocketWorld> {
  const feedWorld = shared ?? (await createFeedWorld(given));
  const storage = over?.(feedWorld.storage) ?? feedWorld.storage;
  const instance = await feedWorld.instance(storage);
  const server = createServer((_request, response) => response.end('plain'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const context: Context = { ...feedWorld.world.context, storage };
  const limits = liveConfig(live);
  const figures = noSockets();
  const connections = createConnectionLimiter(instance.feed, limits.connectionLimit);
  const state = { isStarted: true };
  const bridge = createWebSocketBridge({
    feed: instance.feed,
    keys: createKeyAuthenticator(context),
    throttle: createAuthThrottle(memoryRateLimit(), 20, context.clock),
    connections,
    limits,
    clock: context.clock,
    logger: context.logger,
    timers: instance.timers,
    figures,
    isStarted: () => state.isStarted,
  });
  bridge.attach(server, options);
  const clients: Client[] = [];
  return {
    ...feedWorld,
    instance_: instance,
    server,
    port,
    figures,
    connections,
    state,
    async open({ path = '/api/v2/ws', ...socketOptions } = {}) {
      const client = new Client(`ws://127.0.0.1:${port}${path}`, socketOptions);
      clients.push(client);
      await client.opened();
      return client;
    },
    key: (scopes = SCOPES) =>
      storage.transaction((transaction) =>
        insertNewKey(context, transaction, {
          wallet: ALICE,
          label: null,
          scopes: [...scopes],
          rateLimit: 60,
          windowOf: null,
        }),
      ),
    async stop() {
      for (const { ws } of clients) ws.terminate();
      await until(() => figures.open === 0);
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export interface Received extends Record<string, unknown> {
  type: string;
}

export class Client {
  readonly ws: WebSocket;
  readonly received: Received[] = [];
  closed: { code: number; reason: string } | null = null;
  refusal: { status: number; body: Record<string, unknown>; headers: Record<string, unknown> } | null = null;
  #ids = 0;

  constructor(address: string, options: Omit<ClientOptions, 'path'>) {
    this.ws = new WebSocket(address, options);
    this.ws.on('error', () => undefined);
    this.ws.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString()) as Received;
      expectMessage(message);
      this.received.push(message);
    });
    this.ws.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }));
    this.ws.on('unexpected-response', (request, response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => {
        const { statusCode = 0, headers } = response;
        this.refusal = { status: statusCode, body: JSON.parse(text) as Record<string, unknown>, headers };
        request.destroy();
      });
    });
  }

  async opened(): Promise<void> {
    await until(() => this.received.length > 0 || this.refusal !== null || this.closed !== null);
  }

  async call(command: Record<string, unknown>): Promise<Received> {
    this.#ids += 1;
    const id = this.#ids;
    this.ws.send(JSON.stringify({ ...command, id }));
    await until(() => this.answer(id) !== undefined || this.closed !== null);
    return this.answer(id) ?? { type: 'closed' };
  }

  answer(id: number | string): Received | undefined {
    return this.received.find((message) => message['id'] === id && message.type !== 'resync');
  }

  subscribe(channels: string[], rest: Record<string, unknown> = {}): Promise<Received> {
    return this.call({ op: 'subscribe', channels, ...rest });
  }

  /** The answer to a ping comes after all that the server has sent before. */
  async settled(): Promise<void> {
    await this.call({ op: 'ping' });
  }

  events(): Received[] {
    return this.received.filter(({ type }) => type === 'event');
  }

  lines(): string[] {
    return this.events().map(({ channel, seq, prev }) => `${String(channel)} ${String(seq)}<${String(prev)}`);
  }

  async end(): Promise<{ code: number; reason: string }> {
    await until(() => this.closed !== null);
    return this.closed ?? { code: 0, reason: '' };
  }

  pause(): void {
    (this.ws as unknown as { _socket: Socket })._socket.pause();
  }

  resume(): void {
    (this.ws as unknown as { _socket: Socket })._socket.resume();
  }
}

export function withSlowKeys(storage: Storage, wait: () => Promise<void>): Storage {
  const slow = (reader: Reader): Reader => ({
    ...reader,
    apiKeys: {
      ...reader.apiKeys,
      async findActiveByHashes(hashes) {
        await wait();
        return reader.apiKeys.findActiveByHashes(hashes);
      },
    },
  });
  return { ...storage, read: (work) => storage.read((reader) => work(slow(reader))) };
}
