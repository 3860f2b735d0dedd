import { until } from '../support/until';
import { pay, unbase64, type PaymentRequired } from '../x402/support/payer';
import type { MortalServer } from './mortal-server';
import { USD, type World } from './payment-world';
import { randomWallet } from '../support/random-wallet';

export interface PaidCall {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  /** In base units: 1,000,000 are one USDC. */
  amount: bigint;
  status: number;
  body?: (now: number) => object;
}

export const FEED: PaidCall = {
  name: 'feed',
  method: 'GET',
  path: '/x402/feed?limit=5',
  amount: 1_000n,
  status: 200,
};
export const MARKETS: PaidCall = {
  name: 'markets',
  method: 'POST',
  path: '/x402/markets',
  amount: USD,
  status: 201,
  body: (now) => ({
    question: 'Does what was paid for outlive its process?',
    resolutionCriteria: 'It does.',
    resolveDate: new Date(now + 86_400_000).toISOString(),
    category: 'other',
  }),
};
export const DEPOSIT: PaidCall = {
  name: 'deposit',
  method: 'POST',
  path: '/x402/deposit',
  amount: 25n * USD,
  status: 201,
  body: () => ({ amount: 25 }),
};

export interface Purchase {
  call: PaidCall;
  payer: string;
  request: { method: string; headers: Record<string, string>; body?: string };
}

export interface Answer {
  status: number;
  text: string;
  transaction: string | null;
}

export interface PaymentView {
  status: string;
  payer: string;
  amount: number;
  transaction: string | null;
}

export async function newPurchase(world: World, server: MortalServer, call: PaidCall): Promise<Purchase> {
  const wallet = randomWallet();
  await world.chain.mint(wallet.address, call.amount);
  if (call === MARKETS) await operate(server, 'POST', `/creators/${wallet.address}/approve`);
  const body = call.body === undefined ? {} : { body: JSON.stringify(call.body(world.now())) };
  const plain = { method: call.method, headers: { 'content-type': 'application/json' }, ...body };
  const challenge = (await (await fetch(addressOf(server, call), plain)).json()) as PaymentRequired;
  const payment = await pay(wallet, challenge, { now: world.now() });
  return { call, payer: wallet.address, request: { ...plain, headers: { ...plain.headers, ...payment } } };
}

/** `null`: the connection broke before the answer. */
export async function send(server: MortalServer, { call, request }: Purchase): Promise<Answer | null> {
  try {
    const response = await fetch(addressOf(server, call), request);
    const receipt = response.headers.get('x-payment-response');
    const transaction = receipt === null ? null : (unbase64(receipt) as { transaction: string }).transaction;
    return { status: response.status, text: await response.text(), transaction };
  } catch {
    return null;
  }
}

export async function sendUntilAnswered(server: MortalServer, purchase: Purchase): Promise<Answer> {
  let answer: Answer | null = null;
  await until(
    async () => {
      answer = await send(server, purchase);
      if (answer === null) throw new Error('the server that should answer is gone');
      return answer.status !== 503;
    },
    { what: () => `an answer other than ${JSON.stringify(answer)}` },
  );
  return answer as unknown as Answer;
}

function addressOf({ base }: MortalServer, { path }: PaidCall): string {
  return `${base}/api/v2${path}`;
}

export function operate<T>(server: MortalServer, method: string, path: string): Promise<T> {
  return ask<T>(server, `/ops${path}`, method);
}

export async function ask<T>({ base }: MortalServer, path: string, method = 'GET'): Promise<T> {
  const response = await fetch(base + path, { method });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

export async function allPayments(server: MortalServer): Promise<PaymentView[]> {
  const all: PaymentView[] = [];
  for (;;) {
    const path = `/payments?limit=100&offset=${all.length}`;
    const page = await operate<{ payments: PaymentView[]; hasMore: boolean }>(server, 'GET', path);
    all.push(...page.payments);
    if (!page.hasMore) return all;
  }
}

export async function paymentsOf(server: MortalServer, payer: string): Promise<PaymentView[]> {
  return (await allPayments(server)).filter((payment) => payment.payer === payer);
}

export async function balanceOf(server: MortalServer, wallet: string): Promise<number> {
  return (await operate<{ balance: number }>(server, 'GET', `/accounts/${wallet}`)).balance;
}

export async function countMarkets(server: MortalServer): Promise<number> {
  return (await ask<{ total: number }>(server, '/program/markets')).total;
}
