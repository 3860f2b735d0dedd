import { replayedFrom } from '../../domain/webhooks';
import type { WebhookView } from '../../views/webhook';
import type { ReplayWebhookCommand } from '../commands';
import type { OperatorContext } from '../context';
import { checkFirstFact } from '../facts/first-fact';
import { changeWebhook } from './webhook-rows';

/**
 * Moves the position of a webhook, so that the next fact to send is fact `seq`. Facts that were sent before are sent
 * again. Facts between the old position and `seq` are skipped. Rejects with NOT_FOUND, FACTS_REMOVED, or
 * VALIDATION_ERROR for a number above that of the next fact.
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
