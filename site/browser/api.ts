/** Calls of the API and of the site's own data. */
import { apiUrl, storedKey } from './client';
import { base } from './page';

export class Refusal extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
  ) {
    super(message);
  }
}

interface Failure {
  message?: string;
  error?: string;
  code?: string;
}

async function call<T>(address: string, options: RequestInit): Promise<T> {
  const response = await fetch(address, options).catch(() => {
    throw new Refusal('The server cannot be reached.', 0, 'UNREACHABLE');
  });
  const body = (await response.json().catch(() => ({}))) as T & Failure;
  if (response.ok) return body;
  const message = body.message ?? body.error ?? `The server answered ${response.status}.`;
  throw new Refusal(message, response.status, body.code ?? '');
}

export function siteData<T>(path: string): Promise<T> {
  return call<T>(`${base}/site-data/${path}`, {});
}

export interface ApiOptions {
  body?: object;
  idempotencyKey?: string;
}

/** Calls the API with the stored key, if there is one. */
export function api<T>(method: 'GET' | 'POST', path: string, options: ApiOptions = {}): Promise<T> {
  const key = storedKey.get();
  const headers: Record<string, string> = {};
  if (key !== null) headers['X-API-Key'] = key;
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  if (options.idempotencyKey !== undefined) headers['Idempotency-Key'] = options.idempotencyKey;
  return call<T>(`${apiUrl}${path}`, {
    method,
    headers,
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  });
}

/** A random name. `crypto.randomUUID` would do, but it is missing on pages without https. */
export function randomName(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
