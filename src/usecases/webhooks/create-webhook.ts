import { PredictionMarketError } from '../../domain/errors';
import { WEBHOOK_EVENTS } from '../../domain/webhooks';
import type { Transaction } from '../../ports/storage';
import { webhookView, type WebhookWithSecretView } from '../../views/webhook';
import type { CreateWebhookCommand } from '../commands';
import type { OperatorContext } from '../context';
import { logAct } from '../operators/log-act';
import { newestPosition } from '../facts/read-facts';
import { checkFirstFact } from '../facts/first-fact';
import { newWebhookSecret } from './webhook-rows';

/**
 * With this lease, webhooks are created one after another over all instances, so that their number stays
 * within the limit.
 */
const LEASE = 'webhook-creation';
const LEASE_MS = 60_000;

/** Creates a webhook. Only this answer shows the secret. The webhook gets facts from now on, or from `seq` on. */
export async function createWebhook(
  context: OperatorContext,
  { url, description, events, seq }: CreateWebhookCommand,
): Promise<WebhookWithSecretView> {
  const { storage, clock, random, config } = context;
  const now = clock.now();
  const secret = newWebhookSecret(random);
  const view = await storage.transaction(async (transaction) => {
    await checkLimit(transaction, config.webhooks.limit, now);
    if (seq !== null) await checkFirstFact(transaction, seq);
    const newest = await newestPosition(transaction);
    const webhook = await transaction.webhooks.insert({
      url,
      description,
      events: events ?? [...WEBHOOK_EVENTS],
      secrets: [{ secret, until: null }],
      status: 'enabled',
      disabledReason: null,
      seq: seq === null ? newest.seq : seq - 1,
      failures: 0,
      failingSince: null,
      nextAttemptAt: null,
      lost: null,
      revision: 1,
      createdAt: now,
      updatedAt: now,
    });
    // The path of an address may contain a secret, so only the host of the address is logged.
    const details = { host: new URL(url).host, events: [...webhook.events] };
    await logAct(context, transaction, { action: 'webhook.create', target: String(webhook.id), details });
    return webhookView(webhook, newest, now);
  });
  context.webhooksChanged();
  return { ...view, secret };
}

async function checkLimit({ leases, webhooks }: Transaction, limit: number, now: number): Promise<void> {
  // Taking and releasing the lease locks its row until this transaction ends. A creation that runs at the
  // same time waits for the row, and then counts this webhook too.
  await leases.acquire({ name: LEASE, owner: LEASE, now, until: now + LEASE_MS });
  await leases.release({ name: LEASE, owner: LEASE });
  const { total } = await webhooks.list({ limit: 1, offset: 0 });
  if (total < limit) return;
  throw new PredictionMarketError(
    'WEBHOOK_LIMIT',
    `There are ${total} webhooks already, and at most ${limit} may be`,
  );
}
