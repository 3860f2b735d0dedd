/**
 * The payment of a signer: the typed data that the wallet signs.
 *
 * The client loads this file with the first payment by a signer. The file imports only types, so that bundlers leave
 * the rest of the client in one piece.
 */
import type { Terms } from './payment-terms';
import type { PaymentSigner, TypedData } from './signers';

const AUTHORIZATION_SECONDS = 300;

const TransferWithAuthorization = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
];

export interface SignedTransfer {
  authorization: Record<'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce', string>;
  signature: string;
}

/** Signs exactly these terms; the caller has checked the amount and the token. */
export async function signTransfer(
  signer: Pick<PaymentSigner, 'signPayment'>,
  from: string,
  { amount, network, payTo, nonce, asset, name, version }: Terms,
  now: number,
): Promise<SignedTransfer> {
  const authorization = {
    from,
    to: payTo,
    value: amount,
    validAfter: '0',
    validBefore: String(Math.floor(now / 1000) + AUTHORIZATION_SECONDS),
    nonce,
  };
  const data: TypedData = {
    domain: { name, version, chainId: Number(network.split(':')[1]), verifyingContract: asset },
    types: { TransferWithAuthorization },
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  };
  return { authorization, signature: await signer.signPayment(data) };
}
