import type { ServerResponse } from 'node:http';

/**
 * Sends the headers and half of the body, and then nothing. A client that waits for the whole body waits without end.
 */
export function sendHalf(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.write(body.slice(0, body.length / 2));
}
