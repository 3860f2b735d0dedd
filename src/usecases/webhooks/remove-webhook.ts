import type { RemovedWebhookView } from '../../views/webhook';
import type { WebhookCommand } from '../commands';
import type { OperatorContext } from '../context';
import { logAct } from '../operators/log-act';
import { noSuchWebhook } from './webhook-rows';

/** Removes the webhook with its deliveries. Rejects with NOT_FOUND. */
export async function removeWebhook(
  context: OperatorContext,
  { id }: WebhookCommand,
): Promise<RemovedWebhookView> {
  const wasThere = await context.storage.transaction(async (transaction) => {
    const removed = await transaction.webhooks.delete(id);
    if (removed) await logAct(context, transaction, { action: 'webhook.remove', target: String(id) });
    return removed;
  });
  if (!wasThere) throw noSuchWebhook();
  context.webhooksChanged();
  return { id, removed: true };
}
