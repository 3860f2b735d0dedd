/** Stores the deliveries that this instance has made to a webhook, and the new position. */
import type { Webhook } from '../../domain/webhooks';
import type { NewWebhookDelivery, Transaction } from '../../ports/storage';
import type { Context } from '../../usecases/context';

const KEPT_DELIVERIES = 100;

export const WEBHOOK_LEASE = 'webhooks';
export const WEBHOOK_LEASE_MS = 30_000;

export interface WebhookProgress {
  /** The row as it was last read or stored. */
  stored: Webhook;
  /** The row in `stored`, with the changes of the deliveries since then. */
  current: Webhook;
  /** Deliveries that are not stored yet. */
  deliveries: NewWebhookDelivery[];
}

/**
 * - `changed`: the row has another revision than `stored`, or was removed.
 * - `lost`: another instance delivers now.
 */
export type StoreResult = 'stored' | 'changed' | 'lost';

type StoreContext = Pick<Context, 'storage' | 'clock'>;

export function takeLease({ leases }: Transaction, owner: string, now: number): Promise<unknown> {
  return leases.acquire({ name: WEBHOOK_LEASE, owner, now, until: now + WEBHOOK_LEASE_MS });
}

/** Stores progress. If the promise rejects, the outcome is unknown, and the row has to be read anew. */
export async function storeProgress(
  { storage, clock }: StoreContext,
  owner: string,
  { stored, current, deliveries }: WebhookProgress,
): Promise<{ result: StoreResult; webhook: Webhook }> {
  const now = clock.now();
  return storage.transaction(async (transaction) => {
    if ((await takeLease(transaction, owner, now)) === null) return { result: 'lost', webhook: stored };
    const row = await transaction.webhooks.lock(stored.id);
    if (row === null) return { result: 'changed', webhook: stored };
    const isOurs = row.revision === stored.revision;
    const webhook = isOurs ? { ...moved(row, current), updatedAt: now } : row;
    if (isOurs) await transaction.webhooks.update(webhook);
    // The deliveries are stored even if an operator has changed the webhook meanwhile, because these messages
    // were sent.
    if (deliveries.length > 0) await transaction.webhooks.addDeliveries(row.id, deliveries, KEPT_DELIVERIES);
    return { result: isOurs ? 'stored' : 'changed', webhook };
  });
}

/**
 * `row` with the fields of `current` that deliveries change, and with the next revision. The secrets stay those of
 * `row`, because an operator may have rotated them, which raises no revision.
 */
function moved(row: Webhook, current: Webhook): Webhook {
  const { status, disabledReason, seq, failures, failingSince, nextAttemptAt, lost } = current;
  const position = { status, disabledReason, seq, failures, failingSince, nextAttemptAt, lost };
  return { ...row, ...position, revision: row.revision + 1 };
}
