import { PredictionMarketError } from '../../domain/errors';
import { SCOPES } from '../../domain/types';
import type { IssuedKeyView } from '../../views/key';
import type { IssueKeyCommand } from '../commands';
import { consumeChallenge } from './consume-challenge';
import type { Context } from '../context';
import { insertKey, LARGEST_KEY_COUNT, lockWallet } from './new-key';

/**
 * Issues an API key to the wallet that signed. The refusals, in the order of the checks: INVALID_NONCE,
 * INVALID_SIGNATURE, KEY_LIMIT_REACHED.
 */
export async function issueKey(context: Context, command: IssueKeyCommand): Promise<IssuedKeyView> {
  await consumeChallenge(context, command, { action: 'issue', keyId: null });
  const wallet = command.address;
  return context.storage.transaction(async (transaction) => {
    await lockWallet(transaction, wallet, context.clock.now());
    const active = await transaction.apiKeys.listActive(wallet);
    if (active.length >= LARGEST_KEY_COUNT) {
      throw new PredictionMarketError(
        'KEY_LIMIT_REACHED',
        `Maximum ${LARGEST_KEY_COUNT} active API keys per wallet. Revoke or regenerate one first.`,
      );
    }
    return insertKey(context, transaction, {
      wallet,
      label: command.label,
      scopes: command.scopes ?? [...SCOPES],
      rateLimit: context.config.keyRateLimit,
      windowOf: null,
    });
  });
}
