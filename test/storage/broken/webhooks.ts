import type { Storage, WebhookRepository } from '../../../src/ports/storage';
import { altered } from './altered';

const withWebhooks = (
  storage: Storage,
  alter: (rows: WebhookRepository) => Partial<WebhookRepository>,
): Storage =>
  altered(storage, {
    transaction: ({ webhooks }) => ({ webhooks: { ...webhooks, ...alter(webhooks) } }),
  });

export const withAllDeliveries = (storage: Storage): Storage =>
  withWebhooks(storage, (rows) => ({
    addDeliveries: (id, deliveries) => rows.addDeliveries(id, deliveries, Number.MAX_SAFE_INTEGER),
  }));

/** A replay sets the position back, which this storage ignores. */
export const withPositionsThatOnlyRise = (storage: Storage): Storage =>
  withWebhooks(storage, (rows) => ({
    update: async (webhook) => {
      const stored = await rows.find(webhook.id);
      await rows.update({ ...webhook, seq: Math.max(webhook.seq, stored?.seq ?? 0) });
    },
  }));

export const withRepeatedRemovals = (storage: Storage): Storage =>
  withWebhooks(storage, (rows) => ({
    delete: async (id) => {
      await rows.delete(id);
      return true;
    },
  }));

/** `update` keeps only the first of the secrets. */
export const withOneSecret = (storage: Storage): Storage =>
  withWebhooks(storage, (rows) => ({
    update: (webhook) => rows.update({ ...webhook, secrets: webhook.secrets.slice(0, 1) }),
  }));
