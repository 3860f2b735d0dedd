/** Sends requests to the operations of a service, which are named as in the table of examples. */
import { API_PREFIX } from '../src/http/prefix';
import { OPERATORS, type ClientDocuments } from './client-documents';
import type { ExchangeRecorder } from './exchange-recorder';

/** A value of a path parameter that no server can decode. */
export const UNREADABLE = '%';

export interface Asked {
  parameters?: Readonly<Record<string, string | number>>;
  body?: unknown;
  key?: string;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** `name` is the operation, such as `post /public/withdrawals`. */
export type Ask = (name: string, asked?: Asked) => Promise<Response>;

export function askerOf(
  service: string,
  { callers }: ClientDocuments,
  fetch: ExchangeRecorder['fetch'],
): Ask {
  return async (name, { parameters = {}, body, key, headers, signal } = {}) => {
    const [method = '', template = ''] = name.split(' ');
    const isOfCallers = callers.paths[API_PREFIX + template]?.[method] !== undefined;
    const inQuery = new URLSearchParams();
    let path = template;
    for (const [parameter, value] of Object.entries(parameters)) {
      const place = `{${parameter}}`;
      if (template.includes(place))
        path = path.replace(place, value === UNREADABLE ? UNREADABLE : encodeURIComponent(value));
      else inQuery.set(parameter, String(value));
    }
    const search = inQuery.size === 0 ? '' : `?${inQuery.toString()}`;
    return fetch(service + (isOfCallers ? API_PREFIX : OPERATORS) + path + search, {
      method: method.toUpperCase(),
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === undefined ? {} : { 'X-API-Key': key }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  };
}
