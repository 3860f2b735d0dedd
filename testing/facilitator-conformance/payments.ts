import type { Wallet } from 'ethers';
import { kindOf } from '../../src/domain/options';
import type {
  Payment,
  PaymentAuthorization,
  PaymentForm,
  PaymentRequirements,
} from '../../src/ports/facilitator';

const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

export type UnsignedAuthorization = Omit<PaymentAuthorization, 'signature'>;

let made = 0;

/** A nonce that is unique in this process, because a nonce can be used once. */
function freshNonce(now: number): string {
  made += 1;
  return `0x${now.toString(16).padStart(48, '0')}${made.toString(16).padStart(16, '0')}`;
}

function checkSigning(name: string, wallet: unknown, requirements: unknown): void {
  if (!hasText(wallet, 'address'))
    throw new TypeError(`${name}: the first argument must be a wallet of ethers, got ${kindOf(wallet)}`);
  if (!hasText(requirements, 'payTo') || !hasText(requirements, 'network'))
    throw new TypeError(
      `${name}: the second argument must be the requirements of a payment, got ${kindOf(requirements)}`,
    );
}

const hasText = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'string';

/**
 * The authorization that `payer` signs for these requirements at `now` (milliseconds). It is valid until five
 * minutes after `now`.
 */
export function authorizationFor(
  payer: Wallet,
  requirements: PaymentRequirements,
  now: number,
  change: Partial<UnsignedAuthorization> = {},
): UnsignedAuthorization {
  checkSigning('authorizationFor', payer, requirements);
  if (!Number.isSafeInteger(now))
    throw new TypeError(`authorizationFor: now must be milliseconds since the epoch, got ${kindOf(now)}`);
  const seconds = Math.floor(now / 1000);
  return {
    from: payer.address,
    to: requirements.payTo,
    value: requirements.amount,
    validAfter: String(seconds - 600),
    validBefore: String(seconds + 300),
    nonce: freshNonce(now),
    ...change,
  };
}

/** Signs an EIP-3009 authorization under the EIP-712 domain of the token that the requirements name. */
export async function signAuthorization(
  signer: Wallet,
  requirements: PaymentRequirements,
  authorization: UnsignedAuthorization,
): Promise<PaymentAuthorization> {
  checkSigning('signAuthorization', signer, requirements);
  const domain = {
    name: requirements.assetName,
    version: requirements.assetVersion,
    chainId: Number(requirements.network.replace('eip155:', '')),
    verifyingContract: requirements.asset,
  };
  return {
    ...authorization,
    signature: await signer.signTypedData(domain, TRANSFER_TYPES, { ...authorization }),
  };
}

/** A payment that fits the requirements, signed by the payer. */
export async function signedPayment(
  payer: Wallet,
  requirements: PaymentRequirements,
  now: number,
  { form = 'v2', ...change }: Partial<UnsignedAuthorization> & { form?: PaymentForm } = {},
): Promise<Payment> {
  const authorization = authorizationFor(payer, requirements, now, change);
  return { form, authorization: await signAuthorization(payer, requirements, authorization) };
}
