/** One connection to Redis. Only this file uses the client library. */
import { loadDriver, type Load } from '../../shared/drivers/load-driver';

export type Send = (command: readonly string[]) => Promise<unknown>;

export interface RedisConnection {
  /** Resolves when commands may be sent. Rejects when the server cannot be reached. */
  readonly ready: Promise<void>;
  readonly send: Send;
  /** Closes the connection at once. Commands under way reject. */
  close(): void;
}

/** Opens a connection. `lost` is called when the connection ends without a call of `close`. */
export type Connect = (lost: (reason: Error) => void) => RedisConnection;

export interface ConnectionOptions {
  url: string;
  /** The options of Node's `tls.connect`, for `rediss:` addresses. */
  tls?: Record<string, unknown> | undefined;
  connectTimeoutMs: number;
}

interface Client {
  connect(): Promise<void>;
  call(name: string, ...values: string[]): Promise<unknown>;
  disconnect(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
}

interface Driver {
  Redis: new (url: string, options: Record<string, unknown>) => Client;
}

/**
 * Makes the function that opens connections.
 * @throws Error of one line when the package `ioredis` is not installed.
 */
export function redisConnector(options: ConnectionOptions, load?: Load): Connect {
  const { Redis } = loadDriver('ioredis', 'redisRateLimit', load) as Driver;
  return (lost) => openConnection(new Redis(options.url, clientOptions(options)), lost);
}

/** The client neither queues nor repeats commands. link.ts decides when to connect again. */
function clientOptions({ connectTimeoutMs, tls }: ConnectionOptions): Record<string, unknown> {
  return {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    // A server that hangs never closes its side of the connection, so the client does not wait for the close.
    disconnectTimeout: 0,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    enableReadyCheck: false,
    disableClientInfo: true,
    ...(tls !== undefined && { tls }),
  };
}

function openConnection(client: Client, lost: (reason: Error) => void): RedisConnection {
  let isClosed = false;
  let cause = new Error('the connection has ended');
  // `connect` rejects with the bare text "Connection is closed.". The event `error` has the cause.
  client.on('error', (error) => (cause = error));
  client.on('end', () => {
    if (!isClosed) lost(cause);
  });
  const ready = client.connect().catch(() => Promise.reject(cause));
  ready.catch(() => undefined);
  return {
    ready,
    send: ([name = '', ...values]) => client.call(name, ...values),
    close() {
      isClosed = true;
      client.disconnect();
    },
  };
}
