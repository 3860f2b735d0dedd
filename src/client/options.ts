/** The options of `createClient`, and the `ServiceConnection` that is made of them. */
import { ownSocketClass } from './live/connectors';
import type { SocketClass } from './live/socket';
import { checkedMost, NATIVE_USDC, type PaymentToken } from './payment-terms';
import type { PaymentSigner } from './signers';
import { refuseOthers } from './unknown-options';

export type Fetch = typeof globalThis.fetch;
/** A fetch that pays by itself. */
export type PaidFetch = (input: string, init?: RequestInit) => Promise<Response>;
export type PayWith = PaymentSigner | ((fetch: Fetch) => PaidFetch);

/** The clock and the timers of the client. A test can give its own. */
export interface ClientTimers {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `callback` once after this many milliseconds. Returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
}

export interface RetryOptions {
  /** How many times a request is sent at most. Default 6; 1 repeats nothing. */
  attempts?: number | undefined;
  /**
   * For how many milliseconds after the start of a call the request may be sent again. Default 90,000; orders 30,000,
   * paid calls 240,000, an audit 600,000.
   */
  totalMs?: number | undefined;
}

export interface CallOptions {
  /** Ends the call. A request that was sent may still be carried out. */
  signal?: AbortSignal | undefined;
  /** How long one answer may take, in milliseconds. Default: the option `timeoutMs` of the client. */
  timeoutMs?: number | undefined;
  /** How often and for how long the request is sent again. Default: the option `retry` of the client. */
  retry?: RetryOptions | undefined;
}

/** One request that was sent, and how it ended. It contains no key and no body. */
export interface AttemptReport {
  /** The HTTP method. */
  method: string;
  /** The path of the request below the address of the API, with its query. */
  path: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** The HTTP status. 0 if no answer came. */
  status: number;
  /** The code of the failure; null if the request succeeded. */
  code: string | null;
  /** How long this attempt took. */
  durationMs: number;
  /** The pause before the request is sent again; null if it is not sent again. */
  repeatedAfterMs: number | null;
  /** How many requests the quota has left, as the answer says; else null. */
  remaining: number | null;
}

export interface ClientOptions {
  /**
   * The address of the service, with the mount path if there is one: `https://markets.example.com`. In a page
   * of the same origin a path is enough; the empty text stands for the root.
   */
  baseUrl: string;
  /**
   * The address that the messages for wallets name, which is the option `baseUrl` of the service. The client refuses
   * a message that names another host. Default: the host of `baseUrl`; null allows every host.
   */
  serviceUrl?: string | null | undefined;
  /** An API key. `connectWallet` gets a key for a wallet. */
  apiKey?: string | undefined;
  /** The token of the operators' routes, sent as `Authorization: Bearer`. Only `client.admin` sends it. */
  adminToken?: string | undefined;
  /**
   * Where the operators' routes are: an address, or a path on the origin of `baseUrl` (`/ops`). Default:
   * `/api/v2/admin` below `baseUrl`.
   */
  adminUrl?: string | undefined;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Milliseconds for one answer. Default 30,000; orders 10,000, paid calls 120,000, an audit 600,000. */
  timeoutMs?: number | undefined;
  /** How often and for how long a request is sent again. A call can have limits of its own. */
  retry?: RetryOptions | undefined;
  /** Called after each request, except the requests of the live feed. An error that it throws is ignored. */
  onAttempt?: ((report: AttemptReport) => void) | undefined;
  /**
   * Pays for `client.paid`: a signer (`fromEthers`, `fromViem`, `fromEip1193`), or a function that wraps a fetch
   * with a published client of x402.
   */
  payWith?: PayWith | undefined;
  /**
   * The most that one call may cost when a signer pays, in USD. Default 1. Deposits ignore the option: a deposit may
   * cost its own amount, and not more.
   */
  maxPayment?: number | undefined;
  /**
   * The tokens that a signer pays in. Default: `NATIVE_USDC`, which is USDC on Base and on Base Sepolia. A call that
   * asks for another token fails, and nothing is signed.
   */
  paymentTokens?: readonly PaymentToken[] | undefined;
  /**
   * The WebSocket class for the live feed, for example that of the package `ws`. Default: the global
   * `WebSocket`, which browsers and Node 22 have. With `null`, or where there is no such class, the client
   * uses server-sent events.
   */
  WebSocket?: SocketClass | null | undefined;
  /** Where the host has attached the socket. Default: `/api/v2/ws` below `baseUrl`. */
  socketUrl?: string | undefined;
  /** The clock and the timers. Default: those of the platform. A test can give its own. */
  timers?: ClientTimers | undefined;
  /** A random number from 0 to below 1. It spreads repeated requests in time. Default: `Math.random`. */
  random?: (() => number) | undefined;
}

/** The key that a client carries. `connectWallet` and `useApiKey` change it. */
export interface KeyHolder {
  /** The key that the client sends; null: none. */
  get(): string | null;
  /** Sends another key from now on. */
  set(key: string | null): void;
  /** Calls `listener` after each change. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}

export interface ServiceConnection {
  /** The address of `/api/v2`, without a slash at the end. */
  apiUrl: string;
  /** The only host that challenges may name; null allows every host. */
  serviceHost: string | null;
  adminUrl: string;
  adminToken: string | null;
  key: KeyHolder;
  fetch: Fetch;
  timeoutMs: number | null;
  retry: RetryOptions;
  onAttempt(report: AttemptReport): void;
  payWith: PayWith | null;
  maxPayment: number;
  paymentTokens: readonly PaymentToken[];
  socketClass: SocketClass | null;
  socketUrl?: string | undefined;
  timers: ClientTimers;
  random(): number;
}

/** The default limits of a kind of call. */
export interface UsualLimits {
  timeoutMs: number;
  totalMs: number;
}

export const USUAL_LIMITS: UsualLimits = { timeoutMs: 30_000, totalMs: 90_000 };
const USUAL_ATTEMPTS = 6;
const API_PATH = '/api/v2';

const realTimers: ClientTimers = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

export function connectionOf(options: ClientOptions): ServiceConnection {
  try {
    const connection = connectionFrom(options);
    limitsOf(connection, {}, USUAL_LIMITS);
    return connection;
  } catch (cause) {
    throw new TypeError(`createClient: ${(cause as Error).message}`, { cause });
  }
}

function connectionFrom(options: ClientOptions): ServiceConnection {
  const { baseUrl, serviceUrl, apiKey, adminToken, adminUrl, fetch, timeoutMs, retry, onAttempt, ...rest } =
    // In JavaScript the options may be missing. The error then names the missing `baseUrl`.
    (options as ClientOptions | undefined) ?? ({} as ClientOptions);
  const { payWith, maxPayment = 1, paymentTokens, WebSocket, socketUrl, timers, random, ...others } = rest;
  // Unknown names are refused first. Otherwise `url` in place of `baseUrl` would cause an error about `baseUrl`.
  if (Object(options) === options) refuseOthers(others);
  const apiUrl = apiUrlOf(baseUrl);
  for (const [name, value] of Object.entries({ fetch, onAttempt, random, WebSocket }))
    if (typeof (value ?? isNaN) !== 'function') throw new TypeError(`${name} must be a function`);
  return {
    apiUrl,
    serviceHost: hostOf(apiUrl, serviceUrl),
    adminUrl: adminUrlOf(apiUrl, adminUrl),
    adminToken: checkedSecret(adminToken, 'adminToken'),
    key: keyHolder(apiKey),
    // A fetch that is called as a method of another object fails in browsers.
    fetch: fetch ?? ((...request) => globalThis.fetch(...request)),
    timeoutMs: timeoutMs ?? null,
    retry: retry ?? {},
    onAttempt: (report) => {
      try {
        const result: unknown = onAttempt?.(report);
        // `onAttempt` may be an async function. Nothing else would handle its rejection.
        Promise.resolve(result).catch(() => undefined);
      } catch {
        // A failing `onAttempt` must not make an executed order look failed.
      }
    },
    payWith: checkedPayer(payWith ?? null),
    maxPayment: checkedMost(maxPayment),
    paymentTokens: paymentTokens ?? NATIVE_USDC,
    socketClass: WebSocket === undefined ? ownSocketClass() : WebSocket,
    socketUrl,
    timers: timers ?? realTimers,
    random: random ?? Math.random,
  };
}

export function limitsOf(
  { timeoutMs, retry }: Pick<ServiceConnection, 'timeoutMs' | 'retry'>,
  call: CallOptions,
  usual: UsualLimits,
): UsualLimits & { attempts: number } {
  for (const each of [retry, call.retry ?? retry]) {
    if (typeof each !== 'object') throw new TypeError('retry must be an object');
    refuseOthers(each, /^(attempts|totalMs)$/);
  }
  return {
    attempts: limitOf(call.retry?.attempts ?? retry.attempts ?? USUAL_ATTEMPTS, 'retry.attempts'),
    timeoutMs: limitOf(call.timeoutMs ?? timeoutMs ?? usual.timeoutMs, 'timeoutMs', Number.isFinite),
    totalMs: limitOf(call.retry?.totalMs ?? retry.totalMs ?? usual.totalMs, 'retry.totalMs', Number.isFinite),
  };
}

/** Checks a limit. `setTimeout` would treat a number above the bound, or a text such as `30s`, as 1 ms. */
export function limitOf(value: number, name: string, isNumber = Number.isInteger): number {
  if (!isNumber(value) || value < 1 || value >= 2 ** 31)
    throw new TypeError(`${name} must be an integer from 1 to 2147483647`);
  return value;
}

function apiUrlOf(baseUrl: string): string {
  const address = addressOf(baseUrl, 'baseUrl');
  return address.endsWith(API_PATH) ? address : address + API_PATH;
}

/** A path belongs to the origin of the service, also in a page of another origin. */
function adminUrlOf(apiUrl: string, text = `${apiUrl}/admin`): string {
  return addressOf(
    String(text).replace(/^(?=\/)/, parsedUrl(apiUrl)?.origin ?? ''),
    'adminUrl, if not a path,',
  );
}

function addressOf(text: string, name: string): string {
  // This also refuses a value that is no text, such as an environment variable that is not set.
  if (!/^(\/|$)/.test(text) || !('location' in globalThis)) {
    const url = parsedUrl(text);
    if (!/^https?:$/.test(url?.protocol ?? ''))
      throw new TypeError(
        `${name} must be an https:// or http:// address${text === undefined ? '; it is missing' : ''}`,
      );
    if (url?.href !== `${url?.origin}${url?.pathname}`)
      throw new TypeError(`${name} must hold no user, password, query or fragment`);
  }
  return text.replace(/\/+$/, '');
}

function hostOf(apiUrl: string, url: string | null = apiUrl): string | null {
  if (url === null) return null;
  // A path is an address of the page's own origin.
  const { location } = globalThis as { location?: { host: string } };
  return (parsedUrl(addressOf(url, 'serviceUrl')) ?? location)?.host ?? null;
}

function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function keyHolder(first: string | undefined): KeyHolder {
  let key = checkedSecret(first, 'the API key');
  const listeners = new Set<() => void>();
  return {
    get: () => key,
    set: (next) => {
      const before = key;
      key = checkedSecret(next, 'the API key');
      if (key !== before) for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function checkedPayer(payWith: PayWith | null): PayWith | null {
  if (payWith !== null && typeof payWith !== 'function' && !('signPayment' in Object(payWith)))
    throw new TypeError('payWith must be a signer of fromEthers, fromViem or fromEip1193');
  return payWith;
}

/** Trims and checks a secret. `fetch` would refuse a line break in a secret with an error that shows the secret. */
function checkedSecret(secret: string | null | undefined, name: string): string | null {
  if (secret === null || secret === undefined) return null;
  const trimmed = typeof secret === 'string' ? secret.trim() : '';
  if (!/^[\x21-\x7e]+$/.test(trimmed)) throw new TypeError(`${name} must be printable text`);
  return trimmed;
}
