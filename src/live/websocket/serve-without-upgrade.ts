import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AttachableServer } from './attachable-server';

const OFFER = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * Serves a request that offers another upgrade, such as `h2c`, as if it had offered none. Node does this itself only
 * on a server without a listener for upgrades.
 */
export function serveWithoutUpgrade(
  server: AttachableServer,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const headers: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!OFFER.has(name.toLowerCase())) headers.push(`${name}: ${rawHeaders[index + 1] ?? ''}`);
  }
  const request = [`${method ?? 'GET'} ${url ?? '/'} HTTP/${httpVersion}`, ...headers, '', ''].join('\r\n');
  socket.unshift(Buffer.concat([Buffer.from(request, 'latin1'), head]));
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}
