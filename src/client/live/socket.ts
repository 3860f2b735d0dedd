/** Opens the WebSockets of the client: those of the browser, of Node, or of the package `ws`. */
import { readMessage } from './server-messages';
import type { LinkConnection, ConnectionEvents } from './link';

export interface Socket {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
}
export type SocketClass = new (address: string) => Socket;

const OPEN = 1;
const KEY_REVOKED = 4401;

/** Opens a socket. Without a class, as in Node 20, the connection ends at once. */
export function openSocket(
  socketClass: SocketClass | null,
  address: string,
  events: ConnectionEvents,
): LinkConnection {
  const socket = makeSocket(socketClass, address);
  if (socket === null) {
    queueMicrotask(() => events.closed('other'));
    return { send: () => undefined, close: () => undefined };
  }
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') takeText(data, events);
  });
  // `ws` throws an error that has no listener. The event `close` reports the end of the connection.
  socket.addEventListener('error', () => undefined);
  // A socket that never opened also reports its end here.
  socket.addEventListener('close', ({ code }) => events.closed(code === KEY_REVOKED ? 'key' : 'other'));
  return {
    send: (command) => {
      if (socket.readyState === OPEN) socket.send(JSON.stringify(command));
    },
    close: () => socket.close(),
  };
}

/** A message that cannot be handled ends the connection, because old data could otherwise be shown as live. */
function takeText(text: string, events: ConnectionEvents): void {
  try {
    const message = readMessage(text);
    if (message === null) events.closed('other');
    else events.message(message);
  } catch {
    events.closed('other');
  }
}

/** `null` without a class, or if the constructor throws. */
function makeSocket(socketClass: SocketClass | null, address: string): Socket | null {
  try {
    return socketClass === null ? null : new socketClass(address);
  } catch {
    return null;
  }
}
