import type { ServerResponse } from 'node:http';

export function sendHalf(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.write(body.slice(0, body.length / 2));
}
