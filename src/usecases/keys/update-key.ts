import { checksumAddress } from '../../views/format';
import { keyView, type KeyView } from '../../views/key';
import type { UpdateKeyCommand } from '../commands';
import type { OperatorContext } from '../context';
import { logAct } from '../operators/log-act';
import { noActiveKey } from './new-key';

export async function updateKey(
  context: OperatorContext,
  { id, ...change }: UpdateKeyCommand,
): Promise<KeyView> {
  const key = await context.storage.transaction(async (transaction) => {
    const updated = await transaction.apiKeys.update(id, change);
    if (updated === null) return null;
    const details = { wallet: checksumAddress(updated.wallet), ...change };
    await logAct(context, transaction, { action: 'key.update', target: String(id), details });
    return updated;
  });
  if (key === null) throw noActiveKey(id);
  return keyView(key);
}
