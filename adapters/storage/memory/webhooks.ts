import type { Webhook, WebhookDelivery } from '../../../src/domain/webhooks';
import type { WebhookReader, WebhookRepository } from '../../../src/ports/storage';
import { addTo, ALL, compareNumbers, type Database, type Gate } from './database';
import { mergedPage, take } from './paging';
import { copyWebhook, copyWebhookDelivery } from './rows';

export function webhookReader(db: Database, gate: Gate): WebhookReader {
  return {
    find: (id) =>
      gate(() => {
        const webhook = db.webhooks.get(id);
        return webhook === undefined ? null : copyWebhook(webhook);
      }),
    list: ({ limit, offset }) =>
      gate(() => {
        const ids = db.webhookOrder.in(ALL);
        const page = mergedPage([ids.ascending()], compareNumbers, { limit, offset });
        return { webhooks: page.map((id) => copyWebhook(db.webhooks.get(id) as Webhook)), total: ids.size };
      }),
    listDeliveries: ({ webhookId, limit, offset }) =>
      gate(() => {
        const ids = db.deliveriesByWebhook.in(webhookId);
        const page = mergedPage([ids.descending()], (a, b) => b - a, { limit, offset });
        const read = (id: number) => copyWebhookDelivery(db.webhookDeliveries.get(id) as WebhookDelivery);
        return { deliveries: page.map(read), total: ids.size };
      }),
  };
}

export function webhookRepository(db: Database, gate: Gate): WebhookRepository {
  const reader = webhookReader(db, gate);
  /** Removes all deliveries except the newest `keep`. */
  const removeDeliveries = (webhookId: number, keep: number): void => {
    const ids = db.deliveriesByWebhook.in(webhookId);
    for (const id of take(ids.ascending(), ids.size - keep)) db.webhookDeliveries.remove(id);
  };
  return addTo<WebhookReader, WebhookRepository>(reader, {
    insert: (webhook) =>
      gate(() => {
        const row = copyWebhook({ ...webhook, id: db.nextNumber('webhook') });
        db.webhooks.put(row);
        return copyWebhook(row);
      }),
    // There is one writer at a time, so `lock` needs only to read.
    lock: (id) => reader.find(id),
    update: (webhook) =>
      gate(() => {
        const stored = db.webhooks.get(webhook.id);
        if (stored === undefined) throw new Error(`storage: webhook ${webhook.id} does not exist`);
        db.webhooks.put(copyWebhook({ ...webhook, createdAt: stored.createdAt }));
      }),
    delete: (id) =>
      gate(() => {
        const isThere = db.webhooks.has(id);
        removeDeliveries(id, 0);
        if (isThere) db.webhooks.remove(id);
        return isThere;
      }),
    addDeliveries: (webhookId, deliveries, keep) =>
      gate(() => {
        for (const delivery of deliveries) {
          const id = db.nextNumber('webhook-delivery');
          db.webhookDeliveries.put(copyWebhookDelivery({ ...delivery, id, webhookId }));
        }
        removeDeliveries(webhookId, keep);
      }),
  });
}
