/** The whole life of one market, step by step, with two wallets and an operator. */
import { Wallet, type HDNodeWallet } from 'ethers';
import type { Call } from './client';
import { priceLine, say, step } from './print';

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

async function issueKey(call: Call, wallet: HDNodeWallet, label: string): Promise<string> {
  const signed = await signedBody(call, wallet, 'issue');
  const { body } = await call<IssuedKey>('POST', '/api/v2/auth/token', { body: { ...signed, label } });
  return body.data.apiKey;
}

export async function walk({ call, adminToken, runId, siteUrl }: DemoOptions): Promise<void> {
  const alice = Wallet.createRandom();
  const bob = Wallet.createRandom();

  step('Two wallets prove themselves by signing, and get an API key each');
  say(`Alice is ${alice.address}, Bob is ${bob.address}. Neither has a password.`);
  const aliceKey = await issueKey(call, alice, 'demo: Alice');
  const bobKey = await issueKey(call, bob, 'demo: Bob');

  step('Alice applies as a creator, an operator approves her');
  const application = await signedBody(call, alice, 'apply');
  await call('POST', '/api/v2/creator/apply', { body: { ...application, displayName: 'Alice' } });
  await call('POST', `/api/v2/admin/creators/${alice.address}/approve`, { adminToken, body: {} });
  await call('GET', `/api/v2/creator/status?address=${alice.address}`);

  step('The operator credits both wallets with play money');
  for (const wallet of [alice, bob]) {
    await call('POST', `/api/v2/admin/accounts/${wallet.address}/deposits`, {
      adminToken,
      body: { amount: 500, reference: `demo-${runId}-${wallet.address}` },
    });
  }

  step('Alice opens a market');
  const { body: market } = await call<Market>('POST', '/api/v2/public/markets', {
    apiKey: aliceKey,
    body: {
      question: `Will demo run ${runId} end with a clean audit?`,
      resolutionCriteria: 'YES if the last step of this demo prints ok: true, otherwise NO.',
      resolveDate: new Date(Date.now() + 2 * 3600 * 1000).toISOString(),
      category: 'other',
    },
  });
  say(`It is ${market.tickerId}, in the browser at ${siteUrl}/market/${market.slug}`);
  const path = `/api/v2/public/markets/${market.id}`;

  step('Bob asks for a quote before he trades');
  await call('GET', `${path}/price?side=YES&action=buy&amount=25`, { apiKey: bobKey });

  step('They trade, and the price moves');
  const prices: { label: string; yesPrice: number }[] = [{ label: 'opening', yesPrice: market.yesPrice }];
  const trade = async (name: string, apiKey: string, body: Record<string, unknown>): Promise<void> => {
    const { body: done } = await call<ExecutedTrade>('POST', `${path}/trade`, {
      apiKey,
      body,
      idempotencyKey: `demo-${runId}-${prices.length}`,
    });
    prices.push({ label: `${name} ${describe(body)}`, yesPrice: done.yesPrice });
  };
  await trade('Bob', bobKey, { side: 'YES', amount: 25, maxPrice: 0.7 });
  await trade('Alice', aliceKey, { side: 'NO', amount: 10 });
  await trade('Bob', bobKey, { side: 'YES', shares: 40, maxCost: 40 });
  await trade('Alice', aliceKey, { side: 'NO', shares: 15 });

  step('Bob sends his first order again: the idempotency key gives the same answer, not a second trade');
  const replay = await call<ExecutedTrade>('POST', `${path}/trade`, {
    apiKey: bobKey,
    body: { side: 'YES', amount: 25, maxPrice: 0.7 },
    idempotencyKey: `demo-${runId}-1`,
  });
  say(`Idempotency-Replayed: ${replay.headers.get('Idempotency-Replayed') ?? 'missing'}`);

  step('Bob sells a part of his shares');
  await trade('Bob', bobKey, { side: 'YES', action: 'sell', shares: 20, minPrice: 0.3 });

  step('The price so far');
  for (const { label, yesPrice } of prices) priceLine(label, yesPrice);
  await call('GET', `${path}/history?interval=1m&limit=3`, { apiKey: bobKey });
  await call('GET', `${path}/trades?limit=3`, { apiKey: bobKey });

  step('What Bob holds');
  await call('GET', '/api/v2/public/positions', { apiKey: bobKey });
  await call('GET', '/api/v2/public/balance', { apiKey: bobKey });

  step('The operator resolves the market: YES');
  await call('POST', `/api/v2/admin/markets/${market.id}/resolve`, {
    adminToken,
    body: { outcome: 'YES', note: 'The demo ran to its end.' },
  });

  step('Winners are paid one dollar a share; Alice also earned 0.5% of every trade as the creator');
  await call('GET', '/api/v2/public/positions/history?limit=2', { apiKey: bobKey });
  await call('GET', '/api/v2/public/balance', { apiKey: bobKey });
  await call('GET', '/api/v2/public/balance', { apiKey: aliceKey });

  step('The books are recomputed from every entry and trade');
  const { body: audit } = await call<Audit>('GET', '/api/v2/admin/audit', { adminToken });
  if (!audit.ok) throw new Error('the audit found differences');
  say(
    `The audit is clean: ${audit.checked.entries} entries over ${audit.checked.wallets} wallets add up to the last base unit.`,
  );
}

function describe(body: Record<string, unknown>): string {
  const action = body.action === 'sell' ? 'sells' : 'buys';
  const size =
    body.amount === undefined
      ? `${String(body.shares)} ${String(body.side)}`
      : `$${String(body.amount)} of ${String(body.side)}`;
  return `${action} ${size}`;
}
