import { keyView, type KeyListView } from '../../views/key';
import type { AddressCommand } from '../commands';
import type { Context } from '../context';

/** Lists the active keys of a wallet, without authentication: the list contains no secrets. */
export async function listKeys(context: Context, { address }: AddressCommand): Promise<KeyListView> {
  const keys = await context.storage.read((reader) => reader.apiKeys.listActive(address));
  return { keys: keys.map(keyView) };
}
