/** A payment by hand: from the requirements of a 402 answer to the typed data that the wallet signs. */
import type { PaymentRequired } from './api.generated';
import type { SentPayment } from './errors';
import { base64Json } from './receipt';
import { addressOf, type PaymentSigner, type TypedData } from './signers';

const AUTHORIZATION_SECONDS = 300;

const TransferWithAuthorization = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
];

/** Signs exactly what the answer asks for; the caller has checked the amount. */
export async function signPayment(
  signer: PaymentSigner,
  { amount, currency, network, payTo, nonce, accepts }: PaymentRequired,
  now: number,
): Promise<SentPayment> {
  const [terms] = accepts;
  if (terms === undefined) throw new TypeError('the 402 answer accepts no payment');
  const { asset, extra } = terms;
  const message = {
    from: await addressOf(signer),
    to: payTo,
    value: amount,
    validAfter: '0',
    validBefore: String(Math.floor(now / 1000) + AUTHORIZATION_SECONDS),
    nonce,
  };
  const data: TypedData = {
    domain: { ...extra, chainId: chainIdOf(network), verifyingContract: asset },
    types: { TransferWithAuthorization },
    primaryType: 'TransferWithAuthorization',
    message,
  };
  const signature = await signer.signPayment(data);
  return { header: 'X-PAYMENT', value: base64Json({ ...message, signature, network, currency }) };
}

function chainIdOf(network: string): number {
  const [namespace, reference] = network.split(':');
  const chainId = Number(reference);
  if (namespace !== 'eip155' || !Number.isSafeInteger(chainId))
    throw new TypeError(`payments on the network ${network} are not known`);
  return chainId;
}
