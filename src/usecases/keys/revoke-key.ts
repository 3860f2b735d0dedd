import type { Address } from '../../domain/types';
import type { Transaction } from '../../ports/storage';
import type { RevokedKeyView } from '../../views/key';
import type { KeyCommand, ManageKeyCommand } from '../commands';
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
  return revoke(context, id, async () => address);
}

/**
 * An operator revokes a key without a signature of its wallet, as for a key that was published by mistake. The
 * wallet can issue another key.
 */
export function revokeKeyAsOperator(context: Context, { id }: KeyCommand): Promise<RevokedKeyView> {
  return revoke(context, id, async ({ apiKeys }) => (await apiKeys.find(id))?.wallet ?? null);
}

async function revoke(
  context: Context,
  id: number,
  ownerOf: (transaction: Transaction) => Promise<Address | null>,
): Promise<RevokedKeyView> {
  const now = context.clock.now();
  const revoked = await context.storage.transaction(async (transaction) => {
    const owner = await ownerOf(transaction);
    return owner === null ? null : transaction.apiKeys.revoke(id, owner, now);
  });
  if (revoked === null) throw keyNotFound();
  context.keyRevoked(id);
  return { id: revoked.id, prefix: revoked.prefix, revokedAt: new Date(now).toISOString() };
}
