import {
  createClient,
  newIdempotencyKey,
  type AttemptReport,
  type ClientOptions,
  type PaymentSigner,
  type PredictionMarketClient,
} from '../../src/client/index';
import { errorOf } from './support/error-of';
import { ADMIN_TOKEN, serveMarket, type Fault, type ServedMarket } from './support/server';
import { testTimers, TIMEOUT_MS } from './support/timers';

let served: ServedMarket;
let apiKey: string;
let market: number;
beforeAll(async () => {
  served = await serveMarket({ keyRateLimit: 10_000, addressRateLimit: 10_000 });
  const { test } = served;
  const trader = test.wallet('trader');
  apiKey = await test.apiKey(trader);
  await test.fund(trader, 1_000);
  market = (await test.createMarket()).id;
});
afterAll(() => served.close());
beforeEach(() => {
  served.seen.length = 0;
  served.faults.length = 0;
});

const AWAY: Fault = {
  status: 503,
  headers: { 'Retry-After': '2' },
  body: { code: 'SERVICE_UNAVAILABLE', message: 'The storage is away.' },
};
const TOO_MANY: Fault = {
  status: 429,
  headers: { 'Retry-After': '17' },
  body: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many.' },
};
const PROXY_PAGE: Fault = { status: 502, body: '<html>Bad gateway</html>' };
const BUY = { side: 'YES', amount: 1 } as const;

interface Setup {
  client: PredictionMarketClient;
  pauses: number[];
  reports: AttemptReport[];
}

function setUp(options: Partial<ClientOptions> = {}, timers = testTimers()): Setup {
  const reports: AttemptReport[] = [];
  const client = createClient({
    baseUrl: served.url,
    apiKey,
    timers,
    random: () => 0.5,
    timeoutMs: TIMEOUT_MS,
    onAttempt: (report) => void reports.push(report),
    ...options,
  });
  return { client, pauses: timers.pauses, reports };
}

const keysSeen = (): unknown[] => served.seen.map(({ headers }) => headers['idempotency-key']);
const tradesMade = async (): Promise<number> => (await served.test.pm.listTrades({ market })).total;

describe('an order', () => {
  it('whose answer is lost is sent again with its key, and trades once', async () => {
    const { client, pauses, reports } = setUp();
    const before = await tradesMade();
    served.faults.push('lost', 'lost');
    const trade = await client.trades.place(market, BUY);
    expect(await tradesMade()).toBe(before + 1);
    expect(trade.totalCost).toBeCloseTo(1, 5);
    expect(keysSeen()).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f]{32}$/)));
    expect(new Set(keysSeen()).size).toBe(1);
    expect(pauses).toEqual([188, 375]);
    expect(reports.map(({ code, repeatedAfterMs }) => [code, repeatedAfterMs])).toEqual([
      ['NETWORK_ERROR', 188],
      ['NETWORK_ERROR', 375],
      [null, null],
    ]);
  });

  it('waits for as long as the service says, and not past the limit of the call', async () => {
    const { client, pauses } = setUp();
    served.faults.push(TOO_MANY, AWAY, PROXY_PAGE);
    await client.trades.place(market, BUY);
    expect(pauses).toEqual([17_250, 2_250, 750]);
    served.faults.push(TOO_MANY, null);
    const error = await errorOf(client.trades.place(market, BUY, { retry: { totalMs: 10_000 } }));
    expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', attempts: 1, retryAfterSeconds: 17 });
    expect(error.outcome).toBe('refused');
  });

  it('that stays without an answer tells its key, and goes on with it', async () => {
    const { client } = setUp();
    const before = await tradesMade();
    served.faults.push('lost', AWAY, AWAY, AWAY, AWAY, 'lost');
    const error = await errorOf(client.trades.place(market, BUY));
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', status: 0, attempts: 6, outcome: 'unknown' });
    expect(await tradesMade()).toBe(before + 1);
    await client.trades.place(market, BUY, { idempotencyKey: error.idempotencyKey ?? undefined });
    expect(await tradesMade()).toBe(before + 1);
    const other = await errorOf(
      client.trades.place(
        market,
        { ...BUY, amount: 2 },
        { idempotencyKey: error.idempotencyKey ?? undefined },
      ),
    );
    expect(other).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', attempts: 1, outcome: 'refused' });
  });

  it('may have traded if only a later attempt was refused: an earlier copy may still arrive', async () => {
    const { client } = setUp();
    served.faults.push('lost', { status: 401, body: { code: 'UNAUTHORIZED', message: 'revoked' } });
    expect(await errorOf(client.trades.place(market, BUY))).toMatchObject({
      code: 'UNAUTHORIZED',
      outcome: 'unknown',
    });
    served.faults.push(AWAY, { status: 409, body: { code: 'SLIPPAGE_EXCEEDED', message: 'no' } });
    expect(await errorOf(client.trades.place(market, BUY))).toMatchObject({
      code: 'SLIPPAGE_EXCEEDED',
      outcome: 'unknown',
    });
    served.faults.push(AWAY, { status: 400, body: { code: 'VALIDATION_ERROR', message: 'no side' } });
    expect(await errorOf(client.trades.place(market, BUY))).toMatchObject({
      code: 'VALIDATION_ERROR',
      outcome: 'refused',
    });
    served.faults.push(AWAY, { status: 404, body: { code: 'MARKET_NOT_FOUND', message: 'none' } });
    expect(await errorOf(client.markets.get(market))).toMatchObject({ outcome: 'refused' });
  });

  it('with a key of an earlier call may have traded, even if it is refused now', async () => {
    const { client } = setUp();
    const before = await tradesMade();
    served.faults.push('lost');
    const { idempotencyKey } = await errorOf(client.trades.place(market, BUY, { retry: { attempts: 1 } }));
    expect(await tradesMade()).toBe(before + 1);
    for (const key of [idempotencyKey ?? '', 'of-an-earlier-run']) {
      served.faults.push(TOO_MANY);
      const again = client.trades.place(market, BUY, { idempotencyKey: key, retry: { attempts: 1 } });
      expect(await errorOf(again)).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', outcome: 'unknown' });
    }
    served.faults.push(TOO_MANY);
    const first = { idempotencyKey: newIdempotencyKey(), retry: { attempts: 1 } };
    expect(await errorOf(client.trades.place(market, BUY, first))).toMatchObject({ outcome: 'refused' });
  });

  it('without a key, even with null in its place, gets a new one', async () => {
    const { client } = setUp();
    await client.trades.place(market, BUY, { idempotencyKey: null });
    expect(keysSeen()).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  it('is not sent again after a refusal, or after an answer that makes no sense', async () => {
    const { client } = setUp();
    expect(await errorOf(client.trades.place(market, { ...BUY, maxPrice: 0.01 }))).toMatchObject({
      code: 'SLIPPAGE_EXCEEDED',
      outcome: 'refused',
      attempts: 1,
    });
    served.faults.push({ status: 200, body: '<html>log in first</html>' });
    expect(await errorOf(client.trades.place(market, BUY))).toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      outcome: 'unknown',
      attempts: 1,
    });
    served.faults.push({ status: 500, body: { code: 'INTERNAL_ERROR', message: 'a fault' } });
    expect(await errorOf(client.trades.place(market, BUY))).toMatchObject({
      outcome: 'unknown',
      attempts: 1,
    });
  });
});

it('an order is given up earlier than other calls, so that none trades on an old price', async () => {
  const { client, reports } = setUp();
  served.faults.push({ ...TOO_MANY, headers: { 'Retry-After': '58' } });
  expect(await errorOf(client.trades.place(market, BUY))).toMatchObject({
    retryAfterSeconds: 58,
    attempts: 1,
  });
  served.faults.push({ ...TOO_MANY, headers: { 'Retry-After': '58' } });
  await client.account.balance();
  expect(reports.map(({ repeatedAfterMs }) => repeatedAfterMs)).toEqual([null, 58_250, null]);
});

it('a POST without a key of its own is sent once', async () => {
  const { client } = setUp();
  const body = {
    question: 'Will it rain?',
    resolutionCriteria: 'As measured.',
    resolveDate: '2031-01-01T00:00:00Z',
    category: 'science',
  } as const;
  for (const fault of ['lost', AWAY, TOO_MANY, PROXY_PAGE] as const) {
    served.faults.push(fault);
    expect(await errorOf(client.markets.create(body))).toMatchObject({ attempts: 1 });
  }
  expect(served.seen).toHaveLength(4);
});

it('a read is sent again, and a refused one is not', async () => {
  const { client, pauses } = setUp();
  served.faults.push('lost', PROXY_PAGE, AWAY);
  expect((await client.markets.get(market)).id).toBe(market);
  expect(pauses).toHaveLength(3);
  expect(await errorOf(client.markets.get(99_999))).toMatchObject({ code: 'MARKET_NOT_FOUND', attempts: 1 });
});

it('a server that is started again is outlasted: five pauses take four to eight seconds', async () => {
  const { client, pauses } = setUp();
  served.faults.push(...Array.from({ length: 5 }, () => 'lost' as const));
  expect((await client.trades.place(market, BUY)).shares).toBeGreaterThan(0);
  const total = pauses.reduce((sum, pause) => sum + pause, 0);
  expect([pauses.length, total >= 3_875, total <= 7_750]).toEqual([5, true, true]);
});

it('an answer that does not come in time counts as lost', async () => {
  const { client } = setUp({ fetch: () => new Promise(() => undefined) }, testTimers({ timesOut: true }));
  expect(
    await errorOf(client.trades.place(market, BUY, { retry: { totalMs: 5 * TIMEOUT_MS } })),
  ).toMatchObject({
    code: 'TIMEOUT',
    attempts: 5,
    outcome: 'unknown',
    idempotencyKey: expect.any(String),
  });
});

describe("an answer that is not the service's", () => {
  const login = { status: 200, body: { status: 'ok', login: 'https://proxy.test/' } };

  it('is no success of a change, whose outcome is then unknown', async () => {
    const { client } = setUp({ adminToken: ADMIN_TOKEN });
    const { address } = served.test.wallet('trader');
    for (const call of [
      () => client.trades.place(market, BUY),
      () => client.withdrawals.request(1),
      () => client.admin.accounts.deposit(address, { amount: 1, reference: 'wire 1' }),
      () => client.paid.deposit(1, { payment: { header: 'X-PAYMENT', value: 'e30=' } }),
      () => client.keys.challenge({ address, action: 'issue' }),
    ])
      for (const body of [login.body, { ...login.body, code: 'LOGIN' }, { data: null }, [], null, 1]) {
        served.faults.push({ status: 200, body: JSON.stringify(body) });
        const error = await errorOf(call());
        expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', outcome: 'unknown', attempts: 1 });
      }
  });

  it('is no success of a read, unless it is an object', async () => {
    const { client } = setUp();
    for (const body of ['[]', 'null', '"text"', '7'])
      for (const call of [() => client.markets.list(), () => client.keys.list('0x1')]) {
        served.faults.push({ status: 200, body });
        expect(await errorOf(call())).toMatchObject({ code: 'UNEXPECTED_ANSWER', outcome: 'refused' });
      }
  });

  it('is not read to its end if it never ends, or says that it is very large', async () => {
    let sent = 0;
    let cancelled = 0;
    const part = new TextEncoder().encode('x'.repeat(1_000_000));
    const endless = (headers: Record<string, string>): Response => {
      const stream = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 1;
          controller.enqueue(part);
        },
        cancel: () => void (cancelled += 1),
      });
      return new Response(stream, { headers });
    };
    const sizes: Record<string, string>[] = [{}, { 'Content-Length': '90000000' }];
    for (const headers of sizes) {
      const { client } = setUp({ fetch: () => Promise.resolve(endless(headers)) });
      const error = await errorOf(client.trades.place(market, BUY));
      expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', outcome: 'unknown', attempts: 1 });
      expect(error.message).toContain('too large');
    }
    expect(cancelled).toBe(2);
    expect(sent).toBeLessThan(25);
  });
});

describe('a read without an answer', () => {
  it('is refused, because it changes nothing', async () => {
    const { client } = setUp({ adminToken: ADMIN_TOKEN });
    const page: Fault = { status: 200, body: '<html>log in first</html>' };
    const fault: Fault = { status: 500, body: { code: 'INTERNAL_ERROR', message: 'a fault' } };
    for (const each of ['lost', page, fault] as const) {
      served.faults.push(each);
      const error = await errorOf(client.markets.get(market, { retry: { attempts: 1 } }));
      expect(error).toMatchObject({ attempts: 1, outcome: 'refused' });
    }
    const signal = AbortSignal.abort();
    expect(await errorOf(client.account.balance({ signal }))).toMatchObject({ outcome: 'refused' });
    // The first request of a paid call only asks for the price, so this request counts as a read.
    served.faults.push('lost');
    const price = client.paid.deposit(1, { retry: { attempts: 1 } });
    expect(await errorOf(price)).toMatchObject({ code: 'NETWORK_ERROR', outcome: 'refused' });
  });
});

describe("an operators' deposit", () => {
  it('may have been credited before, because the operator brings its reference', async () => {
    const { client } = setUp({ adminToken: ADMIN_TOKEN });
    const { address } = served.test.wallet('trader');
    const deposit = () =>
      client.admin.accounts.deposit(address, { amount: 5, reference: 'wire 9' }, { retry: { attempts: 1 } });
    served.faults.push('lost');
    expect(await errorOf(deposit())).toMatchObject({ outcome: 'unknown' });
    for (const [status, code] of [
      [429, 'RATE_LIMIT_EXCEEDED'],
      [401, 'UNAUTHORIZED'],
    ] as const) {
      served.faults.push({ status, body: { code, message: 'no' } });
      expect(await errorOf(deposit())).toMatchObject({ code, outcome: 'unknown' });
    }
    const other = client.admin.accounts.deposit(address, { amount: 6, reference: 'wire 9' });
    expect(await errorOf(other)).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', outcome: 'refused' });
    served.faults.push({ status: 400, body: { code: 'VALIDATION_ERROR', message: 'no' } });
    expect(await errorOf(deposit())).toMatchObject({ outcome: 'refused' });
  });
});

describe('a signal', () => {
  it('ends a call before it is sent, while it is under way, and during a pause', async () => {
    const { client } = setUp();
    const reason = new Error('the bot stops');
    const before = errorOf(client.account.balance({ signal: AbortSignal.abort(reason) }));
    expect(await before).toMatchObject({ code: 'ABORTED', cause: reason });
    expect(served.seen).toEqual([]);

    const underWay = new AbortController();
    const hanging = setUp({ fetch: () => new Promise(() => queueMicrotask(() => underWay.abort(reason))) });
    const order = errorOf(hanging.client.trades.place(market, BUY, { signal: underWay.signal }));
    expect(await order).toMatchObject({
      code: 'ABORTED',
      outcome: 'unknown',
      idempotencyKey: expect.any(String),
    });

    const pausing = new AbortController();
    const paused = setUp({ onAttempt: () => queueMicrotask(() => pausing.abort(reason)) });
    served.faults.push(AWAY);
    expect(await errorOf(paused.client.account.balance({ signal: pausing.signal }))).toMatchObject({
      code: 'ABORTED',
      cause: reason,
    });
    expect(served.seen).toHaveLength(1);
  });
});

describe('secrets', () => {
  it('are in no error, no report and no print of the client', async () => {
    const { client, reports } = setUp({ adminToken: 'operator-secret' });
    const errors: unknown[] = [];
    for (const fault of ['lost', PROXY_PAGE, { status: 418, body: { code: 'X', message: 'm' } }] as const) {
      served.faults.push(...Array.from({ length: 6 }, () => fault));
      errors.push(await errorOf(client.account.balance()), await errorOf(client.admin.markets.close(1)));
      served.faults.length = 0;
    }
    const { inspect } = await import('node:util');
    const shown = inspect({ errors, reports, client }, { depth: 20, showHidden: true });
    expect(shown).toContain('NETWORK_ERROR');
    expect(shown).not.toContain(apiKey);
    expect(shown).not.toContain('operator-secret');
  });

  it('go to no other host and to no route that does not need them', async () => {
    const { client } = setUp({ adminToken: 'operator-secret' });
    served.faults.push({ status: 307, headers: { Location: 'http://elsewhere.test/' } });
    expect(await errorOf(client.account.balance())).toMatchObject({ code: 'UNEXPECTED_ANSWER', attempts: 1 });
    await client.keys.list(served.test.wallet('trader').address);
    await client.account.balance();
    await errorOf(client.admin.treasury.get());
    const secrets = served.seen.map(({ headers }) => [headers['x-api-key'], headers.authorization]);
    expect(secrets).toEqual([
      [apiKey, undefined],
      [undefined, undefined],
      [apiKey, undefined],
      [undefined, 'Bearer operator-secret'],
    ]);
  });

  it('that no key can be are refused without being shown', () => {
    expect(() => setUp({ apiKey: `${apiKey}\r\nX-Other: 1` })).toThrow(
      /^createClient: the API key must be printable text$/,
    );
    expect(() => setUp({ adminToken: 'operator\nsecret' })).toThrow(
      /^createClient: adminToken must be printable text$/,
    );
    expect(() => setUp({ apiKey: `${apiKey}\n` })).not.toThrow();
  });
});

it('an asynchronous observer that fails does not end the process', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const { client } = setUp({ onAttempt: (): unknown => Promise.reject(new Error('the log is full')) });
  await client.trades.place(market, BUY);
  await client.account.balance();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

it('a key that no header can carry is refused before the order is sent', async () => {
  const { client } = setUp();
  for (const idempotencyKey of ['a\nb', '', 'x'.repeat(129)])
    await expect(client.trades.place(market, BUY, { idempotencyKey })).rejects.toThrow(TypeError);
  expect(served.seen).toEqual([]);
});

it('an observer that throws does not spoil an order', async () => {
  const { client } = setUp({
    onAttempt: () => {
      throw new Error('the log is full');
    },
  });
  await expect(client.trades.place(market, BUY)).resolves.toMatchObject({ marketId: market });
});

it.each([
  ['', /baseUrl must be an https:/],
  ['/api', /baseUrl must be an https:/],
  ['markets.example.com', /must be an https:/],
  ['ftp://markets.example.com', /must be an https:/],
  ['https://user:pass@markets.example.com', /no user/],
])('the address "%s" is refused', (baseUrl, message) => {
  expect(() => createClient({ baseUrl })).toThrow(message);
});

it('an address that is not there, as when a variable is not set, is refused by its name', () => {
  const unset = undefined as unknown as string;
  expect(() => createClient({ baseUrl: unset })).toThrow(/^createClient: baseUrl must be an https:/);
});

it('a wallet that cannot sign payments as it stands is refused as payWith', () => {
  const payWith = served.test.wallet('payer') as unknown as PaymentSigner;
  expect(() => createClient({ baseUrl: served.url, payWith })).toThrow(
    /payWith must be a signer of fromEthers/,
  );
});

it('a 404 that is not of the service, as of the routes of operators elsewhere, names the options to look at', async () => {
  const { client } = setUp({ adminUrl: `${served.url}/elsewhere`, adminToken: 'a-token' });
  await expect(client.admin.audit()).rejects.toMatchObject({
    code: 'UNEXPECTED_ANSWER',
    message: expect.stringContaining('(status 404); check baseUrl and adminUrl') as string,
  });
});

it.each(['', '/', '/api/v2', '/api/v2/'])('an address may end with "%s"', async (ending) => {
  const { client } = setUp({ baseUrl: served.url + ending });
  expect(await client.health()).toEqual({ status: 'ok' });
});
