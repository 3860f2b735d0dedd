/**
 * What one instance has done for a webhook and not stored yet. Storing adds it to the row as it is then, and
 * only while this instance holds the lease and the row's position is the one that this instance went on from.
 */
import type { Webhook } from '../../domain/webhooks';
import type { NewWebhookDelivery, Transaction } from '../../ports/storage';
import type { Context } from '../../usecases/context';

/** How many deliveries of a webhook are kept. */
const KEPT_DELIVERIES = 100;

export const WEBHOOK_LEASE = 'webhooks';
export const WEBHOOK_LEASE_MS = 30_000;

export interface Progress {
  /** The row as it was read or stored last. */
  stored: Webhook;
  /** The same with what was done since. */
  current: Webhook;
  /** Deliveries that are not stored yet. */
  deliveries: NewWebhookDelivery[];
}

/** `changed`: an operator has changed or removed it. `lost`: another instance delivers now. */
export type StoreResult = 'stored' | 'changed' | 'lost';

type StoreContext = Pick<Context, 'storage' | 'clock'>;

export function takeLease({ leases }: Transaction, owner: string, now: number): Promise<unknown> {
  return leases.acquire({ name: WEBHOOK_LEASE, owner, now, until: now + WEBHOOK_LEASE_MS });
}

/** Rejects when the outcome is unknown. Then the row has to be read anew. */
export async function storeProgress(
  { storage, clock }: StoreContext,
  owner: string,
  { stored, current, deliveries }: Progress,
): Promise<{ result: StoreResult; webhook: Webhook }> {
  const now = clock.now();
  return storage.transaction(async (transaction) => {
    if ((await takeLease(transaction, owner, now)) === null) return { result: 'lost', webhook: stored };
    const row = await transaction.webhooks.lock(stored.id);
    if (row === null) return { result: 'changed', webhook: stored };
    const isOurs = row.revision === stored.revision;
    const webhook = isOurs ? { ...moved(row, current), updatedAt: now } : row;
    if (isOurs) await transaction.webhooks.update(webhook);
    // Also where an operator has changed the webhook meanwhile: these messages were sent.
    if (deliveries.length > 0) await transaction.webhooks.addDeliveries(row.id, deliveries, KEPT_DELIVERIES);
    return { result: isOurs ? 'stored' : 'changed', webhook };
  });
}

/** The fields that deliveries change. The others may have changed in the row, such as the secrets. */
function moved(row: Webhook, current: Webhook): Webhook {
  const { status, disabledReason, seq, failures, failingSince, nextAttemptAt, lost } = current;
  const position = { status, disabledReason, seq, failures, failingSince, nextAttemptAt, lost };
  return { ...row, ...position, revision: row.revision + 1 };
}
