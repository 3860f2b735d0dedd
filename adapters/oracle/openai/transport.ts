/**
 * One POST to a model server, bounded in time and size, and repeated once. Its errors never contain the key.
 */
import { setTimeout as wait } from 'node:timers/promises';

const MAX_ANSWER_BYTES = 1_000_000;
const MAX_RETRY_WAIT_MS = 5_000;
const DEFAULT_RETRY_WAIT_MS = 500;

/** The server cannot be reached or has a fault. Asking again may help. */
export class TransportError extends Error {
  override name = 'TransportError';
  constructor(
    message: string,
    readonly retryAfterMs: number = DEFAULT_RETRY_WAIT_MS,
  ) {
    super(message);
  }
}

/** The server refused the request itself (4xx except 429). */
export class RequestRefusedError extends Error {
  override name = 'RequestRefusedError';
  constructor(readonly status: number) {
    super(`the model server answered HTTP ${status}`);
  }
}

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: unknown;
  signal: AbortSignal;
}

/** Resolves with the parsed JSON of the answer. Repeats once after 429, 5xx and a lost connection. */
export async function postWithRetry(post: Post): Promise<unknown> {
  try {
    return await postOnce(post);
  } catch (error) {
    if (!(error instanceof TransportError) || post.signal.aborted) throw error;
    await wait(Math.min(error.retryAfterMs, MAX_RETRY_WAIT_MS), undefined, { signal: post.signal });
    return postOnce(post);
  }
}

async function postOnce({ url, headers, body, signal }: Post): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      signal,
      // A redirect would send the key to another address.
      redirect: 'error',
    });
  } catch {
    if (signal.aborted) throw new Error('the model server did not answer in time');
    throw new TransportError('the model server could not be reached');
  }
  if (response.status === 429 || response.status >= 500) {
    await response.body?.cancel();
    throw new TransportError(`the model server answered HTTP ${response.status}`, retryAfterMs(response));
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new RequestRefusedError(response.status);
  }
  return parseJson(await boundedText(response, signal));
}

async function boundedText(response: Response, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += (chunk as Uint8Array).byteLength;
      if (size > MAX_ANSWER_BYTES) break;
      chunks.push(chunk as Uint8Array);
    }
  } catch {
    if (signal.aborted) throw new Error('the model server did not answer in time');
    throw new TransportError('the model server broke off its answer');
  }
  if (size > MAX_ANSWER_BYTES)
    throw new Error(`the model server answered with more than ${MAX_ANSWER_BYTES} bytes`);
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error('the model server answered with something other than JSON');
  }
}

function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : DEFAULT_RETRY_WAIT_MS;
}
