import { parseSignature, recoverPersonalSigner } from '../../crypto/signature';
import { PredictionMarketError } from '../../domain/errors';
import type { Address, Challenge, ChallengeAction } from '../../domain/types';
import type { SignedCommand } from '../commands';
import type { Context } from '../context';

/**
 * The action of a challenge, and the key that the challenge is about. `keyId` is left out when the caller gave an id
 * that no key can have. Then the challenge may be about any key.
 */
export interface ChallengePurpose {
  action: ChallengeAction;
  keyId?: number | null;
}

/**
 * The form of a nonce (docs/specification.md "Challenges"). A nonce of another form was never issued, so the
 * storage is not asked.
 */
const NONCE = /^[0-9a-f]{48}$/;

/**
 * Uses up the nonce, then checks the signature (docs/specification.md "Challenges"). Rejects with
 * INVALID_NONCE, or with INVALID_SIGNATURE when the signature does not verify or another wallet made it. The
 * nonce is removed in a transaction of its own, so a failed attempt uses the nonce up too.
 */
export async function consumeChallenge(
  context: Context,
  command: SignedCommand,
  purpose: ChallengePurpose,
): Promise<void> {
  const challenge = await take(context, command.nonce);
  if (challenge === null || !isFor(challenge, command.address, purpose) || hasExpired(challenge, context)) {
    throw new PredictionMarketError(
      'INVALID_NONCE',
      'Nonce invalid, expired, or already used. Request a fresh challenge.',
    );
  }
  const signer = await verifiedSigner(context, challenge, command);
  if (signer === null) throw new PredictionMarketError('INVALID_SIGNATURE', 'Invalid signature');
  if (signer !== command.address) {
    throw new PredictionMarketError('INVALID_SIGNATURE', 'Signature does not match address');
  }
}

async function take({ storage }: Context, nonce: string): Promise<Challenge | null> {
  return NONCE.test(nonce)
    ? storage.transaction((transaction) => transaction.challenges.consume(nonce))
    : null;
}

function isFor(challenge: Challenge, address: Address, { action, keyId }: ChallengePurpose): boolean {
  if (challenge.address !== address || challenge.action !== action) return false;
  return keyId === undefined || challenge.keyId === keyId;
}

function hasExpired(challenge: Challenge, { clock }: Context): boolean {
  return challenge.expiresAt <= clock.now();
}

/**
 * The wallet that has signed the issued message. `null` if the caller's message differs from the issued one,
 * if the signature is malformed, or if `siwe` refuses a message of EIP-4361.
 */
async function verifiedSigner(
  context: Context,
  challenge: Challenge,
  { message, signature }: SignedCommand,
): Promise<Address | null> {
  if (message !== challenge.message) return null;
  const signer = recoverPersonalSigner(message, signature);
  // The caller of this function refuses a signer who is not the wallet of the challenge.
  if (challenge.format === 'text' || signer !== challenge.address) return signer;
  return (await satisfiesSiwe(context, challenge, signature)) ? signer : null;
}

/**
 * Checks a message of EIP-4361, which also names domain, nonce and time. The package `siwe` compares the
 * times with our clock.
 */
async function satisfiesSiwe(
  { clock, config }: Context,
  challenge: Challenge,
  signature: string,
): Promise<boolean> {
  // `normalized` has 27 or 28 as v, which the package `siwe` accepts.
  const normalized = parseSignature(signature)?.normalized;
  if (normalized === undefined) return false;
  const { SiweMessage } = await import('siwe');
  const message = new SiweMessage(challenge.message);
  const { success } = await message.verify(
    {
      signature: normalized,
      nonce: challenge.nonce,
      // Without the option `baseUrl`, the message names the host to which the request for the challenge was
      // sent.
      domain: config.baseUrl === null ? message.domain : new URL(config.baseUrl).host,
      time: new Date(clock.now()).toISOString(),
    },
    { suppressExceptions: true },
  );
  return success;
}
