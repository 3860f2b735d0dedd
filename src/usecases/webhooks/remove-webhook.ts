import type { RemovedWebhookView } from '../../views/webhook';
import type { WebhookCommand } from '../commands';
import type { Context } from '../context';
import { noSuchWebhook } from './webhook-rows';

/** Removes the webhook with its deliveries. Rejects with NOT_FOUND. */
export async function removeWebhook(context: Context, { id }: WebhookCommand): Promise<RemovedWebhookView> {
  const wasThere = await context.storage.transaction((transaction) => transaction.webhooks.delete(id));
  if (!wasThere) throw noSuchWebhook();
  context.webhooksChanged();
  return { id, removed: true };
}
