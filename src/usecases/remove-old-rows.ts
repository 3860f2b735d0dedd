import type { Config } from '../config';
import type { Transaction } from '../ports/storage';
import type { Context } from './context';
import { newestPosition } from './facts/read-facts';

export const IDEMPOTENCY_KEPT_MS = 48 * 3_600_000;
export const REJECTED_PAYMENTS_KEPT_MS = 30 * 24 * 3_600_000;
/** Instances of earlier releases use this name too, so it must not change. */
const LEASE = 'prune-expired';
const PRUNE_LEASE_MS = 60_000;
/**
 * About how many rows of each kind one transaction removes; it may remove twice as many facts. The number is small,
 * because on a storage with one writer all other writers wait for this transaction.
 */
const ROWS_AT_A_TIME = 500;

type Retention = Pick<Config, 'eventRetentionMs' | 'consumerRetentionMs'>;

export interface Pruned {
  challenges: number;
  idempotencyRecords: number;
  events: number;
  rejectedPayments: number;
  /**
   * Whether more rows may be left, so that the caller runs the removal again. Also `false` while another
   * instance has the lease of this job.
   */
  more: boolean;
}

/**
 * Removes a limited number of rows that are no longer needed:
 *
 * - expired challenges
 * - idempotency records older than 48 hours (docs/specification.md "Idempotency" promises 24)
 * - facts older than `eventRetentionDays`. Facts that a consumer has not handled are kept for `consumerRetentionDays`.
 * - payments that were rejected more than 30 days ago, except those that an operator has decided on
 */
export async function removeOldRows(
  context: Pick<Context, 'storage' | 'clock'> & { config: Retention },
  { owner }: { owner: string },
): Promise<Pruned> {
  const now = context.clock.now();
  return context.storage.transaction(async (transaction) => {
    const lease = await transaction.leases.acquire({ name: LEASE, owner, now, until: now + PRUNE_LEASE_MS });
    if (lease === null)
      return { challenges: 0, idempotencyRecords: 0, events: 0, rejectedPayments: 0, more: false };
    const challenges = await transaction.challenges.deleteExpired(now, ROWS_AT_A_TIME);
    const idempotencyRecords = await transaction.idempotency.deleteBefore(
      now - IDEMPOTENCY_KEPT_MS,
      ROWS_AT_A_TIME,
    );
    const events = await removeOldFacts(transaction, now, context.config);
    const rejectedPayments = await transaction.payments.deleteRejected(
      now - REJECTED_PAYMENTS_KEPT_MS,
      ROWS_AT_A_TIME,
    );
    // Facts that were appended together are removed together, so `events` may be above `ROWS_AT_A_TIME`.
    const more = [challenges, idempotencyRecords, events, rejectedPayments].some(
      (removed) => removed >= ROWS_AT_A_TIME,
    );
    return { challenges, idempotencyRecords, events, rejectedPayments, more };
  });
}

/**
 * Removes old facts. Facts that a consumer has not handled stay longer, for `consumerRetentionMs`. A consumer whose
 * position is in another epoch keeps no fact, because its position counts the facts of that epoch.
 */
async function removeOldFacts(
  transaction: Transaction,
  now: number,
  { eventRetentionMs, consumerRetentionMs }: Retention,
): Promise<number> {
  const newest = await newestPosition(transaction);
  const consumers = await transaction.consumers.list();
  const behind = consumers.filter(({ epoch, seq }) => epoch === newest.epoch && seq < newest.seq);
  const old = now - eventRetentionMs;
  if (behind.length === 0) return transaction.events.deleteBefore(old, ROWS_AT_A_TIME);
  const tooOldForAll = await transaction.events.deleteBefore(now - consumerRetentionMs, ROWS_AT_A_TIME);
  const handledByAll = Math.min(...behind.map(({ seq }) => seq));
  const [needed] = await transaction.events.after(handledByAll, 1);
  // With this bound, the storage does not read the many old facts that a consumer still needs.
  const before = Math.min(old, (needed?.createdAt ?? old) + 1);
  return tooOldForAll + (await transaction.events.deleteBefore(before, ROWS_AT_A_TIME, handledByAll));
}
