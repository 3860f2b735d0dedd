import { replayedFrom } from '../../domain/webhooks';
import type { WebhookView } from '../../views/webhook';
import type { ReplayWebhookCommand } from '../commands';
import type { Context } from '../context';
import { checkFirstFact } from '../facts/first-fact';
import { changeWebhook } from './webhook-rows';

/**
 * Sends all facts from this number on, once more or for the first time. A number ahead of the position leaves
 * facts out. Rejects with NOT_FOUND, FACTS_REMOVED, or VALIDATION_ERROR for a number that no fact has.
 */
export function replayWebhook(context: Context, { id, seq }: ReplayWebhookCommand): Promise<WebhookView> {
  return changeWebhook(context, id, async (webhook, transaction) => {
    await checkFirstFact(transaction, seq);
    return replayedFrom(webhook, seq);
  });
}
