import { keyView, type KeyListView } from '../../views/key';
import type { AddressCommand } from '../commands';
import type { Context } from '../context';

/** The wallet's active keys. Needs no authentication (SPEC "Authentication", 8): it shows nothing secret. */
export async function listKeys(context: Context, { address }: AddressCommand): Promise<KeyListView> {
  const keys = await context.storage.read((reader) => reader.apiKeys.listActive(address));
  return { keys: keys.map(keyView) };
}
