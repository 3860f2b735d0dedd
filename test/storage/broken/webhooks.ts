/** Adapters that break what webhooks rely on. */
import type { Storage, WebhookRepository } from '../../../src/ports/storage';
import { altered } from './altered';

const withWebhooks = (
  storage: Storage,
  alter: (rows: WebhookRepository) => Partial<WebhookRepository>,
): Storage =>
  altered(storage, {
    transaction: ({ webhooks }) => ({ webhooks: { ...webhooks, ...alter(webhooks) } }),
  });

/** Keeps every delivery, so that the table grows without an end. */
export const withAllDeliveries = (storage: Storage): Storage =>
  withWebhooks(storage, (rows) => ({
    addDeliveries: (id, deliveries) => rows.addDeliveries(id, deliveries, Number.MAX_SAFE_INTEGER),
  }));

/** Moves a position forward only. A replay would do nothing. */
export const withPositionsThatOnlyRise = (storage: Storage): Storage =>
  withWebhooks(storage, (rows) => ({
    update: async (webhook) => {
      const stored = await rows.find(webhook.id);
      await rows.update({ ...webhook, seq: Math.max(webhook.seq, stored?.seq ?? 0) });
    },
  }));

/** Says at every removal that the webhook was there, even if it was gone already. */
export const withRepeatedRemovals = (storage: Storage): Storage =>
  withWebhooks(storage, (rows) => ({
    delete: async (id) => {
      await rows.delete(id);
      return true;
    },
  }));

/** Loses the secret that a rotation has replaced, so that receivers refuse what is signed by the new one. */
export const withOneSecret = (storage: Storage): Storage =>
  withWebhooks(storage, (rows) => ({
    update: (webhook) => rows.update({ ...webhook, secrets: webhook.secrets.slice(0, 1) }),
  }));
