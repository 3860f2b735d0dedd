/**
 * Calls of the HTTP API for tests, through supertest (an optional peer dependency, loaded with the first call).
 * A request is sent when the test awaits it.
 */
import { Server, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Wallet } from 'ethers';
import { checkOptions, mustBe, optional } from '../src/domain/options';
import { addressOfWallet } from './test-wallets';

/** The app that has the router: an Express app, or any listener of Node's http server. */
export type ApiApp = (request: IncomingMessage, response: ServerResponse) => unknown;

/** An answer of the API. State the type of its JSON in the call: `await client.get<Market>('/public/markets/1')`. */
export interface ApiResponse<Body> {
  /** The HTTP status. */
  status: number;
  /** The headers, with their names in lower case. */
  headers: Record<string, string>;
  /** The JSON of the answer. */
  body: Body;
  /** The answer as text. */
  text: string;
}

/** A request that is sent when the test awaits it. */
export interface ApiRequest<Body> extends PromiseLike<ApiResponse<Body>> {
  /** Adds a header. */
  set(header: string, value: string): this;
  /** Adds parameters of the query string. */
  query(parameters: Record<string, string | number>): this;
  /** Sends JSON. If the body is a text, the text is sent as it is. */
  send(body: object | string): this;
  /** Rejects when the answer has another status. */
  expect(status: number): this;
}

/** Paths begin with a slash and are relative to `/api/v2`, or to the `base` that `api` was given. */
export interface ApiCaller {
  /** A GET request. */
  get<Body = Record<string, unknown>>(path: string): ApiRequest<Body>;
  /** A POST request. */
  post<Body = Record<string, unknown>>(path: string): ApiRequest<Body>;
  /** A PATCH request. */
  patch<Body = Record<string, unknown>>(path: string): ApiRequest<Body>;
}

/** Calls without a key, and with the key of a wallet. */
export interface ApiClient extends ApiCaller {
  /**
   * Calls with the wallet's API key. The first call gets the key by signing a challenge. Each `api(app)` gets a key of
   * its own, and a wallet may have at most five active keys.
   */
  as(wallet: Wallet): ApiCaller;
}

type Method = 'get' | 'post' | 'patch';

const BASE = mustBe('a text', (value) => typeof value === 'string');

/**
 * Calls the API of an app, as in `api(app).as(wallet).get('/public/balance')`. `base` is the path of the
 * API, default `/api/v2`. A router that is mounted under `/bets` has the base `/bets/api/v2`.
 */
export function api(app: ApiApp, options: { base?: string } = {}): ApiClient {
  // supertest also takes a server of `node:http` in place of an app.
  if (typeof app !== 'function' && !((app as unknown) instanceof Server))
    throw new TypeError('api: the first argument must be your Express app');
  checkOptions('api', options, { base: optional(BASE) });
  const { base = '/api/v2' } = options;
  if (base !== '') checkSlash(base, 'base ');
  const keys = new Map<string, Promise<string>>();
  const anonymous = callerOf((method, path) => new PendingRequest(app, method, { base, path }, null));
  return {
    ...anonymous,
    as(wallet) {
      const address = addressOfWallet(wallet);
      const key = (): Promise<string> => {
        const issued = keys.get(address) ?? issueKey(anonymous, wallet);
        keys.set(address, issued);
        return issued;
      };
      return callerOf((method, path) => new PendingRequest(app, method, { base, path }, key));
    },
  };
}

function callerOf(start: <Body>(method: Method, path: string) => ApiRequest<Body>): ApiCaller {
  return {
    get: (path) => start('get', path),
    post: (path) => start('post', path),
    patch: (path) => start('patch', path),
  };
}

const TOO_MANY_KEYS =
  'Each `api(app)` gets a new key for a wallet: call `api(app)` once and keep what it returns';

async function issueKey(anonymous: ApiCaller, wallet: Wallet): Promise<string> {
  const { address } = wallet;
  const challenge = await anonymous
    .post<{ data: { message: string; nonce: string } }>('/auth/challenge')
    .send({ address, action: 'issue' })
    .expect(200);
  const { message, nonce } = challenge.body.data;
  const signature = await wallet.signMessage(message);
  const issued = await anonymous
    .post<{ data: { apiKey: string } }>('/auth/token')
    .send({ address, message, signature, nonce });
  if (issued.status === 201) return issued.body.data.apiKey;
  const hint = issued.text.includes('KEY_LIMIT_REACHED') ? `. ${TOO_MANY_KEYS}` : '';
  throw new Error(`POST /auth/token: expected status 201, got ${issued.status}: ${issued.text}${hint}`);
}

/** The page of Express for a path that no router has. The router of a market answers 404 with JSON. */
const EXPRESS_404 = /<pre>Cannot [A-Z]+ \//;
const NO_ROUTER =
  'the app has no router of a market there. Write `app.use(market.pm.router)`, or give `api` the path of the API: `api(app, { base })`';
const OPERATORS = /^\/admin(?![^/?])/;
const NO_OPERATORS =
  "the app has no router of operators there. The operators' routes are those of `pm.adminRouter`, which the app mounts separately: `app.use('/ops', market.pm.adminRouter)` answers `api(app, { base: '/ops' }).get('/markets')`";

function checkSlash(path: string, name = ''): void {
  if (!path.startsWith('/'))
    throw new TypeError(`api: a path begins with a slash. Write ${name}'/${path}' in place of '${path}'`);
}

/**
 * Collects the parts of a request until the test awaits it, because the key and supertest are loaded
 * asynchronously.
 */
class PendingRequest<Body> implements ApiRequest<Body> {
  readonly #headers: [string, string][] = [];
  #query: Record<string, string | number> = {};
  #body: object | string | undefined;
  #status: number | null = null;
  #answer: Promise<ApiResponse<Body>> | null = null;

  constructor(
    private readonly app: ApiApp,
    private readonly method: Method,
    private readonly place: { base: string; path: string },
    private readonly key: (() => Promise<string>) | null,
  ) {
    checkSlash(place.path);
  }

  set(header: string, value: string): this {
    this.#headers.push([header, value]);
    return this;
  }

  query(parameters: Record<string, string | number>): this {
    this.#query = { ...this.#query, ...parameters };
    return this;
  }

  send(body: object | string): this {
    this.#body = body;
    return this;
  }

  expect(status: number): this {
    this.#status = status;
    return this;
  }

  then<Result = ApiResponse<Body>, Refusal = never>(
    fulfilled?: ((response: ApiResponse<Body>) => Result | PromiseLike<Result>) | null,
    rejected?: ((reason: unknown) => Refusal | PromiseLike<Refusal>) | null,
  ): Promise<Result | Refusal> {
    this.#answer ??= this.#perform();
    return this.#answer.then(fulfilled, rejected);
  }

  async #perform(): Promise<ApiResponse<Body>> {
    const supertest = await loadSupertest();
    const { base, path } = this.place;
    const name = `${this.method.toUpperCase()} ${base}${path}`;
    const call = supertest(this.app)[this.method](base + path);
    if (this.key !== null) call.set('X-API-Key', await this.key());
    for (const [header, value] of this.#headers) call.set(header, value);
    // Without this header, supertest would send a bare text as a form.
    if (typeof this.#body === 'string' && !this.#headers.some(([name]) => /^content-type$/i.test(name)))
      call.type('json');
    const response = await call.query(this.#query).send(this.#body);
    const { status, text } = response;
    if (status === 404 && EXPRESS_404.test(text))
      throw new Error(`${name}: ${OPERATORS.test(path) ? NO_OPERATORS : NO_ROUTER}`);
    if (this.#status !== null && status !== this.#status)
      throw new Error(`${name}: expected status ${this.#status}, got ${status}: ${text}`);
    return {
      status,
      headers: response.headers,
      body: response.body as Body,
      text,
    };
  }
}

async function loadSupertest() {
  try {
    return (await import('supertest')).default;
  } catch (cause) {
    throw new Error('The API helper needs the package supertest: npm install --save-dev supertest', {
      cause,
    });
  }
}
