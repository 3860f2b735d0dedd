import { SiweMessage } from 'siwe';
import { parseSignature, recoverPersonalSigner } from '../../crypto/signature';
import { PredictionMarketError } from '../../domain/errors';
import type { Address, Challenge, ChallengeAction } from '../../domain/types';
import type { SignedCommand } from '../commands';
import type { Context } from '../context';

/** What the signed call is about; no `keyId` when the path held nothing that could be a key id. */
export interface ChallengePurpose {
  action: ChallengeAction;
  keyId?: number | null;
}

/** SPEC "Challenge". Anything else was never issued, and need not be looked for. */
const NONCE = /^[0-9a-f]{48}$/;

/**
 * Takes the nonce out of the world, then checks the signature, in SPEC's order: INVALID_NONCE, INVALID_SIGNATURE for a
 * signature that does not verify, INVALID_SIGNATURE for another signer. The nonce is gone whatever follows: its removal
 * is a transaction of its own.
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
  return NONCE.test(nonce) ? storage.transaction((tx) => tx.challenges.consume(nonce)) : null;
}

function isFor(challenge: Challenge, address: Address, { action, keyId }: ChallengePurpose): boolean {
  if (challenge.address !== address || challenge.action !== action) return false;
  return keyId === undefined || challenge.keyId === keyId;
}

function hasExpired(challenge: Challenge, { clock }: Context): boolean {
  return challenge.expiresAt <= clock.now();
}

/** Who signed the message that was issued; `null` when the signature verifies for nobody, or for another message. */
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

/** What EIP-4361 asks beside the signer: domain, nonce and time. The package judges, by our clock. */
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
      // Without the option, the host is the one of the request that asked for the challenge.
      domain: config.baseUrl === null ? message.domain : new URL(config.baseUrl).host,
      time: new Date(clock.now()).toISOString(),
    },
    { suppressExceptions: true },
  );
  return success;
}
