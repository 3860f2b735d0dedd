import { webhookDeliveryView, webhookView } from '../../views/webhook';
import type { WebhookDeliveryListView, WebhookListView } from '../../views/webhook';
import type { ListWebhookDeliveriesCommand, PageCommand } from '../commands';
import type { Context } from '../context';
import { newestPosition } from '../facts/read-facts';
import { noSuchWebhook } from './webhook-rows';

export async function listWebhooks(
  { storage, clock }: Context,
  { limit, offset }: PageCommand,
): Promise<WebhookListView> {
  const now = clock.now();
  return storage.read(async (reader) => {
    const { webhooks, total } = await reader.webhooks.list({ limit, offset });
    // The newest position is read after the webhooks, so that no webhook seems to be ahead of it.
    const newest = await newestPosition(reader);
    return { webhooks: webhooks.map((webhook) => webhookView(webhook, newest, now)), total, limit, offset };
  });
}

/** The attempts to send facts to a webhook, newest first. Rejects with NOT_FOUND. */
export async function listWebhookDeliveries(
  { storage }: Context,
  { id, limit, offset }: ListWebhookDeliveriesCommand,
): Promise<WebhookDeliveryListView> {
  return storage.read(async (reader) => {
    if ((await reader.webhooks.find(id)) === null) throw noSuchWebhook();
    const { deliveries, total } = await reader.webhooks.listDeliveries({ webhookId: id, limit, offset });
    return { deliveries: deliveries.map(webhookDeliveryView), total, limit, offset };
  });
}
