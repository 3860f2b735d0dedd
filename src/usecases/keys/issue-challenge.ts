import { checksumAddress } from '../../crypto/address';
import { validationError } from '../../domain/errors';
import type { Challenge } from '../../domain/types';
import type { ChallengeView } from '../../views/key';
import type { IssueChallengeCommand } from '../commands';
import type { Context } from '../context';

const NONCE_BYTES = 24;

/**
 * Issues a message for the wallet to sign (docs/specification.md "Challenges"). The message is valid once, for
 * one wallet, action and key.
 */
export async function issueChallenge(
  context: Context,
  command: IssueChallengeCommand,
  /** The URL of the service, which the message names. `null` when the URL is not known. */
  baseUrl: string | null = context.config.baseUrl,
): Promise<ChallengeView> {
  const now = context.clock.now();
  const nonce = Buffer.from(context.random.bytes(NONCE_BYTES)).toString('hex');
  const fields = { ...command, nonce, issuedAt: now, expiresAt: now + context.config.challengeTtlMs };
  const message =
    command.format === 'siwe'
      ? await siweMessage(context, fields, baseUrl)
      : textMessage(context, fields, baseUrl);
  await context.storage.transaction((transaction) => transaction.challenges.insert({ ...fields, message }));
  return { nonce, message, expiresAt: new Date(fields.expiresAt).toISOString() };
}

type ChallengeFields = Omit<Challenge, 'message'>;

function textMessage(
  { config }: Context,
  { action, address, nonce, issuedAt }: ChallengeFields,
  baseUrl: string | null,
): string {
  return [
    baseUrl === null ? config.serviceName : `${config.serviceName} (${baseUrl})`,
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

/**
 * The message in the form of EIP-4361. Its statement tells the signer the action, and the key if there is one.
 */
async function siweMessage(
  { config }: Context,
  { action, keyId, address, nonce, issuedAt, expiresAt }: ChallengeFields,
  baseUrl: string | null,
): Promise<string> {
  if (baseUrl === null)
    throw validationError([
      { field: 'format', message: 'siwe needs the option baseUrl, whose host it names' },
    ]);
  const subject = keyId === null ? '' : ` (key ${keyId})`;
  // The package is loaded only when a caller asks for this format.
  const { SiweMessage } = await import('siwe');
  return new SiweMessage({
    domain: new URL(baseUrl).host,
    address: checksumAddress(address),
    statement: `${PURPOSES[action]}${subject} at ${siweText(config.serviceName)}. Action: ${action}`,
    // `href` has the punycode and percent-encoding that the grammar demands of a URI.
    uri: new URL(baseUrl).href,
    version: '1',
    chainId: config.chainId,
    nonce,
    issuedAt: new Date(issuedAt).toISOString(),
    expirationTime: new Date(expiresAt).toISOString(),
  }).prepareMessage();
}

/**
 * The text with `_` for each forbidden character. An EIP-4361 statement may contain only spaces and the reserved and
 * unreserved characters of a URI. The package `siwe` throws for any other character.
 */
function siweText(text: string): string {
  return text.replace(/[^A-Za-z0-9 \-._~:/?#[\]@!$&'()*+,;=]/g, '_');
}
