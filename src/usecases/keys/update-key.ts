import { keyView, type KeyView } from '../../views/key';
import type { UpdateKeyCommand } from '../commands';
import type { Context } from '../context';
import { keyNotFound } from './new-key';

/** Operators: another quota or other scopes for an active key. */
export async function updateKey(context: Context, { id, ...change }: UpdateKeyCommand): Promise<KeyView> {
  const key = await context.storage.transaction((tx) => tx.apiKeys.update(id, change));
  if (key === null) throw keyNotFound();
  return keyView(key);
}
