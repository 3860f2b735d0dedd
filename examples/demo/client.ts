/** The few calls that the demo makes, over plain fetch. A client in another language makes the same calls. */
import { exchange } from './print.js';

export interface CallOptions {
  apiKey?: string;
  adminToken?: string;
  idempotencyKey?: string;
  body?: unknown;
  /** `true` leaves this exchange out of the output. */
  quiet?: boolean;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export type Call = <Body>(
  method: 'GET' | 'POST',
  path: string,
  options?: CallOptions,
) => Promise<Answer<Body>>;

export function createCall(baseUrl: string): Call {
  return async <Body>(method: 'GET' | 'POST', path: string, options: CallOptions = {}) => {
    const headers: Record<string, string> = {};
    if (options.body !== undefined) headers['Content-Type'] = 'application/json';
    if (options.apiKey !== undefined) headers['X-API-Key'] = options.apiKey;
    if (options.adminToken !== undefined) headers.Authorization = `Bearer ${options.adminToken}`;
    if (options.idempotencyKey !== undefined) headers['Idempotency-Key'] = options.idempotencyKey;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers,
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    const body = (await response.json()) as Body;
    if (options.quiet !== true) exchange({ method, path, body: options.body }, response.status, body);
    if (!response.ok) {
      throw new Error(`${method} ${path} was answered ${response.status}: ${JSON.stringify(body)}`);
    }
    return { status: response.status, headers: response.headers, body };
  };
}
