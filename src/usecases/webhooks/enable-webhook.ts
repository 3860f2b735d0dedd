import { enabled } from '../../domain/webhooks';
import type { WebhookView } from '../../views/webhook';
import type { WebhookCommand } from '../commands';
import type { OperatorContext } from '../context';
import { changeWebhook } from './webhook-rows';

/** Enables a webhook. The fact after its position is sent at once. Rejects with NOT_FOUND. */
export function enableWebhook(context: OperatorContext, { id }: WebhookCommand): Promise<WebhookView> {
  return changeWebhook(context, id, { action: 'webhook.enable', details: {} }, enabled);
}
