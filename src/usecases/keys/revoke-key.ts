import type { RevokedKeyView } from '../../views/key';
import type { ManageKeyCommand } from '../commands';
import { consumeChallenge } from './consume-challenge';
import type { Context } from '../context';
import { keyNotFound } from './new-key';

/**
 * Revokes a key of the wallet that signed. The key is refused from then on, because every look-up of a key
 * reads the storage.
 */
export async function revokeKey(context: Context, command: ManageKeyCommand): Promise<RevokedKeyView> {
  const { id, address } = command;
  await consumeChallenge(context, command, { action: 'revoke', ...(id !== null && { keyId: id }) });
  if (id === null) throw keyNotFound();
  const now = context.clock.now();
  const revoked = await context.storage.transaction((transaction) =>
    transaction.apiKeys.revoke(id, address, now),
  );
  if (revoked === null) throw keyNotFound();
  context.keyRevoked(id);
  return { id: revoked.id, prefix: revoked.prefix, revokedAt: new Date(now).toISOString() };
}
