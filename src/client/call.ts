import { isFirstUse } from './idempotency';
import type { Answer, Inputs, MethodOf, Path } from './operations';
import { USUAL_LIMITS, type CallOptions, type ServiceConnection, type UsualLimits } from './options';
import { filled, searchOf } from './path';
import type { Repeatable } from './repeat';
import { send, type Sending } from './send';
import { refuseOthers } from './unknown-options';

export interface CallExtras {
  idempotencyKey?: string;
  /**
   * Why the request may be sent again. Default: `read` for a GET, `keyed` with an idempotency key, else
   * `never`.
   */
  repeatable?: Repeatable;
  /** Whether an earlier call with the same reference may have been carried out. */
  mayHaveBeenSent?: boolean;
  limits?: UsualLimits;
}

export type Call = <P extends Path, M extends MethodOf<P>>(
  method: M,
  path: P,
  inputs: Inputs<P, M>,
  options?: CallOptions,
  extras?: CallExtras,
) => Promise<Answer<P, M>>;

export function createCall(connection: ServiceConnection): Call {
  return async <P extends Path, M extends MethodOf<P>>(
    method: M,
    path: P,
    inputs: Inputs<P, M>,
    options?: CallOptions,
    extras?: CallExtras,
  ) => {
    const { body } = await send(connection, sendingOf(connection, method, path, inputs, options, extras));
    return body as Answer<P, M>;
  };
}

export interface PlainInputs {
  path?: Readonly<Record<string, string | number>>;
  query?: unknown;
  body?: unknown;
}

export function sendingOf(
  connection: ServiceConnection,
  method: string,
  path: Path,
  inputs: PlainInputs,
  options: CallOptions = {},
  { idempotencyKey, repeatable, mayHaveBeenSent = false, limits = USUAL_LIMITS }: CallExtras = {},
): Sending {
  // `fetch` throws for some characters in a header, and the client would not know whether it sent the request.
  if (idempotencyKey !== undefined && !/^[\x20-\x7e]{1,128}$/.test(idempotencyKey))
    throw new TypeError('idempotencyKey must be 1 to 128 printable characters');
  refuseOthers(options, OF_CALLS);
  const isRead = method === 'get';
  const where = filled(path, inputs.path ?? {}) + searchOf(inputs.query ?? {});
  const usually = isRead ? 'read' : idempotencyKey === undefined ? 'never' : 'keyed';
  return {
    request: {
      method: method.toUpperCase(),
      url: addressOf(connection, path, where),
      path: where,
      headers: headersOf(connection, path, inputs.body, idempotencyKey),
      body: inputs.body === undefined ? null : JSON.stringify(inputs.body),
    },
    repeatable: repeatable ?? usually,
    options,
    limits,
    mayHaveBeenSent,
    ...(idempotencyKey !== undefined && { idempotencyKey, mayHaveBeenSent: !isFirstUse(idempotencyKey) }),
  };
}

/** The options that `sendingOf` accepts, including those of paid calls and of calls that sign. */
const OF_CALLS = /^(signal|timeoutMs|retry|maxPayment|payment|format)$/;

const ADMIN = '/admin';

function addressOf({ apiUrl, adminUrl }: ServiceConnection, path: Path, where: string): string {
  return path.startsWith(`${ADMIN}/`) ? adminUrl + where.slice(ADMIN.length) : apiUrl + where;
}

/** The key goes only to routes below `/public`, and the operators' token only to routes below `/admin`. */
function headersOf(
  { key, adminToken }: ServiceConnection,
  path: Path,
  body: unknown,
  idempotencyKey: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  const apiKey = key.get();
  if (path.startsWith('/public/') && apiKey !== null) headers['X-API-Key'] = apiKey;
  if (path.startsWith(`${ADMIN}/`) && adminToken !== null) headers['Authorization'] = `Bearer ${adminToken}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
  return headers;
}
