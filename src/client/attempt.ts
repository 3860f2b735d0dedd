/** Sends one request once and reads the whole answer, within a time limit. */
import type { ApiErrorCode, ClientErrorCode } from './errors';
import type { ServiceConnection } from './options';

/** A request. Each attempt sends the same headers and the same body. */
export interface SentRequest {
  method: string;
  url: string;
  /** The path and query, by which errors and reports name the request. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

export interface Answered {
  kind: 'answered';
  status: number;
  headers: Headers;
  body: unknown;
}

/** No answer came, or an answer by which the client cannot tell what the service did. */
export interface Lost {
  kind: 'lost';
  code: ClientErrorCode;
  status: number;
  message: string;
  headers: Headers | null;
  /** The JSON of the answer. Null if there is none. */
  body: unknown;
  cause: unknown;
}

export interface Refused {
  kind: 'refused';
  code: ApiErrorCode;
  status: number;
  message: string;
  headers: Headers;
  body: object;
}

export type AttemptResult = Answered | Refused | Lost;

export interface AttemptLimits {
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

export async function attempt(
  { fetch, timers }: Pick<ServiceConnection, 'fetch' | 'timers'>,
  request: SentRequest,
  { timeoutMs, signal }: AttemptLimits,
): Promise<AttemptResult> {
  if (signal?.aborted === true) return aborted(signal);
  const controller = new AbortController();
  let end: (result: Lost) => void = () => undefined;
  const ended = new Promise<Lost>((resolve) => (end = resolve));
  const stop = (result: Lost): void => {
    end(result);
    controller.abort(result.cause);
  };
  const onAbort = (): void => stop(aborted(signal));
  signal?.addEventListener('abort', onAbort);
  const cancel = timers.after(timeoutMs, () => stop(lost('TIMEOUT', `no answer within ${timeoutMs} ms`)));
  try {
    // The `fetch` of the caller may ignore the signal, so `ended` ends the wait too.
    return await Promise.race([exchange(fetch, request, controller.signal), ended]);
  } finally {
    cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}

async function exchange(
  fetch: ServiceConnection['fetch'],
  request: SentRequest,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { method, url, headers, body } = request;
  try {
    // A followed redirect could send the key to another host, or turn a POST into a GET.
    const init: RequestInit = { method, headers: { ...headers }, redirect: 'manual', signal };
    const response = await fetch(url, body === null ? init : { ...init, body });
    if (isRedirect(response)) return redirected(response);
    return await read(response, request);
  } catch (cause) {
    return lost('NETWORK_ERROR', `no answer came (${textOf(cause)})`, cause);
  }
}

function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function redirected({ status, headers }: Response): Lost {
  const to = headers.get('location');
  const message = `the address redirects${to === null ? '' : ` to ${to}`}; set baseUrl to the service`;
  return { ...lost('UNEXPECTED_ANSWER', message), status, headers };
}

/**
 * Every successful answer of the service to a change, and to a paid call, has one of these fields. An answer without
 * them, such as the JSON of a proxy, does not prove that the change was made, so it counts as lost.
 */
const CHANGED = [
  'totalCost',
  'tickerId',
  'transaction',
  'reference',
  'nonce',
  'apiKey',
  'revokedAt',
  'appliedAt',
  'updatedAt',
  'rateLimit',
  'removed',
  'rounds',
  'asOf',
  'endpoints',
];

/** Reads the data of an answer. The routes below `/auth` wrap their data in `{ success, data }`. */
export async function read(
  response: Response,
  { method, path }: Pick<SentRequest, 'method' | 'path'>,
): Promise<AttemptResult> {
  const { status, ok, headers } = response;
  const text = await boundedText(response);
  const all = parsed(text ?? '');
  const body = ok && path.startsWith('/auth/') ? isObject(all) && all['data'] : all;
  const isRead = method === 'GET' && !path.startsWith('/x402/');
  if (ok && isObject(body) && (isRead || CHANGED.some((field) => field in body)))
    return { kind: 'answered', status, headers, body };
  if (!ok && isObject(body) && typeof body['code'] === 'string')
    return {
      kind: 'refused',
      code: body['code'] as ApiErrorCode,
      status,
      message: messageOf(body),
      headers,
      body,
    };
  const problem = text === null ? 'is too large' : `is not the service's`;
  const hint = status === 404 ? '; check baseUrl and adminUrl' : '';
  const nothing = lost('UNEXPECTED_ANSWER', `the answer ${problem} (status ${status})${hint}`);
  return { ...nothing, status, headers, body: all ?? null };
}

/** A longer answer is not read to its end, because it could fill the memory. */
const MOST_CHARACTERS = 16_000_000;

/** Reads the text of the answer. Null if the text is longer than `MOST_CHARACTERS`. */
async function boundedText(response: Response): Promise<string | null> {
  const { headers, body } = response;
  if (Number(headers.get('content-length')) > MOST_CHARACTERS) {
    await body?.cancel();
    return null;
  }
  // The `fetch` of the caller may answer with a body that is no web stream.
  if (body === null || !('getReader' in body)) return response.text();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const decoder = new TextDecoder();
  for (let text = ''; ;) {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    if (done) return text;
    if (text.length > MOST_CHARACTERS) {
      await reader.cancel();
      return null;
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function messageOf(body: object): string {
  const { message, error } = body as { message?: unknown; error?: unknown };
  if (typeof message === 'string') return message;
  return typeof error === 'string' ? error : '';
}

function aborted(signal: AbortSignal | undefined): Lost {
  return lost('ABORTED', 'the caller ended the call', signal?.reason);
}

export function lost(code: ClientErrorCode, message: string, cause?: unknown): Lost {
  return { kind: 'lost', code, status: 0, message, headers: null, body: null, cause };
}

/** The message of an error. The `fetch` of Node puts the reason into the cause of its error. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
