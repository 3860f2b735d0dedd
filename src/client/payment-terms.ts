/** Checks what a 402 answer asks for before a wallet signs the payment. */
import type { PaymentRequired } from './api.generated';

/** A token, by its network (CAIP-2) and the address of its contract. One million base units must be worth 1 USD. */
export interface PaymentToken {
  /** CAIP-2, such as `eip155:8453`. */
  network: string;
  /** The EVM address of the contract. */
  asset: string;
}

/** The native USDC on Base and on Base Sepolia. */
export const NATIVE_USDC: readonly PaymentToken[] = [
  { network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  { network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' },
];

type Accepted = PaymentRequired['accepts'][number];

export type Terms = Pick<PaymentRequired, 'amount' | 'network' | 'payTo' | 'nonce'> &
  Pick<Accepted, 'asset'> &
  Accepted['extra'];

export interface TermsRefusal {
  code: 'UNEXPECTED_ANSWER' | 'PAYMENT_TOKEN_NOT_ALLOWED' | 'PAYMENT_TOO_HIGH';
  reason: string;
}

const MICROS_PER_USD = 1_000_000;

/** Checks the option `maxPayment` and returns it. Throws a TypeError if it is negative or no number. */
export function checkedMost(maxPayment: number): number {
  if (!Number.isFinite(maxPayment) || maxPayment < 0) throw new TypeError('maxPayment must be a number');
  return maxPayment;
}

/** What the wallet may sign, or why it must not. `most` is in USD. */
export function allowedTerms(
  details: unknown,
  tokens: readonly PaymentToken[],
  most: number,
): Terms | TermsRefusal {
  const terms = termsOf(details);
  if (terms === null) return { code: 'UNEXPECTED_ANSWER', reason: 'the 402 answer names no payment' };
  const { network, asset, amount } = terms;
  const isAsked = (token: PaymentToken): boolean =>
    token.network === network && token.asset.toLowerCase() === asset.toLowerCase();
  if (!tokens.some(isAsked))
    return { code: 'PAYMENT_TOKEN_NOT_ALLOWED', reason: `paymentTokens lacks ${asset} on ${network}` };
  if (Number(amount) <= Math.round(checkedMost(most) * MICROS_PER_USD)) return terms;
  const price = Number(amount) / MICROS_PER_USD;
  const reason = `the call costs ${price} USD, more than maxPayment (${most} USD)`;
  return { code: 'PAYMENT_TOO_HIGH', reason };
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const FORMS: Record<keyof Terms, RegExp> = {
  amount: /^\d{1,78}$/,
  network: /^eip155:\d{1,15}$/,
  payTo: ADDRESS,
  nonce: /^0x[0-9a-f]{64}$/i,
  asset: ADDRESS,
  name: /./,
  version: /./,
};

/** The terms of a 402 answer. Null if the answer does not have the form of the service. */
function termsOf(details: unknown): Terms | null {
  const { amount, network, payTo, nonce, accepts } = details as Partial<PaymentRequired>;
  const first: Partial<Accepted> | null | undefined = Array.isArray(accepts) ? accepts[0] : null;
  const terms: Partial<Terms> = { ...first?.extra, asset: first?.asset, amount, network, payTo, nonce };
  const fits = Object.entries(FORMS).every(([field, form]) => {
    const text: unknown = terms[field as keyof Terms];
    return typeof text === 'string' && form.test(text);
  });
  return fits ? (terms as Terms) : null;
}
