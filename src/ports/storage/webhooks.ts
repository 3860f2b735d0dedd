import type { Webhook, WebhookDelivery } from '../../domain/webhooks';
import type { Page } from './page';

export type NewWebhook = Omit<Webhook, 'id'>;
export type NewWebhookDelivery = Omit<WebhookDelivery, 'id' | 'webhookId'>;

export interface WebhookReader {
  find(id: number): Promise<Webhook | null>;
  /** The list is in ascending order of id. `total` counts all webhooks. */
  list(query: Page): Promise<{ webhooks: Webhook[]; total: number }>;
  /**
   * The newest rows come first (id descending). `total` counts the deliveries of this webhook that are kept.
   */
  listDeliveries(
    query: Page & { webhookId: number },
  ): Promise<{ deliveries: WebhookDelivery[]; total: number }>;
}
export interface WebhookRepository extends WebhookReader {
  /** Gives the webhook an id that no webhook has had before, not even a removed one. */
  insert(webhook: NewWebhook): Promise<Webhook>;
  /** Like `find`, and locks the row until the transaction ends. */
  lock(id: number): Promise<Webhook | null>;
  /** Writes every field except `createdAt`; rejects when there is no such row. */
  update(webhook: Webhook): Promise<void>;
  /** Removes the webhook with its deliveries. Returns `false` when there is no such row. */
  delete(id: number): Promise<boolean>;
  /** Adds deliveries in the order given, then removes all but the newest `keep` of this webhook. */
  addDeliveries(webhookId: number, deliveries: readonly NewWebhookDelivery[], keep: number): Promise<void>;
}
