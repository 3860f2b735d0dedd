/** The wallet that signs for the session. A session with a pasted key has none. */
import type { PaymentSigner } from '../../src/client';
import { currentWallet } from './session';

export const CANNOT_SIGN =
  'This browser has the API key, and not the wallet. What a wallet has to sign needs the wallet: connect with it to go on.';

export const canSign = (): boolean => (currentWallet()?.signer ?? null) !== null;

/** The signer of the connected wallet. If there is none, throws an error that tells the reader what to do. */
export function signerOfSession(): PaymentSigner {
  const signer = currentWallet()?.signer ?? null;
  if (signer === null) throw new Error(CANNOT_SIGN);
  return signer;
}
