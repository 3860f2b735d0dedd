/** Lets services refuse requests with every code that an operation declares, for `npm run build:examples`. */
import express from 'express';
import type { Wallet } from 'ethers';
import { memoryStorage } from '../adapters/storage/memory';
import { createClient, fromEthers, type PredictionMarketClient } from '../src/client/index';
import { createPredictionMarket } from '../src/create-prediction-market';
import {
  createTestMarket,
  fakeFacilitator,
  fakeOracle,
  seededRandom,
  testClock,
  testWallet,
  type TestMarket,
  type TestMarketOptions,
} from '../testing/index';
import { askerOf, type Ask } from './api-examples-ask';
import { RAIN } from './api-examples-life';
import { refuseOperators } from './api-examples-operators';
import { sweep } from './api-examples-sweep';
import { OPERATORS, type ClientDocuments } from './client-documents';
import type { ExchangeRecorder } from './exchange-recorder';
import { listening } from './listening';

const START = '2030-01-01T09:00:00.000Z';

export interface Refusals {
  documents: ClientDocuments;
  recorder: ExchangeRecorder;
  serviceUrl: string;
  receiver: string;
}

export interface Scene {
  test: TestMarket;
  ask: Ask;
  payer(wallet: Wallet): PredictionMarketClient['paid'];
  receiver: string;
}

export async function refuseAll(refusals: Refusals): Promise<void> {
  await withService(
    refusals,
    { withdrawalLimit: 2, webhooks: { limit: 2, allowPrivate: true } },
    async (scene) => {
      await refuseInputs(scene, refusals);
      await refuseBodies(scene);
      await refuseOrders(scene);
      await refuseSignatures(scene);
      await refusePayments(scene);
      await refuseOperators(scene);
    },
  );
  const tight = {
    ...{ addressRateLimit: 60, keyRateLimit: 60, refusedPaymentLimit: 1, exposureLimit: 1 },
    live: { channelLimit: 2, connectionLimit: 2 },
  };
  await withService(refusals, tight, refuseOverLimits);
  await refuseFaults(refusals);
}

async function withService(
  { documents, recorder: { fetch }, serviceUrl, receiver }: Refusals,
  options: Omit<TestMarketOptions, 'oracle' | 'facilitator' | 'payout'>,
  use: (scene: Scene) => Promise<void>,
): Promise<void> {
  const limits = { addressRateLimit: 10_000, keyRateLimit: 10_000, failedAuthLimit: 1_000 };
  const test = await createTestMarket({ startAt: START, baseUrl: serviceUrl, ...limits, ...options });
  const app = express();
  app.use(OPERATORS, test.pm.adminRouter);
  app.use(test.pm.router);
  const payer =
    (service: string): Scene['payer'] =>
    (wallet) =>
      createClient({
        ...{ baseUrl: service, serviceUrl, fetch, retry: { attempts: 1 }, payWith: fromEthers(wallet) },
        timers: { now: test.clock.now, after: () => () => undefined },
      }).paid;
  await listening(app, (service) =>
    use({ test, ask: askerOf(service, documents, fetch), payer: payer(service), receiver }),
  ).finally(() => test.close());
}

const CREATOR = testWallet('creator');
const TRADER = testWallet('trader');
const OTHER = testWallet('other creator');

async function issueKey(
  { pm }: Pick<TestMarket, 'pm'>,
  wallet: Wallet,
  scopes?: ['markets:read' | 'account:read'],
) {
  const { address } = wallet;
  const { message, nonce } = await pm.issueChallenge({ address, action: 'issue' });
  const signature = await wallet.signMessage(message);
  const { apiKey } = await pm.issueKey({ address, message, nonce, signature, ...(scopes && { scopes }) });
  return apiKey;
}

async function refuseInputs({ test, ask }: Scene, { documents, recorder }: Refusals): Promise<void> {
  const keys = {
    all: await test.apiKey(TRADER),
    'markets:read': await issueKey(test, TRADER, ['markets:read']),
    'account:read': await issueKey(test, TRADER, ['account:read']),
  };
  await sweep({ ask, documents, examples: recorder.examples(), keys });
  await ask('get /public/balance');
  const account = { channels: 'account' };
  await ask('get /stream', { parameters: account, key: keys['markets:read'] });
  await ask('get /stream', { parameters: { channels: 'market:999' } });
  await ask('post /public/markets', { key: keys.all, body: RAIN });
}

async function refuseBodies({ test, ask }: Scene): Promise<void> {
  const key = await test.apiKey(TRADER);
  for (const [name, asked] of Object.entries({
    'post /auth/challenge': {},
    'post /public/withdrawals': { key },
  })) {
    await ask(name, { ...asked, body: JSON.stringify({ amount: 'x'.repeat(110_000) }) });
    await ask(name, { ...asked, body: 'amount=20', headers: { 'Content-Type': 'text/plain' } });
  }
}

async function refuseOrders({ test, ask }: Scene): Promise<void> {
  const key = await test.apiKey(TRADER);
  await test.pm.depositToTreasury({ amount: 1_000, reference: 'capital of January 2030' });
  await test.createMarket({ ...RAIN, creator: CREATOR });
  await test.fund(TRADER, 100);
  const parameters = { id: 1 };
  const order = (body: object, name = '') =>
    ask('post /public/markets/{id}/trade', {
      ...{ parameters, key, body: { side: 'YES', ...body } },
      headers: name === '' ? {} : { 'Idempotency-Key': name },
    });
  await order({ amount: 10 }, 'order-1');
  await order({ amount: 20 }, 'order-1');
  await order({ amount: 150 });
  await order({ action: 'sell', shares: 500 });
  await order({ amount: 10, maxPrice: 0.5 });
  await test.fund(TRADER, 9_000);
  await order({ amount: 5_000 });
  await ask('get /public/markets/{id}/price', {
    parameters: { ...parameters, side: 'YES', amount: 5_000 },
    key,
  });
  const withdraw = (amount: number, name = '') =>
    ask('post /public/withdrawals', {
      ...{ key, body: { amount } },
      headers: name === '' ? {} : { 'Idempotency-Key': name },
    });
  test.payout.progressWith({ status: 'pending' });
  await withdraw(10_000);
  await withdraw(20, 'withdrawal-1');
  await withdraw(30, 'withdrawal-1');
  await withdraw(5);
  await withdraw(5);
  await test.runJobs();
}

async function refuseSignatures({ test, ask }: Scene): Promise<void> {
  const { address } = TRADER;
  const signed = async (input: object, signer = TRADER) => {
    const challenge = await test.pm.issueChallenge({ address, ...input } as never);
    return { address, ...challenge, signature: await signer.signMessage(challenge.message) };
  };
  const calls = [
    ['post /auth/token', { action: 'issue' }, {}],
    ['post /auth/keys/{id}/revoke', { action: 'revoke', keyId: 999 }, { id: 999 }],
    ['post /auth/keys/{id}/regenerate', { action: 'regenerate', keyId: 999 }, { id: 999 }],
    ['post /creator/apply', { action: 'apply' }, {}],
  ] as const;
  for (const [name, action, parameters] of calls) {
    const send = (body: object) => ask(name, { parameters, body });
    const { message, nonce, signature } = await signed(action, OTHER);
    await send({ address, message, nonce, signature });
    const used = await signed(action);
    const body = { address, message: used.message, nonce: used.nonce, signature: used.signature };
    await send(body);
    await send(body);
  }
  await untilRefused(async () => {
    const { message, nonce, signature } = await signed({ action: 'issue' });
    return ask('post /auth/token', { body: { address, message, nonce, signature } });
  });
}

const MOST_REPETITIONS = 100;

export async function untilRefused(send: () => Promise<Response>): Promise<void> {
  for (let sent = 0; sent < MOST_REPETITIONS; sent += 1) if (!(await send()).ok) return;
  throw new Error(`the service has refused none of ${String(MOST_REPETITIONS)} requests`);
}

type PaidCall = (paid: PredictionMarketClient['paid']) => Promise<unknown>;

const MARKET = { ...RAIN, question: 'Will it hail in Lisbon on 1 February 2030?' };
const PAID_CALLS: readonly PaidCall[] = [
  (paid) => paid.feed({ limit: 2 }),
  (paid) => paid.resolve({ question: 'Did it rain in Lisbon on 1 January 2030?' }),
  (paid) => paid.createMarket(MARKET),
  (paid) => paid.deposit(25),
];

const WRONG_PAID_CALLS: readonly PaidCall[] = [
  (paid) => paid.feed({ limit: 0 }),
  (paid) => paid.resolve({}),
  (paid) => paid.resolve({ marketId: 999 }),
  (paid) => paid.createMarket({ ...MARKET, resolveDate: 'tomorrow' }),
];

/** Makes calls that are refused. The recorder keeps the refusals, so the errors of the client are ignored. */
async function payAll(paid: PredictionMarketClient['paid'], calls: readonly PaidCall[]): Promise<void> {
  for (const call of calls) await call(paid).catch(() => undefined);
}

async function refusePayments({ test, ask, payer }: Scene): Promise<void> {
  const paid = payer(CREATOR);
  test.facilitator.verifyWith({ status: 'insufficient_funds' });
  await payAll(paid, PAID_CALLS);
  test.facilitator.verifyWith({ status: 'invalid', reason: 'the authorization has expired' });
  await payAll(paid, PAID_CALLS);
  test.facilitator.verifyWith({ status: 'unavailable', reason: 'no answer' });
  await payAll(paid, PAID_CALLS);
  test.facilitator.verifyWith({ status: 'valid' });
  await payAll(paid, WRONG_PAID_CALLS);
  await ask('post /x402/deposit', { body: { amount: -1 } });
  test.oracle.fail();
  await payAll(paid, PAID_CALLS.slice(1, 2));
  await payAll(payer(OTHER), PAID_CALLS.slice(2, 3));
}

async function refuseOverLimits({ test, ask, payer }: Scene): Promise<void> {
  await test.approveCreator(CREATOR);
  const key = await test.apiKey(CREATOR);
  await ask('post /public/markets', { key, body: RAIN });
  const parameters = { address: CREATOR.address };
  await untilRefused(() => ask('get /public/balance', { key }));
  await untilRefused(() => ask('get /auth/keys', { parameters }));
  await ask('get /stream', { parameters: { channels: 'trades,markets,prices' } });
  const open = new AbortController();
  await untilRefused(() => ask('get /stream', { parameters: { channels: 'trades' }, signal: open.signal }));
  open.abort();
  const paid = payer(CREATOR);
  await payAll(paid, PAID_CALLS.slice(2, 3));
  test.facilitator.verifyWith({ status: 'insufficient_funds' });
  await payAll(paid, PAID_CALLS.slice(0, 1));
  await payAll(paid, PAID_CALLS);
}

/** Asks a service that has no payouts: while it runs, while its storage fails, and after it is closed. */
async function refuseFaults({ documents, recorder: { fetch } }: Refusals): Promise<void> {
  const storage = memoryStorage();
  const pm = createPredictionMarket({
    ...{ storage, oracle: fakeOracle(), facilitator: fakeFacilitator(), clock: testClock(START) },
    ...{
      payTo: testWallet('payee').address,
      random: seededRandom('faults'),
      jobIntervalMs: 86_400_000,
    },
  });
  const app = express();
  app.set('trust proxy', true);
  app.use(OPERATORS, pm.adminRouter);
  app.use(pm.router);
  await listening(app, async (service) => {
    const ask = askerOf(service, documents, fetch);
    const parameters = { address: TRADER.address };
    await pm.start();
    const key = await issueKey({ pm }, TRADER);
    await ask('post /public/withdrawals', { key, body: { amount: 20 } });
    for (const name of ['get /asyncapi.json', 'get /docs/live'])
      await ask(name, { headers: { 'X-Forwarded-Host': 'a/b' } });
    storage.read = () => Promise.reject(new Error('The storage is broken.'));
    await ask('get /auth/keys', { parameters });
    await ask('get /creator/status', { parameters });
    await pm.close();
    await ask('get /ready');
    await ask('get /auth/keys', { parameters });
    await ask('get /creator/status', { parameters });
  });
}
