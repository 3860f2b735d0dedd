import {
  createClient,
  fromEip1193,
  fromEthers,
  type ClientOptions,
  type PredictionMarketClient,
} from '../../src/client';
import { testWallet } from '../../testing';

const baseUrl = 'https://markets.example';
const wallet = testWallet('alice');
const asked: string[] = [];
const fetch = (async (url: string) => {
  asked.push(url);
  return Response.json({ code: 'NOT_FOUND', error: 'not asked' }, { status: 404 });
}) as typeof globalThis.fetch;
const given = (options: unknown): never => options as never;

function refusalOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return String(error);
  }
  return 'nothing';
}

const EVERY_OPTION: Required<ClientOptions> = {
  ...{ baseUrl, serviceUrl: null, apiKey: 'pmk_1', adminToken: 'token', adminUrl: baseUrl, timeoutMs: 1 },
  ...{ retry: { attempts: 1, totalMs: 1 }, onAttempt: () => undefined, payWith: (each) => each as never },
  ...{ maxPayment: 1, paymentTokens: [], WebSocket: null, socketUrl: baseUrl, random: () => 0, fetch },
  timers: { now: () => 0, after: () => () => undefined },
};

it('createClient takes each of its options, and refuses each name that is misspelt', () => {
  expect(() => createClient(EVERY_OPTION)).not.toThrow();
  for (const name of Object.keys(EVERY_OPTION)) {
    const misspelt = name.toLowerCase() === name ? `${name}s` : name.toLowerCase();
    expect(refusalOf(() => createClient(given({ baseUrl, [misspelt]: undefined })))).toBe(
      `TypeError: createClient: unknown option ${misspelt}`,
    );
  }
});

it.each([
  [{ url: baseUrl }, 'unknown option url'],
  [{ url: baseUrl, apiKey: 5, timeoutMs: 0 }, 'unknown option url'],
  [{ baseUrl: 'x', apiKye: 'pmk_1' }, 'unknown option apiKye'],
  [{ baseUrl, timeout: 5 }, 'unknown option timeout'],
  [{ baseUrl, retry: { attempt: 1 } }, 'unknown option attempt'],
  [{ baseUrl, x: 1 }, 'unknown option x'],
  [{ baseUrl, '(': 1, '((((': 1 }, 'unknown option ('],
  [{ baseUrl, '((((': 1 }, 'unknown option (((('],
  [{ baseUrl, logger: console }, 'unknown option logger'],
])('createClient complains about an unknown name of %j before it reads values', (options, message) => {
  expect(refusalOf(() => createClient(given(options)))).toBe(`TypeError: createClient: ${message}`);
});

it.each(['fetch', 'onAttempt', 'random', 'WebSocket'])(
  'createClient refuses %s that is no function, by name',
  (name) => {
    for (const value of [5, 'fetch', {}, true])
      expect(refusalOf(() => createClient(given({ baseUrl, [name]: value })))).toBe(
        `TypeError: createClient: ${name} must be a function`,
      );
    for (const value of [null, undefined])
      expect(() => createClient(given({ baseUrl, [name]: value }))).not.toThrow();
  },
);

it.each([{ baseUrl: 5 }, { serviceUrl: 'x' }, { adminToken: 5 }, { payWith: 5 }, { retry: { attempt: 1 } }])(
  'createClient names itself when it refuses %j',
  (options) => {
    expect(() => createClient(given({ baseUrl, ...options }))).toThrow(/^createClient: /);
    expect(() => createClient(given({ baseUrl, ...options }))).toThrow(TypeError);
  },
);

it.each([
  [baseUrl, undefined, `${baseUrl}/api/v2/admin/treasury`],
  [`${baseUrl}/mounted/api/v2/`, undefined, `${baseUrl}/mounted/api/v2/admin/treasury`],
  [baseUrl, '/ops', `${baseUrl}/ops/treasury`],
  ['http://[::1]:3000/mounted', '/ops/', 'http://[::1]:3000/ops/treasury'],
  [baseUrl, '//elsewhere.example/ops', `${baseUrl}//elsewhere.example/ops/treasury`],
  [baseUrl, 'https://ops.example/x', 'https://ops.example/x/treasury'],
])('a client with the baseUrl %s and the adminUrl %s calls %s', async (base, adminUrl, address) => {
  const called: string[] = [];
  const answering = (async (url: string) => {
    called.push(url);
    return Response.json({ balance: 0 });
  }) as typeof globalThis.fetch;
  await createClient({ baseUrl: base, adminUrl, fetch: answering }).admin.treasury.get();
  expect(called).toEqual([address]);
});

it.each(['ops', '/ops?x=1', '/ops#x', '', 5, null, 'https://user@ops.example', 'https://ops.example/?'])(
  'createClient refuses %j as adminUrl, by name',
  (adminUrl) => {
    expect(refusalOf(() => createClient(given({ baseUrl, adminUrl })))).toMatch(
      /^TypeError: createClient: adminUrl, if not a path, must /,
    );
  },
);

it.each<[string, (client: PredictionMarketClient) => unknown]>([
  ['timeout', ({ markets }) => markets.get(1, given({ timeout: 5 }))],
  ['timeout', ({ health }) => health(given({ timeout: 5 }))],
  [
    'idempotencykey',
    ({ trades }) => trades.place(1, { side: 'YES', amount: 5 }, given({ idempotencykey: 'a' })),
  ],
  ['idempotencykey', ({ withdrawals }) => withdrawals.request(5, given({ idempotencykey: 'a' }))],
  ['maxpayment', ({ paid }) => paid.feed({}, given({ maxpayment: 5 }))],
  ['attempt', ({ markets }) => markets.get(1, { retry: given({ attempt: 5 }) })],
  ['lable', ({ keys }) => keys.issue(wallet, given({ lable: 'bot' }))],
  ['replaces', (client) => client.connectWallet(wallet, given({ label: 'bot', replaces: true }))],
  ['from', ({ live }) => live(['trades'], given({ from: { epoch: 'e', seq: 1 } }))],
])('a call refuses the unknown option %s before it asks the service', async (name, call) => {
  const client = createClient({ baseUrl, fetch });
  await expect(async () => call(client)).rejects.toThrow(new TypeError(`unknown option ${name}`));
  expect(asked).toEqual([]);
});

it.each<[string, (client: PredictionMarketClient) => unknown, string]>([
  ['an address in place of options', () => createClient(given('https://markets.example')), 'baseUrl must be'],
  ['no options', () => createClient(given(undefined)), 'baseUrl must be'],
  ['null as options', () => createClient(given(null)), 'baseUrl must be'],
  [
    'a private key as payer',
    () => createClient({ baseUrl, payWith: given('0xab') }),
    'payWith must be a signer',
  ],
  [
    'no wallet',
    (client) => client.connectWallet(given(undefined)),
    'the wallet must be a signer of fromEthers',
  ],
  ['an address as wallet', (client) => client.connectWallet(given('0xab')), 'the wallet must be a signer of'],
  ['a private key for fromEthers', () => fromEthers(given('0xab')), 'ethers 6 has the method getAddress'],
  ['no provider', () => fromEip1193(given(undefined)), 'a provider by EIP-1193 has the method request'],
  [
    'an order with the market inside',
    ({ trades }) => trades.place(given({ market: 1 }), given(undefined)),
    'the id in /public/markets/{id}/trade must not be "[object Object]"',
  ],
  ['a channel alone', ({ live }) => live(given('trades')), 'live needs an array of channels'],
  ['no channel', ({ live }) => live(given(undefined)), 'live needs an array of channels'],
])('%s is answered with what to give', async (_what, call, message) => {
  const client = createClient({ baseUrl, fetch });
  const error: unknown = await Promise.resolve()
    .then(() => call(client))
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toContain(message);
  expect(asked).toEqual([]);
});

it.each<[string, (value: unknown) => unknown]>([
  ['createClient: the API key', (apiKey) => createClient(given({ baseUrl, apiKey }))],
  ['the API key', (apiKey) => createClient({ baseUrl }).useApiKey(given(apiKey))],
  ['createClient: adminToken', (adminToken) => createClient(given({ baseUrl, adminToken }))],
])('%s is refused by name and not shown if it is no text or cannot be in a header', (name, call) => {
  for (const value of [5, {}, ['pmk_secret'], true, '', 'pmk_\nsecret'])
    expect(refusalOf(() => call(value))).toBe(`TypeError: ${name} must be printable text`);
  for (const value of [null, undefined, 'pmk_secret\n']) expect(() => call(value)).not.toThrow();
});

it.each<[string, unknown[], (value: unknown) => Partial<ClientOptions>]>([
  ['timeoutMs', ['5', 'abc', NaN, 0, -1, 2 ** 31, Infinity, {}], (timeoutMs) => given({ timeoutMs })],
  ['retry.attempts', ['5', NaN, 0, 1.5, Infinity], (attempts) => given({ retry: { attempts } })],
  ['retry.totalMs', ['5', 'abc', NaN, 0, -1, Infinity, {}], (totalMs) => given({ retry: { totalMs } })],
])(
  '%s that cannot be a limit is refused, as an option of the client and of a call',
  async (name, values, options) => {
    const sentence = `${name} must be an integer from 1 to 2147483647`;
    const refusal = new TypeError(sentence);
    for (const value of values) {
      expect(refusalOf(() => createClient({ baseUrl, fetch, ...options(value) }))).toBe(
        `TypeError: createClient: ${sentence}`,
      );
      await expect(createClient({ baseUrl, fetch }).markets.get(1, options(value))).rejects.toThrow(refusal);
    }
    expect(asked).toEqual([]);
  },
);

it.each([3, true, 'six', () => 3])(
  'retry that is %p is refused, as an option of the client and of a call',
  async (retry) => {
    const options = given({ baseUrl, fetch, retry });
    expect(refusalOf(() => createClient(options))).toBe('TypeError: createClient: retry must be an object');
    const refusal = new TypeError('retry must be an object');
    await expect(createClient({ baseUrl, fetch }).markets.get(1, given({ retry }))).rejects.toThrow(refusal);
    expect(asked).toEqual([]);
  },
);

it.each([
  [{ baseUrl, adminUrl: 'ops' }, 'adminUrl, if not a path, must be an https:// or http:// address'],
  [{ baseUrl: undefined }, 'baseUrl must be an https:// or http:// address; it is missing'],
  [undefined, 'baseUrl must be an https:// or http:// address; it is missing'],
  [{ baseUrl: 'x' }, 'baseUrl must be an https:// or http:// address'],
])('createClient(%j) says what is wrong with an address', (options, message) => {
  expect(refusalOf(() => createClient(given(options)))).toBe(`TypeError: createClient: ${message}`);
});

it.each([NaN, -1, -0.01, 'x', {}, null, '1', Infinity, [1]])(
  'createClient refuses %p as maxPayment',
  (maxPayment) => {
    const refusal = 'TypeError: createClient: maxPayment must be a number';
    expect(refusalOf(() => createClient(given({ baseUrl, maxPayment })))).toBe(refusal);
  },
);

it.each([undefined, 0, 0.000001])('createClient takes %p as maxPayment', (maxPayment) => {
  expect(() => createClient(given({ baseUrl, maxPayment }))).not.toThrow();
});

it.each([null, 5, 'e:1', {}, { epoch: 'e' }, { epoch: 'e', seq: NaN }, { epoch: 'e', seq: -1 }])(
  'live refuses %j as its position `since` before it asks the service',
  (since) => {
    const { live } = createClient({ baseUrl, fetch });
    expect(refusalOf(() => live(['trades'], given({ since })))).toBe('TypeError: since.seq must be a number');
    expect(() => live(['trades'], { since: { epoch: 'e', seq: 0 } })).not.toThrow();
    expect(asked).toEqual([]);
  },
);
