import { SiweMessage } from 'siwe';
import { parseSignature, recoverPersonalSigner } from '../../crypto/signature';
import { PredictionMarketError } from '../../domain/errors';
import type { Address, Challenge, ChallengeAction } from '../../domain/types';
import type { SignedCommand } from '../commands';
import type { Context } from '../context';

/** The action, and the key that it is about. Without `keyId` (the path held no possible key id) any key matches. */
export interface ChallengePurpose {
  action: ChallengeAction;
  keyId?: number | null;
}

/** docs/specification.md "Challenges". A nonce of another form was never issued, so the storage is not asked. */
const NONCE = /^[0-9a-f]{48}$/;

/**
 * Uses up the nonce, then checks the signature (docs/specification.md "Challenges"). Refused with INVALID_NONCE, then
 * with INVALID_SIGNATURE for a signature that does not verify or that another wallet made. The removal of the nonce
 * is a transaction of its own, so a failed attempt uses the nonce up too.
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
  const signer = await signerOf(context, challenge, command);
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

/** The signer of the issued message; `null` when the signature is malformed or the message is another one. */
async function signerOf(
  context: Context,
  challenge: Challenge,
  { message, signature }: SignedCommand,
): Promise<Address | null> {
  if (message !== challenge.message) return null;
  const signer = recoverPersonalSigner(message, signature);
  if (challenge.format === 'text' || signer !== challenge.address) return signer;
  return (await satisfiesSiwe(context, challenge, signature)) ? signer : null;
}

/** EIP-4361 also binds domain, nonce and time. The package checks them against our clock. */
async function satisfiesSiwe(
  { clock, config }: Context,
  challenge: Challenge,
  signature: string,
): Promise<boolean> {
  // The package knows v as 27 and 28 only.
  const normalized = parseSignature(signature)?.normalized;
  if (normalized === undefined) return false;
  const message = new SiweMessage(challenge.message);
  const { success } = await message.verify(
    {
      signature: normalized,
      nonce: challenge.nonce,
      // Without the option `baseUrl`, the message names the host of the request that asked for the challenge.
      domain: config.baseUrl === null ? message.domain : new URL(config.baseUrl).host,
      time: new Date(clock.now()).toISOString(),
    },
    { suppressExceptions: true },
  );
  return success;
}
