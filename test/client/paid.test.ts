import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { wrapFetchWithPayment } from 'x402-fetch';
import {
  createClient,
  fromEip1193,
  fromEthers,
  fromViem,
  NATIVE_USDC,
  type ClientOptions,
  type PaymentRequired,
  type PayWith,
  type PredictionMarketClient,
  type TypedData,
} from '../../src/client/index';
import { testWallet } from '../../testing/index';
import { errorOf } from './support/error-of';
import { ethereumProvider } from './support/ethereum-provider';
import { serveMarket, type Fault, type ServedMarket } from './support/server';
import { testTimers, TIMEOUT_MS } from './support/timers';

const wallet = testWallet('payer');
const account = privateKeyToAccount(wallet.privateKey as `0x${string}`);
const walletClient = createWalletClient({ account, chain: base, transport: http() });
/** The published clients of x402 sign with the time of the machine, so the service starts at that time. */
const now = Date.now();

let served: ServedMarket;
beforeAll(async () => {
  served = await serveMarket({ startAt: now });
  await served.test.approveCreator(wallet);
});
afterAll(() => served.close());
beforeEach(() => {
  served.seen.length = 0;
  served.faults.length = 0;
});

const settlements = (): number =>
  served.test.facilitator.calls.filter(({ method }) => method === 'settle').length;

function client(payWith: PayWith | undefined, options: Partial<ClientOptions> = {}): PredictionMarketClient {
  const timers = testTimers({ start: now });
  return createClient({ baseUrl: served.url, payWith, timers, timeoutMs: TIMEOUT_MS, ...options });
}

const versionOne: PayWith = (fetch) => wrapFetchWithPayment(fetch, walletClient as never, 100_000_000n);
const versionTwo: PayWith = (fetch) =>
  wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(account) }],
    spendControls: { maxAmountPerPayment: '$100' },
  });

const WAYS: [string, PayWith][] = [
  ['a wallet of ethers', fromEthers(wallet)],
  ['an account of viem', fromViem(account)],
  ['a wallet client of viem', fromViem(walletClient)],
  ['a provider by EIP-1193', fromEip1193(ethereumProvider(wallet))],
  ['x402-fetch', versionOne],
  ['@x402/fetch', versionTwo],
];

describe.each(WAYS)('%s', (_name, payWith) => {
  it('buys every paid call, with a receipt', async () => {
    const { paid } = client(payWith);
    const before = settlements();
    const feed = await paid.feed({ limit: 1 });
    expect(feed.answer.markets).toEqual(expect.any(Array));
    expect(feed.receipt).toMatchObject({ success: true, payer: wallet.address });
    served.test.oracle.answer('YES');
    expect((await paid.resolve({ question: 'Will it rain?' })).answer).toMatchObject({ outcome: 'YES' });
    const market = await paid.createMarket({
      question: 'Will it rain in Lisbon tomorrow?',
      resolveDate: new Date(now + 86_400_000).toISOString(),
      category: 'science',
    });
    expect(market.answer.creator.address).toBe(wallet.address);
    expect((await paid.deposit(2.5)).answer).toMatchObject({ amount: 2.5, address: wallet.address });
    expect(settlements()).toBe(before + 4);
  });
});

it.each(WAYS.filter(([name]) => /ethers|x402/.test(name)))(
  '%s repeats a lost answer with the same payment, and is charged once',
  async (_name, payWith) => {
    const before = settlements();
    served.faults.push(null, 'lost');
    await client(payWith).paid.deposit(1);
    expect(settlements()).toBe(before + 1);
    const payments = served.seen.map(({ headers }) => headers['x-payment'] ?? headers['payment-signature']);
    expect(payments).toEqual([undefined, expect.any(String), payments[1]]);
  },
);

const PENDING: Fault = {
  status: 503,
  headers: { 'Retry-After': '2' },
  body: { code: 'SETTLEMENT_PENDING', message: 'not known yet' },
};

const AT_WORK: Fault = {
  status: 402,
  headers: { 'Retry-After': '1' },
  body: { code: 'PAYMENT_INVALID', message: 'at work already' },
};

it('a payment that was used already is not sent again, and its outcome stays unknown', async () => {
  const used: Fault = { status: 402, body: { code: 'PAYMENT_INVALID', message: 'used already' } };
  served.faults.push(null, 'lost', used);
  const error = await errorOf(client(fromEthers(wallet)).paid.deposit(1));
  expect(error).toMatchObject({ code: 'PAYMENT_INVALID', attempts: 2, outcome: 'unknown' });
  expect(error.payment).not.toBeNull();
});

it('a payment whose outcome stays unknown is in the error, and the call goes on with it', async () => {
  for (const payWith of [fromEthers(wallet), versionTwo]) {
    const before = settlements();
    served.faults.push(null, 'lost', PENDING, PENDING, PENDING, PENDING, PENDING);
    const { paid } = client(payWith);
    const error = await errorOf(paid.deposit(1));
    expect(error).toMatchObject({ code: 'SETTLEMENT_PENDING', attempts: 6, outcome: 'unknown' });
    expect(Object.keys(error)).not.toContain('payment');
    const { answer } = await paid.deposit(1, { payment: error.payment });
    expect(answer).toMatchObject({ amount: 1 });
    expect(settlements()).toBe(before + 1);
  }
});

it('a payment that is refused while its first copy may be in work is not given up', async () => {
  served.faults.push(null, 'lost', AT_WORK);
  expect((await client(fromEthers(wallet)).paid.deposit(1)).answer.amount).toBe(1);
});

it('a payment that is at work at the first attempt, because a proxy has copied the request, is not given up', async () => {
  for (const payWith of [fromEthers(wallet), versionTwo]) {
    served.faults.push(null, AT_WORK);
    expect((await client(payWith).paid.deposit(1)).answer.amount).toBe(1);
    served.faults.push(null, AT_WORK);
    const error = await errorOf(client(payWith).paid.deposit(1, { retry: { attempts: 1 } }));
    expect(error).toMatchObject({ code: 'PAYMENT_INVALID', attempts: 1, outcome: 'unknown' });
    expect(error.payment).not.toBeNull();
  }
});

it('a payment of an earlier call is not given up while that call may be in work', async () => {
  const { paid } = client(fromEthers(wallet));
  served.faults.push(null, 'lost');
  const { payment } = await errorOf(paid.deposit(1, { retry: { attempts: 1 } }));
  const before = settlements();
  served.faults.push(...Array.from({ length: 6 }, () => AT_WORK));
  const error = await errorOf(paid.deposit(1, { payment }));
  expect(error).toMatchObject({ code: 'PAYMENT_INVALID', attempts: 6, outcome: 'unknown' });
  served.faults.push(AT_WORK);
  expect((await paid.deposit(1, { payment })).answer.amount).toBe(1);
  expect(settlements()).toBe(before);
});

it('a payment of an earlier call may have been charged, although the date of its market is too near by now', async () => {
  const { paid } = client(fromEthers(wallet));
  const resolveDate = new Date(now + 86_400_000).toISOString();
  const market = { question: 'Will it rain?', resolveDate, category: 'other' } as const;
  served.faults.push(null, PENDING);
  const { payment } = await errorOf(paid.createMarket(market, { retry: { attempts: 1 } }));
  served.faults.push({ status: 400, body: { code: 'VALIDATION_ERROR', message: 'an hour ahead' } });
  const error = await errorOf(paid.createMarket(market, { payment }));
  expect(error).toMatchObject({ code: 'VALIDATION_ERROR', outcome: 'unknown', payment });
});

it('a signer signs nothing above maxPayment, and for a deposit exactly its amount', async () => {
  const signer = { ...fromEthers(wallet), signPayment: () => Promise.reject(new Error('it was asked')) };
  const price = await errorOf(client(signer, { maxPayment: 0.0009 }).paid.feed());
  expect(price).toMatchObject({ code: 'PAYMENT_TOO_HIGH', outcome: 'refused' });
  expect(price.message).toContain('costs 0.001 USD');
  for (const maxPayment of [NaN, -1, Infinity, ...(['x', '1', null] as never[])])
    await expect(client(signer).paid.feed({}, { maxPayment })).rejects.toThrow('maxPayment must be a number');
  const terms = await errorOf(client(undefined).paid.deposit(7));
  served.faults.push({ status: 402, body: { ...(terms.details as object), amount: '7000001' } });
  expect(await errorOf(client(signer).paid.deposit(7))).toMatchObject({ code: 'PAYMENT_TOO_HIGH' });
  await expect(client(signer).paid.feed()).rejects.toThrow('it was asked');
});

it('a signer signs for no other token than those that are allowed, and for no malformed terms', async () => {
  const signed: TypedData[] = [];
  const signPayment = (data: TypedData): Promise<string> => {
    signed.push(data);
    return Promise.reject(new Error('it was asked'));
  };
  const signer = { ...fromEthers(wallet), signPayment };
  const terms = (await errorOf(client(undefined).paid.feed())).details as PaymentRequired;
  const [first] = terms.accepts;
  const asset = '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA';
  const asking = (body: object, options: Partial<ClientOptions> = {}) => {
    served.faults.push({ status: 402, body: { ...terms, ...body } });
    return client(signer, options).paid.feed();
  };
  const foreignAsset = { accepts: [{ ...first, asset }] };
  for (const body of [foreignAsset, { network: 'eip155:1' }, { network: 'eip155:84532' }]) {
    const error = await errorOf(asking(body));
    expect(error).toMatchObject({ code: 'PAYMENT_TOKEN_NOT_ALLOWED', outcome: 'refused', status: 402 });
  }
  const texts = [{ amount: '-1' }, { amount: 1000 }, { payTo: '0x1' }, { nonce: 'n' }, { network: 'base' }];
  const accepts = ['all', [], [null], [{ ...first, extra: null }], [{ ...first, asset: 'USDC' }]];
  for (const body of [...texts, ...accepts.map((each) => ({ accepts: each }))])
    expect(await errorOf(asking(body))).toMatchObject({ code: 'UNEXPECTED_ANSWER', outcome: 'refused' });
  expect(signed).toEqual([]);
  const paymentTokens = [...NATIVE_USDC, { network: 'eip155:8453', asset: asset.toLowerCase() }];
  await expect(asking(foreignAsset, { paymentTokens })).rejects.toThrow('it was asked');
  expect(signed).toMatchObject([{ domain: { chainId: 8453, verifyingContract: asset } }]);
});

it('without payWith the error tells the price, and what is missing', async () => {
  const { paid } = client(undefined);
  const error = await errorOf(paid.feed());
  expect(error).toMatchObject({ code: 'PAYMENT_REQUIRED', status: 402, details: { amount: '1000' } });
  expect((error as Error).message).toContain('(give createClient payWith)');
  expect((await paid.info()).endpoints).toHaveLength(4);
});

it('a published client tells its own limit, and the wallet its own refusal', async () => {
  const cautious: PayWith = (fetch) => wrapFetchWithPayment(fetch, walletClient as never);
  const before = settlements();
  await expect(client(cautious).paid.deposit(5)).rejects.toThrow(/maximum/);
  expect(settlements()).toBe(before);
});

describe('a published client that fails after it has paid', () => {
  const failure = new Error('the receipt cannot be read');
  const failing: PayWith = (fetch) => async (url, init) => {
    await wrapFetchWithPayment(fetch, walletClient as never, 100_000_000n)(url, init);
    throw failure;
  };

  it('leaves the payment, and the answer with its receipt', async () => {
    const before = settlements();
    const error = await errorOf(client(failing).paid.deposit(1));
    const { headers } = served.seen[1] ?? {};
    expect(error).toMatchObject({
      code: 'PAYMENT_CLIENT_FAILED',
      outcome: 'unknown',
      cause: failure,
      payment: { header: 'X-PAYMENT', value: headers?.['x-payment'] },
      details: { amount: 1 },
      receipt: { success: true },
    });
    expect(settlements()).toBe(before + 1);
  });

  it('pays only once, even if it signs anew for an answer that says nothing of the first payment', async () => {
    const stubborn: PayWith = (fetch) => async (url, init) => {
      const pay = wrapFetchWithPayment(fetch, walletClient as never, 100_000_000n);
      const response = await pay(url, init).catch(() => null);
      return response?.ok === true ? response : pay(url, init);
    };
    for (const payWith of [stubborn, versionOne, versionTwo]) {
      const before = settlements();
      served.seen.length = 0;
      served.faults.push(null, 'lost', ...Array.from({ length: 5 }, () => AT_WORK));
      const error = await errorOf(client(payWith).paid.deposit(1));
      expect(error).toMatchObject({ code: 'PAYMENT_INVALID', outcome: 'unknown', attempts: 6 });
      expect(settlements()).toBe(before + 1);
      const [, first, ...rest] = served.seen.map((each) => each.headers);
      expect(error.payment?.value).toBe(first?.['x-payment'] ?? first?.['payment-signature']);
      expect(rest).toHaveLength(5);
    }
  });

  it('tells what fails before a payment by itself', async () => {
    const locked: PayWith = () => () => Promise.reject(failure);
    await expect(client(locked).paid.feed()).rejects.toBe(failure);
  });
});

it('a charged refusal has the receipt', async () => {
  const stranger = testWallet('stranger');
  const market = {
    question: 'Q?',
    resolveDate: new Date(now + 86_400_000).toISOString(),
    category: 'other',
  } as const;
  const error = await errorOf(client(fromEthers(stranger)).paid.createMarket(market));
  expect(error).toMatchObject({
    code: 'INSUFFICIENT_PERMISSIONS',
    outcome: 'refused',
    receipt: { success: true, payer: stranger.address },
  });
});
