/** Calls the operators' routes of a running server. */
import { ERROR_TABLE } from 'express-prediction-market';
import { boundedTextOf } from '../adapters/shared/bounded-text';
import { timeoutSignal } from '../src/ports/time-limit';
import { isRefusal, UsageError } from './needs-a-person';
import type { CommandContext } from './command-context';

export const OPERATORS_PATH = '/api/v2/admin';
const LIMIT_MS = 30_000;
/** The server itself ends an audit after 10 minutes. */
export const AUDIT_LIMIT_MS = 600_000;
/** The audit of broken books may list many differences. */
const LONGEST_ANSWER_BYTES = 64 * 1024 * 1024;

export interface ServerRequest {
  method: string;
  /** Below the address of the operators' routes, with the query. */
  path: string;
  /**
   * A field that the expected answer has. An answer without it is refused, because the server of another program may
   * answer with JSON of its own.
   */
  field: string;
  body?: object;
}

export interface OperatorServer {
  call<Answer>(request: ServerRequest): Promise<Answer>;
}

/**
 * Calls the operators' routes of the server at `url`. An address without a path is taken for that of a standalone
 * server. The token comes from the environment, because other users of the machine can read the arguments of
 * a command.
 */
export function operatorServer(
  url: string,
  { environment, fetch, stop }: CommandContext,
  limitMs = LIMIT_MS,
): OperatorServer {
  const base = operatorsAddress(url);
  const token = environment['ADMIN_TOKEN']?.trim();
  if (token === undefined || token === '')
    throw new UsageError('--url needs the token of the server in the environment variable ADMIN_TOKEN');

  async function call({ method, path, field, body }: ServerRequest): Promise<unknown> {
    const signal = AbortSignal.any([stop, timeoutSignal(limitMs)]);
    const noAnswer = (error: unknown): never => {
      if (reasonOf(error) === 'ERR_SSL_WRONG_VERSION_NUMBER')
        throw new UsageError(`${base} does not speak TLS: does its address begin with http://?`);
      const reason =
        signal.reason instanceof DOMException ? `none within ${limitMs / 1000} s` : reasonOf(error);
      throw new Error(`no answer from ${base}: ${stop.aborted ? 'the command was stopped' : reason}`);
    };
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // After most redirects `fetch` would repeat a POST as a GET, which changes nothing on the server.
      redirect: 'manual',
      signal,
    }).catch(noAnswer);
    if (response.status >= 300 && response.status < 400) throw new UsageError(redirection(response, base));
    const answer = parsed(await boundedTextOf(response, LONGEST_ANSWER_BYTES, signal).catch(noAnswer));
    if (isNoRoute(response.status, answer)) throw new UsageError(noRoutes(`${base}${path.split('?')[0]}`));
    if (isRefusal(response.status)) throw new UsageError(refusal(response.status, answer, base));
    if (!response.ok) throw new Error(refusal(response.status, answer, base));
    if (typeof answer !== 'object' || answer === null || !(field in answer))
      throw new UsageError(
        `${base} gave another answer than expected: is it the address of the operators' routes?`,
      );
    return answer;
  }
  return { call: async <Answer>(request: ServerRequest) => (await call(request)) as Answer };
}

function operatorsAddress(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError('--url: expected an http:// or https:// address');
  const { origin, pathname, username, search, hash } = new URL(url);
  if (username !== '' || search !== '' || hash !== '')
    throw new UsageError('--url: expected an address without credentials, query or fragment');
  return pathname === '/' ? `${origin}${OPERATORS_PATH}` : `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** The JSON of an answer. `null` for a text that is not JSON, or is too long. */
function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

function redirection({ status, headers }: Response, base: string): string {
  const target = headers.get('location');
  const where = target === null ? '' : ` to ${target}`;
  return `${base} answered ${status}, a redirect${where}: give the address that the server itself has`;
}

/** The error of `fetch` has the reason in its `cause`. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}

/**
 * Whether the server has no such route. A route that finds no row answers 404 too, but with a code of its own or with
 * another message than that of an unknown path.
 */
function isNoRoute(status: number, answer: unknown): boolean {
  const { code, message } = (answer ?? {}) as { code?: unknown; message?: unknown };
  if (status !== 404 || (typeof code === 'string' && code !== 'NOT_FOUND')) return false;
  return code === undefined || `${String(message)}.` === ERROR_TABLE.NOT_FOUND.meaning;
}

function noRoutes(asked: string): string {
  const expected =
    'the address of the server, without a path such as /docs, or the whole address of these routes';
  return `${asked} answered 404: there are no operators' routes; --url is ${expected}`;
}

function refusal(status: number, answer: unknown, base: string): string {
  if (status === 401) return `${base} refused ADMIN_TOKEN`;
  const { message, code } = (answer ?? {}) as { message?: unknown; code?: unknown };
  if (typeof message !== 'string') return `${base} answered ${String(status)}`;
  return typeof code === 'string' ? `${message} (${code})` : message;
}
