/** Calls the operators' routes of a running server. */
import { UsageError } from './failures';
import type { Surroundings } from './surroundings';

export const OPERATORS_PATH = '/api/v2/admin';
const LIMIT_MS = 600_000;

export interface OperatorServer {
  get<Answer>(path: string): Promise<Answer>;
  send<Answer>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Answer>;
}

/**
 * The routes at an address. An address without a path is that of a standalone server. The token comes from the
 * environment, because other users of the machine can read the arguments of a command.
 */
export function operatorServer(url: string, { environment, fetch, stop }: Surroundings): OperatorServer {
  const base = operatorsAddress(url);
  const token = environment['ADMIN_TOKEN']?.trim();
  if (token === undefined || token === '')
    throw new UsageError('--url needs the token of the server in the environment variable ADMIN_TOKEN');

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)]),
    }).catch((error: unknown) => {
      throw new Error(`no answer from ${base}: ${reasonOf(error)}`);
    });
    const answer: unknown = await response.json().catch(() => null);
    if (response.status === 400) throw new UsageError(refusal(response.status, answer, base));
    if (!response.ok) throw new Error(refusal(response.status, answer, base));
    if (answer === null)
      throw new Error(`${base} answered without JSON: is it the address of the operators' routes?`);
    return answer;
  }
  return {
    get: async <Answer>(path: string) => (await call('GET', path)) as Answer,
    send: async <Answer>(method: string, path: string, body?: object) =>
      (await call(method, path, body)) as Answer,
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

/** The reason of `fetch` stands in its cause. */
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
