import type { Wallet } from 'ethers';
import type { Response } from 'supertest';
import { API, marketBody, type Service } from '../../http/support/service';
import { pay, type PaymentRequired, type SignOptions } from './payer';

export interface PaidCall {
  name: string;
  method: 'get' | 'post';
  path: string;
  amount: string;
  status: number;
  body?: (service: Service) => Record<string, unknown>;
}

export const FEED: PaidCall = {
  name: 'feed',
  method: 'get',
  path: '/x402/feed?limit=5',
  amount: '1000',
  status: 200,
};
export const ORACLE: PaidCall = {
  name: 'oracle/resolve',
  method: 'get',
  path: '/x402/oracle/resolve?question=Will%20it%20rain%3F',
  amount: '50000',
  status: 200,
};
export const MARKETS: PaidCall = {
  name: 'markets',
  method: 'post',
  path: '/x402/markets',
  amount: '1000000',
  status: 201,
  body: marketBody,
};
export const DEPOSIT: PaidCall = {
  name: 'deposit',
  method: 'post',
  path: '/x402/deposit',
  amount: '25000000',
  status: 201,
  body: () => ({ amount: 25 }),
};
export const PAID_CALLS = [FEED, ORACLE, MARKETS, DEPOSIT];

export function send(
  service: Service,
  { method, path, body }: PaidCall,
  headers: Record<string, string> = {},
): Promise<Response> {
  return service.call(method, API + path, { headers, ...(body !== undefined && { body: body(service) }) });
}

export async function paymentRequiredOf(service: Service, call: PaidCall): Promise<PaymentRequired> {
  const response = await send(service, call);
  if (response.status !== 402) throw new Error(`expected a 402, got ${response.text}`);
  return response.body as PaymentRequired;
}

let nonces = 0;
export function freshNonce(): string {
  nonces += 1;
  return `0x5e${nonces.toString(16).padStart(62, '0')}`;
}

export async function paymentFor(
  service: Service,
  wallet: Wallet,
  call: PaidCall,
  options: Partial<SignOptions> = {},
): Promise<Record<string, string>> {
  const paymentRequired = await paymentRequiredOf(service, call);
  const standard = options.form !== undefined && options.form !== 'flat';
  const change = { ...(standard && { nonce: freshNonce() }), ...options.change };
  return pay(wallet, paymentRequired, { now: service.clock.now(), ...options, change });
}

export async function buy(
  service: Service,
  wallet: Wallet,
  call: PaidCall,
  options: Partial<SignOptions> = {},
): Promise<Response> {
  return send(service, call, await paymentFor(service, wallet, call, options));
}
