/**
 * One POST to a model server, bounded in time and size, and repeated at most once. Its errors never contain
 * the key.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { boundedTextOf } from '../../shared/bounded-text';
import { TransportError, VoterError } from '../../shared/judge/errors';

const LONGEST_ANSWER_BYTES = 1_000_000;
const LONGEST_RETRY_WAIT_MS = 5_000;
const RETRY_WAIT_MS = 500;

/** The server has refused the request itself: it answered with a 4xx other than 429. */
export class RequestRefusedError extends VoterError {
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

/** Resolves with the text of the answer. Repeats once after 429, after 5xx, and when the connection fails. */
export async function postWithRetry(post: Post): Promise<string> {
  try {
    return await postOnce(post);
  } catch (error) {
    if (!(error instanceof TransportError) || post.signal.aborted) throw error;
    const pause = Math.min(error.retryAfterMs ?? RETRY_WAIT_MS, LONGEST_RETRY_WAIT_MS);
    await wait(pause, undefined, { signal: post.signal });
    return postOnce(post);
  }
}

async function postOnce({ url, headers, body, signal }: Post): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body: JSON.stringify(body),
    signal,
    // Redirects are refused: questions and the key go only to the configured address.
    redirect: 'error',
  }).catch(() => {
    throw new TransportError('the model server could not be reached');
  });
  if (response.ok) return readText(response, signal);
  await response.body?.cancel();
  const { status } = response;
  if (status !== 429 && status < 500) throw new RequestRefusedError(status);
  throw new TransportError(`the model server answered HTTP ${status}`, retryAfterMs(response));
}

async function readText(response: Response, signal: AbortSignal): Promise<string> {
  const text = await boundedTextOf(response, LONGEST_ANSWER_BYTES, signal).catch(() => {
    throw new TransportError('the model server broke off its answer');
  });
  if (text === null)
    throw new VoterError(`the model server answered with more than ${LONGEST_ANSWER_BYTES} bytes`);
  return text;
}

function retryAfterMs(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}
