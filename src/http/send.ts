import type { Response } from 'express';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer with its own status, content type and headers, which is sent instead of a view. */
export class RawAnswer {
  constructor(
    readonly status: number,
    readonly contentType: string,
    /** The text, or its bytes where several requests share them. */
    readonly text: string | Buffer,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** A handler resolves to this when it has sent the response itself. */
export const ANSWERED = Symbol('answered');

export function sendJson(response: Response, status: number, body: unknown): void {
  sendText(response, status, JSON_TYPE, JSON.stringify(body));
}

export function sendRaw(response: Response, answer: RawAnswer): void {
  if (response.headersSent) return;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  sendText(response, answer.status, answer.contentType, answer.text);
}

/**
 * Sends text through Node, not through `response.json`. Express would hash each body for an ETag, which an
 * answer with `no-store` cannot use.
 */
function sendText(response: Response, status: number, contentType: string, text: string | Buffer): void {
  if (response.headersSent) return;
  response.statusCode = status;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
