import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { asRefusal, refusalBody, retryAfterSeconds } from '../../views/refusal';

/**
 * Answers an upgrade request with the error that the API would send, and ends the connection. Returns the
 * status.
 */
export function refuseUpgrade(socket: Duplex, thrown: unknown): number {
  const error = asRefusal(thrown);
  const { status } = error;
  const body = JSON.stringify(refusalBody(error));
  const retryAfter = status === 503 || status === 429 ? [`Retry-After: ${retryAfterSeconds(error)}`] : [];
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...retryAfter,
  ];
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  return status;
}
