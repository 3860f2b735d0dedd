/**
 * Sends one request to a facilitator under a time limit. A failure says whether the request may have arrived.
 */
import { unlessAborted } from '../../../src/ports/time-limit';
import { boundedTextOf } from '../../shared/bounded-text';

export type FacilitatorOperation = 'verify' | 'settle' | 'supported';

/** The request for which a `headers` function is called. */
export interface FacilitatorRequest {
  operation: FacilitatorOperation;
  method: 'GET' | 'POST';
  url: string;
}

export type HeadersSource =
  | Record<string, string>
  | ((request: FacilitatorRequest) => Record<string, string> | Promise<Record<string, string>>);

export type FacilitatorAnswer =
  /** `body` is `undefined` when the answer is not JSON. */
  | { outcome: 'answered'; status: number; body: unknown }
  /** The request cannot have reached the facilitator. */
  | { outcome: 'not_sent'; reason: string }
  /** The request may have reached the facilitator. */
  | { outcome: 'no_answer'; reason: string };

export interface Transport {
  call(operation: FacilitatorOperation, signal: AbortSignal, body?: object): Promise<FacilitatorAnswer>;
}

/** The longest answer of a facilitator. A longer answer is an error. */
const LONGEST_ANSWER_BYTES = 256 * 1024;

export function createTransport(address: string, headers: HeadersSource): Transport {
  const { baseUrl, authorization } = withoutCredentials(address);
  return {
    async call(operation, signal, body) {
      const method = body === undefined ? 'GET' : 'POST';
      const url = `${baseUrl}/${operation}`;
      let own: Record<string, string>;
      try {
        own =
          typeof headers === 'function'
            ? await withinLimit(headers({ operation, method, url }), signal)
            : headers;
      } catch (error) {
        return { outcome: 'not_sent', reason: `its headers could not be made: ${messageOf(error)}` };
      }
      const isAuthorized = Object.keys(own).some((name) => name.toLowerCase() === 'authorization');
      if (authorization !== null && !isAuthorized) own = { ...own, authorization };
      const sent = { ...own, accept: 'application/json', 'content-type': 'application/json' };
      try {
        const response = await fetch(url, {
          method,
          headers: sent,
          // A redirect is not followed: the POST would arrive as a GET, or take our credentials to another
          // server.
          redirect: 'manual',
          signal,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return {
          outcome: 'answered',
          status: response.status,
          body: parseJson(await readText(response, signal)),
        };
      } catch (error) {
        return { outcome: neverConnected(error) ? 'not_sent' : 'no_answer', reason: messageOf(error) };
      }
    },
  };
}

/** User and password of an address become a header, because `fetch` refuses an address with them. */
function withoutCredentials(address: string): { baseUrl: string; authorization: string | null } {
  const bare = new URL(address);
  const { username, password } = bare;
  if (username === '' && password === '')
    return { baseUrl: address.replace(/\/+$/, ''), authorization: null };
  bare.username = '';
  bare.password = '';
  const pair = Buffer.from(`${decoded(username)}:${decoded(password)}`);
  return { baseUrl: bare.href.replace(/\/+$/, ''), authorization: `Basic ${pair.toString('base64')}` };
}

/** The text without percent-encoding. A text that is not well encoded stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Applies the time limit to the `headers` function, which does not know the limit. */
function withinLimit<T>(headers: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return unlessAborted(signal, Promise.resolve(headers), () => new Error('the time limit was reached'));
}

async function readText(response: Response, signal: AbortSignal): Promise<string> {
  const text = await boundedTextOf(response, LONGEST_ANSWER_BYTES, signal);
  if (text === null) throw new Error(`the answer is longer than ${LONGEST_ANSWER_BYTES} bytes`);
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Failures of the name look-up, the connection and the TLS handshake: no byte of the request was sent. */
const BEFORE_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|CERT_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;

/**
 * Whether a request failed before its first byte was sent. This looks at the fields of the error, not at its
 * class, because `fetch` can throw errors of another realm (Jest, vm contexts).
 */
function neverConnected(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // If a name has several addresses, a connection is tried with each of them. All of these attempts have to
  // have failed.
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0)
    return error.errors.every(neverConnected);
  if ('code' in error && typeof error.code === 'string' && BEFORE_CONNECTION.test(error.code)) return true;
  return 'cause' in error && neverConnected(error.cause);
}

function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error);
  const cause = 'cause' in error && error.cause !== undefined ? `: ${messageOf(error.cause)}` : '';
  return `${String(error.message)}${cause}`;
}
