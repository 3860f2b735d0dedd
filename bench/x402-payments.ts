/**
 * Payments that are signed in advance. They are standard payments (x402 version 2), each with its own nonce.
 */
import { randomBytes } from 'node:crypto';
import { getBytes, hexlify, TypedDataEncoder, Wallet } from 'ethers';

export const FEED_PATH = '/api/v2/x402/feed';

export interface Terms {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
  extra: { name: string; version: string };
}

export interface SignedPayment {
  signature: string;
  authorization: Record<string, string>;
}

const PAYERS = 50;
const LIFETIME_SECONDS = 300;

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

export function createPayers(): (count: number, terms: Terms) => SignedPayment[] {
  const payers = Array.from({ length: PAYERS }, () => new Wallet(hexlify(randomBytes(32))));
  return (count, terms) =>
    Array.from({ length: Math.ceil(count / PAYERS) }, () => payers.map((payer) => signPayment(payer, terms)))
      .flat()
      .slice(0, count);
}

function signPayment(payer: Wallet, { network, asset, payTo, amount, extra }: Terms): SignedPayment {
  const authorization = {
    from: payer.address,
    to: payTo,
    value: amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1000) + LIFETIME_SECONDS),
    nonce: hexlify(randomBytes(32)),
  };
  const domain = { ...extra, chainId: Number(network.split(':')[1]), verifyingContract: asset };
  const digest = TypedDataEncoder.hash(domain, TYPES, authorization);
  return { authorization, signature: payer.signingKey.sign(getBytes(digest)).serialized };
}

/**
 * The header as the published client of version 2 writes it: with the offer and the resource that the client
 * accepts.
 */
export function paymentHeader(offer: { accepted: Terms; resource: unknown }, payload: SignedPayment): string {
  return Buffer.from(JSON.stringify({ x402Version: 2, ...offer, payload })).toString('base64');
}
