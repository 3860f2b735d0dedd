import type { Address, ApiKey } from '../../domain/types';
import type { Transaction } from '../../ports/storage';
import type { RevokedKeyView } from '../../views/key';
import type { KeyCommand, ManageKeyCommand } from '../commands';
import { consumeChallenge } from './consume-challenge';
import type { Context, OperatorContext } from '../context';
import { checksumAddress } from '../../views/format';
import { logAct } from '../operators/log-act';
import { keyNotFound, noActiveKey } from './new-key';

/** Revokes a key of the wallet that signed. The key is refused at once, because every look-up reads the storage. */
export async function revokeKey(context: Context, command: ManageKeyCommand): Promise<RevokedKeyView> {
  const { id, address } = command;
  await consumeChallenge(context, command, { action: 'revoke', ...(id !== null && { keyId: id }) });
  if (id === null) throw keyNotFound();
  const revoked = await revoke(context, id, async () => address);
  if (revoked === null) throw keyNotFound();
  return revoked;
}

/**
 * An operator revokes a key without a signature of its wallet, for example because the key was published by
 * mistake. The wallet can issue another key.
 */
export async function revokeKeyAsOperator(
  context: OperatorContext,
  { id }: KeyCommand,
): Promise<RevokedKeyView> {
  const ownerOf = async ({ apiKeys }: Transaction): Promise<Address | null> =>
    (await apiKeys.find(id))?.wallet ?? null;
  const revoked = await revoke(context, id, ownerOf, (transaction, { wallet }) =>
    logAct(context, transaction, {
      action: 'key.revoke',
      target: String(id),
      details: { wallet: checksumAddress(wallet) },
    }),
  );
  if (revoked === null) throw noActiveKey(id);
  return revoked;
}

async function revoke(
  context: Context,
  id: number,
  ownerOf: (transaction: Transaction) => Promise<Address | null>,
  onRevoked: (transaction: Transaction, key: ApiKey) => Promise<void> = async () => undefined,
): Promise<RevokedKeyView | null> {
  const now = context.clock.now();
  const revoked = await context.storage.transaction(async (transaction) => {
    const owner = await ownerOf(transaction);
    const key = owner === null ? null : await transaction.apiKeys.revoke(id, owner, now);
    if (key !== null) await onRevoked(transaction, key);
    return key;
  });
  if (revoked === null) return null;
  context.keyRevoked(id);
  return { id: revoked.id, prefix: revoked.prefix, revokedAt: new Date(now).toISOString() };
}
