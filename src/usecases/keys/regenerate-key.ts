import type { IssuedKeyView } from '../../views/key';
import type { ManageKeyCommand } from '../commands';
import { consumeChallenge } from './consume-challenge';
import type { Context } from '../context';
import { insertKey, keyNotFound, lockWallet } from './new-key';

/**
 * Revokes a key and issues its successor, with the same label, scopes and rate limit, in one transaction. The
 * successor also takes over the counted requests of the old key. Otherwise a wallet could exceed its limit by
 * asking for new keys.
 */
export async function regenerateKey(context: Context, command: ManageKeyCommand): Promise<IssuedKeyView> {
  const { id, address } = command;
  await consumeChallenge(context, command, { action: 'regenerate', ...(id !== null && { keyId: id }) });
  if (id === null) throw keyNotFound();
  const issued = await context.storage.transaction(async (transaction) => {
    const now = context.clock.now();
    await lockWallet(transaction, address, now);
    const revoked = await transaction.apiKeys.revoke(id, address, now);
    if (revoked === null) throw keyNotFound();
    const { wallet, label, scopes, rateLimit } = revoked;
    return insertKey(context, transaction, {
      wallet,
      label,
      scopes,
      rateLimit,
      windowOf: revoked.windowOf ?? revoked.id,
    });
  });
  context.keyRevoked(id);
  return issued;
}
