/** Calls the operators' routes of a running server. */
import { UsageError } from './failures';
import type { CommandContext } from './command-context';

export const OPERATORS_PATH = '/api/v2/admin';
const LIMIT_MS = 600_000;
/** A wrong argument, or a token that the server refuses: the same call would fail again. */
const NEEDS_A_PERSON = [400, 401, 403];

export interface OperatorServer {
  /**
   * `field` names a field that the expected answer has. An answer without it is refused, because the server
   * of another program may answer with JSON of its own.
   */
  get<Answer>(path: string, field: keyof Answer & string): Promise<Answer>;
  send<Answer>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    field: keyof Answer & string,
    body?: object,
  ): Promise<Answer>;
}

/**
 * Makes the calls of the routes at an address. An address without a path is taken for that of a standalone
 * server. The token comes from the environment, because other users of the machine can read the arguments of
 * a command.
 */
export function operatorServer(url: string, { environment, fetch, stop }: CommandContext): OperatorServer {
  const base = operatorsAddress(url);
  const token = environment['ADMIN_TOKEN']?.trim();
  if (token === undefined || token === '')
    throw new UsageError('--url needs the token of the server in the environment variable ADMIN_TOKEN');

  async function call(method: string, path: string, field: string, body?: object): Promise<unknown> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // After a redirect `fetch` would repeat a POST as a GET, which changes nothing on the server.
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)]),
    }).catch((error: unknown) => {
      throw new Error(`no answer from ${base}: ${reasonOf(error)}`);
    });
    if (response.status >= 300 && response.status < 400) throw new Error(redirection(response, base));
    const answer: unknown = await response.json().catch(() => null);
    if (NEEDS_A_PERSON.includes(response.status))
      throw new UsageError(refusal(response.status, answer, base));
    if (!response.ok) throw new Error(refusal(response.status, answer, base));
    if (typeof answer !== 'object' || answer === null || !(field in answer))
      throw new Error(
        `${base} gave another answer than expected: is it the address of the operators' routes?`,
      );
    return answer;
  }
  return {
    get: async <Answer>(path: string, field: string) => (await call('GET', path, field)) as Answer,
    send: async <Answer>(method: string, path: string, field: string, body?: object) =>
      (await call(method, path, field, body)) as Answer,
  };
}

function operatorsAddress(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError('--url: expected an http:// or https:// address');
  const { origin, pathname, username, search, hash } = new URL(url);
  if (username !== '' || search !== '' || hash !== '')
    throw new UsageError('--url: expected an address without credentials, query or fragment');
  return pathname === '/' ? `${origin}${OPERATORS_PATH}` : `${origin}${pathname.replace(/\/+$/, '')}`;
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

function refusal(status: number, answer: unknown, base: string): string {
  if (status === 401) return `${base} refused ADMIN_TOKEN`;
  const { message, code } = (answer ?? {}) as { message?: unknown; code?: unknown };
  if (typeof message !== 'string') return `${base} answered ${String(status)}`;
  return typeof code === 'string' ? `${message} (${code})` : message;
}
