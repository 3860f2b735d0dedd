import { enabled } from '../../domain/webhooks';
import type { WebhookView } from '../../views/webhook';
import type { WebhookCommand } from '../commands';
import type { Context } from '../context';
import { changeWebhook } from './webhook-rows';

/** Enables a webhook. It continues at its position, with an attempt at once. Rejects with NOT_FOUND. */
export function enableWebhook(context: Context, { id }: WebhookCommand): Promise<WebhookView> {
  return changeWebhook(context, id, enabled);
}
