import { keyView, type KeyListView } from '../../views/key';
import type { AddressCommand } from '../commands';
import type { Context } from '../context';

/** The list contains no secrets, so it needs no authentication (docs/specification.md "Managing keys"). */
export async function listKeys(context: Context, { address }: AddressCommand): Promise<KeyListView> {
  const keys = await context.storage.read((reader) => reader.apiKeys.listActive(address));
  return { keys: keys.map(keyView) };
}
