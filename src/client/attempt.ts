/** Sends one request once and reads the whole answer, within a time limit. */
import type { ApiErrorCode, ClientErrorCode } from './errors';
import type { Connection } from './options';

/** A request as it is sent, every time with the same headers and the same body. */
export interface SentRequest {
  method: string;
  /** The whole address. */
  url: string;
  /** The path and query for errors and reports. */
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

/** No answer, or one that the service did not send. */
export interface Lost {
  kind: 'lost';
  code: ClientErrorCode;
  status: number;
  message: string;
  headers: Headers | null;
  /** What came, as far as it was JSON; else null. */
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
  { fetch, timers }: Pick<Connection, 'fetch' | 'timers'>,
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
    // A fetch of the caller's own may ignore the signal, so the first of the two counts.
    return await Promise.race([exchange(fetch, request, controller.signal), ended]);
  } finally {
    cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}

async function exchange(
  fetch: Connection['fetch'],
  { method, url, headers, body }: SentRequest,
  signal: AbortSignal,
): Promise<AttemptResult> {
  try {
    // A followed redirect would hand the key to another host, and turn a POST into a GET.
    const init: RequestInit = { method, headers: { ...headers }, redirect: 'manual', signal };
    const response = await fetch(url, body === null ? init : { ...init, body });
    if (isRedirect(response)) return redirected(response);
    return read(response, await response.text());
  } catch (cause) {
    return lost('NETWORK_ERROR', `no answer came (${textOf(cause)})`, cause);
  }
}

function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function redirected({ status, headers }: Response): Lost {
  const to = headers.get('location');
  const message = `the address redirects${to === null ? '' : ` to ${to}`}; set baseUrl to where the service is`;
  return { ...lost('UNEXPECTED_ANSWER', message), status, headers };
}

/** What an answer says. */
export function read({ status, ok, headers }: Response, text: string): AttemptResult {
  const body = parsed(text);
  if (ok && body !== undefined) return { kind: 'answered', status, headers, body };
  if (typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string') {
    return { kind: 'refused', code: body.code, status, message: messageOf(body), headers, body };
  }
  const message = ok ? 'the answer is not JSON' : `the answer is not the service's`;
  const nothing = lost('UNEXPECTED_ANSWER', `${message} (status ${status})`);
  return { ...nothing, status, headers, body: body ?? null };
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

/** The fetch of Node says what went wrong in the cause of its error. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
