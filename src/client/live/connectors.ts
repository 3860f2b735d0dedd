import type { Connectors } from './link';
import { openSocket, type SocketClass } from './socket';
import { openStream } from './stream';

export interface ConnectorOptions {
  /** The address of `/api/v2`, without a slash at the end. In a page a path is enough. */
  apiUrl: string;
  /** Where the host has attached the socket. Default: `/ws` below `apiUrl`. */
  socketUrl?: string | undefined;
  fetch: typeof globalThis.fetch;
  /** `null`: streams only. */
  socketClass: SocketClass | null;
}

export function connectorsOf({ apiUrl, socketUrl, fetch, socketClass }: ConnectorOptions): Connectors {
  const socketAddress = webSocketAddress(socketUrl ?? `${apiUrl}/ws`);
  return {
    openSocket: (events) => openSocket(socketClass, socketAddress, events),
    openStream: (request, events) => openStream(fetch, `${apiUrl}/stream`, request, events),
  };
}

/** The global `WebSocket`. Node 20 has none. */
export function ownSocketClass(): SocketClass | null {
  return (globalThis as { WebSocket?: SocketClass }).WebSocket ?? null;
}

function webSocketAddress(address: string): string {
  const url = new URL(address, (globalThis as { location?: { href: string } }).location?.href);
  url.protocol = url.protocol.replace(/^http/, 'ws');
  return url.href;
}
