import { PredictionMarketError } from '../../domain/errors';
import type { OperatorAct } from '../../domain/operator-acts';
import type { Webhook } from '../../domain/webhooks';
import type { Random } from '../../ports/random';
import type { Transaction } from '../../ports/storage';
import { webhookView, type WebhookView } from '../../views/webhook';
import type { OperatorContext } from '../context';
import { logAct } from '../operators/log-act';
import { newestPosition } from '../facts/read-facts';

/** The length of a secret. Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

export function newWebhookSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')}`;
}

export function noSuchWebhook(): PredictionMarketError {
  return new PredictionMarketError('NOT_FOUND', 'There is no such webhook');
}

/** Changes a webhook under its lock, and logs the act. Rejects with NOT_FOUND. */
export async function changeWebhook(
  context: OperatorContext,
  id: number,
  act: Pick<OperatorAct, 'action' | 'details'>,
  change: (webhook: Webhook, transaction: Transaction, now: number) => Webhook | Promise<Webhook>,
): Promise<WebhookView> {
  const now = context.clock.now();
  const view = await context.storage.transaction(async (transaction) => {
    const stored = await transaction.webhooks.lock(id);
    if (stored === null) throw noSuchWebhook();
    const changed = { ...(await change(stored, transaction, now)), updatedAt: now };
    await transaction.webhooks.update(changed);
    await logAct(context, transaction, { ...act, target: String(id) });
    return webhookView(changed, await newestPosition(transaction), now);
  });
  context.webhooksChanged();
  return view;
}
