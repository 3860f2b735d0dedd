import { PredictionMarketError } from '../../domain/errors';
import { MOST_SECRETS, rotated } from '../../domain/webhooks';
import type { WebhookWithSecretView } from '../../views/webhook';
import type { RotateWebhookSecretCommand } from '../commands';
import type { OperatorContext } from '../context';
import { changeWebhook, newWebhookSecret } from './webhook-rows';

/**
 * Makes a new secret. Each message is also signed with the older secrets that have not ended. The overlap is the
 * longest time until an older secret ends. Rejects with NOT_FOUND or WEBHOOK_LIMIT.
 */
export async function rotateWebhookSecret(
  context: OperatorContext,
  { id, overlapSeconds }: RotateWebhookSecretCommand,
): Promise<WebhookWithSecretView> {
  const secret = newWebhookSecret(context.random);
  const view = await changeWebhook(
    context,
    id,
    { action: 'webhook.rotate', details: { overlapSeconds } },
    (webhook, _transaction, now) => {
      const changed = rotated(webhook, secret, 1_000 * overlapSeconds, now);
      if (changed !== null) return changed;
      const message = `The webhook has ${MOST_SECRETS} secrets in use; wait for one to end, or rotate with an overlap of 0`;
      throw new PredictionMarketError('WEBHOOK_LIMIT', message);
    },
  );
  return { ...view, secret };
}
