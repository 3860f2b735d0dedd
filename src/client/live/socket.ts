/** The edge to the browser's WebSocket. */
import { readMessage } from './messages';
import type { Connection, Wire } from './link';

const KEY_REVOKED = 4401;

export function openSocket(address: string, wire: Wire): Connection {
  const socket = makeSocket(address);
  if (socket === null) {
    queueMicrotask(() => wire.closed('other'));
    return { send: () => undefined, close: () => undefined };
  }
  socket.addEventListener('message', ({ data }) => {
    const message = typeof data === 'string' ? readMessage(data) : null;
    if (message !== null) wire.message(message);
  });
  // A socket that never opened also reports its end here.
  socket.addEventListener('close', ({ code }) => wire.closed(code === KEY_REVOKED ? 'key' : 'other'));
  return {
    send: (command) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(command));
    },
    close: () => socket.close(),
  };
}

/** `null`: the browser refuses to make it. Older ones throw where a policy of the page forbids the address. */
function makeSocket(address: string): WebSocket | null {
  try {
    return new WebSocket(address);
  } catch {
    return null;
  }
}
