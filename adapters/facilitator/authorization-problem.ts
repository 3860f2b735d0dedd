import { parseAddress } from '../../src/crypto/address';
import { recoverTransferSigner } from '../../src/crypto/signature';
import type { PaymentAuthorization, PaymentRequirements } from '../../src/ports/facilitator';

/** The problem of an authorization whose window has ended. It may have been settled within the window. */
export const EXPIRED = 'expired';

const INTEGER = /^\d{1,78}$/;

/**
 * What is wrong with an authorization, as far as this can be seen without asking the chain: its form,
 * recipient, amount, signature, or its window at `now` (in milliseconds). `null` when nothing is wrong.
 */
export function authorizationProblem(
  authorization: PaymentAuthorization,
  requirements: PaymentRequirements,
  now: number,
): string | null {
  const { from, to, value, validAfter, validBefore, signature } = authorization;
  if (![value, validAfter, validBefore].every((integer) => INTEGER.test(integer))) return 'invalid_payload';
  if (parseAddress(to) === null || parseAddress(to) !== parseAddress(requirements.payTo))
    return 'recipient_mismatch';
  if (value !== requirements.amount) return 'amount_mismatch';
  const seconds = BigInt(Math.floor(now / 1000));
  // EIP-3009 requires a block time later than `validAfter`. The transfer is mined after `now`, so an equal time
  // passes here.
  if (seconds < BigInt(validAfter)) return 'not_yet_valid';
  const domain = {
    name: requirements.assetName,
    version: requirements.assetVersion,
    chainId: Number(requirements.network.replace('eip155:', '')),
    verifyingContract: requirements.asset,
  };
  const signer = recoverTransferSigner(authorization, domain, signature);
  if (signer === null || signer !== parseAddress(from)) return 'invalid_signature';
  return seconds >= BigInt(validBefore) ? EXPIRED : null;
}
