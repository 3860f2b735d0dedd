import { replayedFrom } from '../../domain/webhooks';
import type { WebhookView } from '../../views/webhook';
import type { ReplayWebhookCommand } from '../commands';
import type { OperatorContext } from '../context';
import { checkFirstFact } from '../facts/first-fact';
import { changeWebhook } from './webhook-rows';

/**
 * Sends all facts from this number on, even facts that were sent before. If the number is ahead of the
 * position, the facts between are never sent. Rejects with NOT_FOUND, FACTS_REMOVED, or VALIDATION_ERROR for a
 * number above that of the next fact.
 */
export function replayWebhook(
  context: OperatorContext,
  { id, seq }: ReplayWebhookCommand,
): Promise<WebhookView> {
  return changeWebhook(
    context,
    id,
    { action: 'webhook.replay', details: { seq } },
    async (webhook, transaction) => {
      await checkFirstFact(transaction, seq);
      return replayedFrom(webhook, seq);
    },
  );
}
