import type { Wallet } from 'ethers';
import type { PaymentForm } from '../../../src/ports/facilitator';

export interface PaymentRequired {
  amount: string;
  network: string;
  payTo: string;
  nonce: string;
  accepts: { network: string; asset: string; extra: { name: string; version: string } }[];
}

export interface Authorization {
  from: string;
  to: string;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
}

export interface SignOptions {
  form?: PaymentForm;
  /** Milliseconds since 1970. */
  now: number;
  change?: Partial<Authorization>;
  signature?: string;
  domain?: Record<string, unknown>;
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

export async function pay(
  wallet: Wallet,
  paymentRequired: PaymentRequired,
  { form = 'flat', now, change = {}, signature, domain = {} }: SignOptions,
): Promise<Record<string, string>> {
  const [accepted] = paymentRequired.accepts;
  if (accepted === undefined) throw new Error('the 402 accepts nothing');
  const authorization: Authorization = {
    from: wallet.address,
    to: paymentRequired.payTo,
    value: paymentRequired.amount,
    validAfter: '0',
    validBefore: String(Math.floor(now / 1000) + 300),
    nonce: paymentRequired.nonce,
    ...change,
  };
  const signed = await wallet.signTypedData(
    {
      ...accepted.extra,
      chainId: Number(paymentRequired.network.split(':')[1]),
      verifyingContract: accepted.asset,
      ...domain,
    },
    TYPES,
    authorization,
  );
  return headersOf(form, paymentRequired, authorization, signature ?? signed);
}

function headersOf(
  form: PaymentForm,
  { network, amount, payTo, accepts: [accepted] }: PaymentRequired,
  authorization: Authorization,
  signature: string,
): Record<string, string> {
  const payload = { signature, authorization };
  switch (form) {
    case 'flat':
      return { 'X-PAYMENT': base64({ ...authorization, signature, network, currency: 'USDC' }) };
    case 'v1':
      return {
        'X-PAYMENT': base64({ x402Version: 1, scheme: 'exact', network: accepted?.network, payload }),
      };
    case 'v2': {
      const { asset, extra } = accepted ?? {};
      const terms = { scheme: 'exact', network, amount, asset, payTo, maxTimeoutSeconds: 300, extra };
      return { 'PAYMENT-SIGNATURE': base64({ x402Version: 2, accepted: terms, payload }) };
    }
  }
}

export function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

export function unbase64(text: string | undefined): unknown {
  return JSON.parse(Buffer.from(text ?? '', 'base64').toString('utf8'));
}
