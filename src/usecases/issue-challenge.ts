import { SiweMessage } from 'siwe';
import { checksumAddress } from '../crypto/address';
import type { Challenge } from '../domain/types';
import type { ChallengeView } from '../views/types';
import type { IssueChallengeCommand } from './commands';
import type { Context } from './context';

const NONCE_BYTES = 24;

/** Issues a message for the wallet to sign (SPEC "Challenge"): single use, bound to the wallet, the action and the key. */
export async function issueChallenge(
  context: Context,
  command: IssueChallengeCommand,
): Promise<ChallengeView> {
  const now = context.clock.now();
  const nonce = Buffer.from(context.random.bytes(NONCE_BYTES)).toString('hex');
  const facts = { ...command, nonce, issuedAt: now, expiresAt: now + context.config.challengeTtlMs };
  const message = command.format === 'siwe' ? siweMessage(context, facts) : textMessage(context, facts);
  await context.storage.transaction((tx) => tx.challenges.insert({ ...facts, message }));
  return { nonce, message, expiresAt: new Date(facts.expiresAt).toISOString() };
}

type Facts = Omit<Challenge, 'message'>;

function textMessage({ config }: Context, { action, address, nonce, issuedAt }: Facts): string {
  return [
    `${config.serviceName} (${config.baseUrl})`,
    `Action: ${action}`,
    `Address: ${checksumAddress(address)}`,
    `Nonce: ${nonce}`,
    `Timestamp: ${Math.floor(issuedAt / 1000)}`,
  ].join('\n');
}

const PURPOSES = {
  issue: 'Issue an API key',
  revoke: 'Revoke an API key',
  regenerate: 'Replace an API key by a new one',
  apply: 'Apply as a creator of markets',
} as const;

/** EIP-4361. The statement names the action, so that a signature for one cannot be passed off as another. */
function siweMessage(
  { config }: Context,
  { action, keyId, address, nonce, issuedAt, expiresAt }: Facts,
): string {
  const subject = keyId === null ? '' : ` (key ${keyId})`;
  return new SiweMessage({
    domain: new URL(config.baseUrl).host,
    address: checksumAddress(address),
    statement: `${PURPOSES[action]}${subject} at ${siweText(config.serviceName)}. Action: ${action}`,
    // Punycode and percent-encoding, which the grammar demands of a URI.
    uri: new URL(config.baseUrl).href,
    version: '1',
    chainId: config.chainId,
    nonce,
    issuedAt: new Date(issuedAt).toISOString(),
    expirationTime: new Date(expiresAt).toISOString(),
  }).prepareMessage();
}

/** EIP-4361 lets a statement hold the characters of a URI and spaces only; the package throws at others. */
function siweText(text: string): string {
  return text.replace(/[^A-Za-z0-9 \-._~:/?#[\]@!$&'()*+,;=]/g, '_');
}
