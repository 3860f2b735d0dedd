/** The whole life of one market, step by step, with two wallets and an operator. */
import { Wallet, type HDNodeWallet } from 'ethers';
import type { Call } from './client.js';
import { priceLine, say, step } from './print.js';

interface Challenge {
  data: { nonce: string; message: string };
}
interface IssuedKey {
  data: { apiKey: string };
}
interface Market {
  id: number;
  tickerId: string;
  slug: string;
  yesPrice: number;
}
interface ExecutedTrade {
  id: number;
  shares: number;
  totalCost: number;
  yesPrice: number;
  balance: number;
}
interface Audit {
  ok: boolean;
  checked: { wallets: number; markets: number; positions: number; entries: number };
}

export interface DemoOptions {
  call: Call;
  adminToken: string;
  /** A text that is different in each run, for references and questions. */
  runId: string;
  siteUrl: string;
}

/** A wallet with its API key. */
interface Person {
  name: string;
  wallet: HDNodeWallet;
  apiKey: string;
}

/** The YES price after a trade. */
interface PricePoint {
  label: string;
  yesPrice: number;
}

export async function walk(demo: DemoOptions): Promise<void> {
  const [alice, bob] = await issueKeys(demo);
  await approveCreator(demo, alice);
  await creditWallets(demo, [alice, bob]);
  const market = await openMarket(demo, alice);
  const prices = await trade(demo, market, { alice, bob });
  await showPrices(demo, market, { prices, reader: bob });
  await showHoldings(demo, bob);
  await resolve(demo, market);
  await showPayouts(demo, { trader: bob, creator: alice });
  await audit(demo);
}

async function issueKeys({ call }: DemoOptions): Promise<[Person, Person]> {
  const wallets = [Wallet.createRandom(), Wallet.createRandom()] as const;
  step('Two wallets prove themselves by signing, and get an API key each');
  say(`Alice is ${wallets[0].address}, Bob is ${wallets[1].address}. Neither has a password.`);
  return [await issueKey(call, 'Alice', wallets[0]), await issueKey(call, 'Bob', wallets[1])];
}

async function issueKey(call: Call, name: string, wallet: HDNodeWallet): Promise<Person> {
  const signed = await signedBody(call, wallet, 'issue');
  const { body } = await call<IssuedKey>('POST', '/api/v2/auth/token', {
    body: { ...signed, label: `demo: ${name}` },
  });
  return { name, wallet, apiKey: body.data.apiKey };
}

async function signedBody(
  call: Call,
  wallet: HDNodeWallet,
  action: string,
): Promise<Record<string, unknown>> {
  const { body } = await call<Challenge>('POST', '/api/v2/auth/challenge', {
    body: { address: wallet.address, action },
  });
  const signature = await wallet.signMessage(body.data.message);
  return { address: wallet.address, message: body.data.message, signature, nonce: body.data.nonce };
}

async function approveCreator({ call, adminToken }: DemoOptions, { name, wallet }: Person): Promise<void> {
  step(`${name} applies as a creator, an operator approves her`);
  const application = await signedBody(call, wallet, 'apply');
  await call('POST', '/api/v2/creator/apply', { body: { ...application, displayName: name } });
  await call('POST', `/api/v2/admin/creators/${wallet.address}/approve`, { adminToken, body: {} });
  await call('GET', `/api/v2/creator/status?address=${wallet.address}`);
}

async function creditWallets(
  { call, adminToken, runId }: DemoOptions,
  people: readonly Person[],
): Promise<void> {
  step('The operator credits both wallets with play money');
  for (const { wallet } of people) {
    await call('POST', `/api/v2/admin/accounts/${wallet.address}/deposits`, {
      adminToken,
      body: { amount: 500, reference: `demo-${runId}-${wallet.address}` },
    });
  }
}

async function openMarket({ call, runId, siteUrl }: DemoOptions, { name, apiKey }: Person): Promise<Market> {
  step(`${name} opens a market`);
  const { body: market } = await call<Market>('POST', '/api/v2/public/markets', {
    apiKey,
    body: {
      question: `Will demo run ${runId} end with a clean audit?`,
      resolutionCriteria: 'YES if the last step of this demo prints ok: true, otherwise NO.',
      resolveDate: new Date(Date.now() + 2 * 3600 * 1000).toISOString(),
      category: 'other',
    },
  });
  say(`It is ${market.tickerId}, in the browser at ${siteUrl}/market/${market.slug}`);
  return market;
}

/** Places the orders of the demo. Returns the YES prices, beginning with the opening price. */
async function trade(
  { call, runId }: DemoOptions,
  market: Market,
  { alice, bob }: { alice: Person; bob: Person },
): Promise<PricePoint[]> {
  const prices: PricePoint[] = [{ label: 'opening', yesPrice: market.yesPrice }];
  const path = pathOf(market);
  const firstOrder = { side: 'YES', amount: 25, maxPrice: 0.7 };
  const firstKey = `demo-${runId}-1`;
  const place = async ({ name, apiKey }: Person, body: Record<string, unknown>): Promise<void> => {
    const idempotencyKey = `demo-${runId}-${prices.length}`;
    const done = await call<ExecutedTrade>('POST', `${path}/trade`, { apiKey, body, idempotencyKey });
    prices.push({ label: `${name} ${describe(body)}`, yesPrice: done.body.yesPrice });
  };

  step('Bob asks for a quote before he trades');
  await call('GET', `${path}/price?side=YES&action=buy&amount=25`, { apiKey: bob.apiKey });

  step('They trade, and the price moves');
  await place(bob, firstOrder);
  await place(alice, { side: 'NO', amount: 10 });
  await place(bob, { side: 'YES', shares: 40, maxCost: 40 });
  await place(alice, { side: 'NO', shares: 15 });

  step('Bob sends his first order again: the idempotency key gives the same answer, not a second trade');
  const again = { apiKey: bob.apiKey, body: firstOrder, idempotencyKey: firstKey };
  const replay = await call<ExecutedTrade>('POST', `${path}/trade`, again);
  say(`Idempotency-Replayed: ${replay.headers.get('Idempotency-Replayed') ?? 'missing'}`);

  step('Bob sells a part of his shares');
  await place(bob, { side: 'YES', action: 'sell', shares: 20, minPrice: 0.3 });
  return prices;
}

const pathOf = ({ id }: Market): string => `/api/v2/public/markets/${id}`;

function describe(body: Record<string, unknown>): string {
  const action = body.action === 'sell' ? 'sells' : 'buys';
  const size =
    body.amount === undefined
      ? `${String(body.shares)} ${String(body.side)}`
      : `$${String(body.amount)} of ${String(body.side)}`;
  return `${action} ${size}`;
}

async function showPrices(
  { call }: DemoOptions,
  market: Market,
  { prices, reader: { apiKey } }: { prices: readonly PricePoint[]; reader: Person },
): Promise<void> {
  step('The price so far');
  for (const { label, yesPrice } of prices) priceLine(label, yesPrice);
  await call('GET', `${pathOf(market)}/history?interval=1m&limit=3`, { apiKey });
  await call('GET', `${pathOf(market)}/trades?limit=3`, { apiKey });
}

async function showHoldings({ call }: DemoOptions, { name, apiKey }: Person): Promise<void> {
  step(`What ${name} holds`);
  await call('GET', '/api/v2/public/positions', { apiKey });
  await call('GET', '/api/v2/public/balance', { apiKey });
}

async function resolve({ call, adminToken }: DemoOptions, { id }: Market): Promise<void> {
  step('The operator resolves the market: YES');
  await call('POST', `/api/v2/admin/markets/${id}/resolve`, {
    adminToken,
    body: { outcome: 'YES', note: 'The demo ran to its end.' },
  });
}

async function showPayouts(
  { call }: DemoOptions,
  { trader, creator }: { trader: Person; creator: Person },
): Promise<void> {
  step(`Winners are paid one dollar a share; ${creator.name} also earned 0.5% of every trade as the creator`);
  await call('GET', '/api/v2/public/positions/history?limit=2', { apiKey: trader.apiKey });
  await call('GET', '/api/v2/public/balance', { apiKey: trader.apiKey });
  await call('GET', '/api/v2/public/balance', { apiKey: creator.apiKey });
}

async function audit({ call, adminToken }: DemoOptions): Promise<void> {
  step('The books are recomputed from every entry and trade');
  const { body: result } = await call<Audit>('GET', '/api/v2/admin/audit', { adminToken });
  if (!result.ok) throw new Error('the audit found differences');
  const { entries, wallets } = result.checked;
  say(`The audit is clean: ${entries} entries over ${wallets} wallets add up to the last base unit.`);
}
