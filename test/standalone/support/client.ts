import type { Wallet } from 'ethers';
import {
  signChallenge,
  type Challenge as KeyChallenge,
  type SignedChallenge,
} from '../../support/sign-challenge';
import { pay, type PaymentRequired } from '../../x402/support/payer';

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export interface Call {
  method?: string;
  body?: object;
  headers?: Record<string, string>;
}

export async function call(base: string, path: string, options: Call = {}): Promise<Answer> {
  const { method = options.body === undefined ? 'GET' : 'POST', body, headers } = options;
  const response = await fetch(`${base}/api/v2${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

export async function buy(base: string, path: string, wallet: Wallet, body?: object): Promise<Answer> {
  const asked = await call(base, path, body === undefined ? {} : { body });
  if (asked.status !== 402) throw new Error(`expected a 402, got ${JSON.stringify(asked.body)}`);
  const headers = await pay(wallet, asked.body as unknown as PaymentRequired, { now: Date.now() });
  return call(base, path, { headers, ...(body !== undefined && { body }) });
}

export async function issueKey(base: string, wallet: Wallet): Promise<string> {
  const issued = await call(base, '/auth/token', { body: await signedBody(base, wallet, 'issue') });
  return (issued.body['data'] as { apiKey: string }).apiKey;
}

export async function becomeCreator(base: string, wallet: Wallet, adminToken: string): Promise<void> {
  const application = { ...(await signedBody(base, wallet, 'apply')), displayName: 'Ada' };
  const applied = await call(base, '/creator/apply', { body: application });
  const headers = { authorization: `Bearer ${adminToken}` };
  const approved = await call(base, `/admin/creators/${wallet.address}/approve`, { headers, body: {} });
  if (applied.status >= 300 || approved.status >= 300)
    throw new Error(`the creator is not approved: ${JSON.stringify([applied.body, approved.body])}`);
}

function signedBody(base: string, wallet: Wallet, action: string): Promise<SignedChallenge> {
  return signChallenge(wallet, async (address) => {
    const asked = await call(base, '/auth/challenge', { body: { address, action } });
    return asked.body['data'] as KeyChallenge;
  });
}
