import type { Webhook, WebhookDelivery } from '../../../src/domain/webhooks';
import { ALL, compareNumbers } from './row-keys';
import { OrderedIndex, Table, type UndoLog } from './table';

export function webhookTables(undo: UndoLog) {
  const id = (row: Webhook | WebhookDelivery): number => row.id;
  const webhookOrder = new OrderedIndex<Webhook, number>(() => ALL, id, compareNumbers);
  const deliveriesByWebhook = new OrderedIndex<WebhookDelivery, number>(
    (row) => row.webhookId,
    id,
    compareNumbers,
  );
  return {
    webhooks: new Table<number, Webhook>(undo, id, [webhookOrder]),
    webhookOrder,
    webhookDeliveries: new Table<number, WebhookDelivery>(undo, id, [deliveriesByWebhook]),
    deliveriesByWebhook,
  };
}
