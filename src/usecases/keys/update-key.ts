import { keyView, type KeyView } from '../../views/key';
import type { UpdateKeyCommand } from '../commands';
import type { Context } from '../context';
import { keyNotFound } from './new-key';

/** An operator gives an active key another rate limit or other scopes. */
export async function updateKey(context: Context, { id, ...change }: UpdateKeyCommand): Promise<KeyView> {
  const key = await context.storage.transaction((transaction) => transaction.apiKeys.update(id, change));
  if (key === null) throw keyNotFound();
  return keyView(key);
}
