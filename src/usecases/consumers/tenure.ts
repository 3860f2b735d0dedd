/**
 * One instance at a time owns a consumer, under a lease. The stored token rises with each new owner, and when an
 * operator resumes the consumer. Each later transaction of the owner compares its token with the stored token, so an
 * owner that was replaced can neither park a fact nor move the position.
 */
import type { Consumer, ParkedFact } from '../../domain/consumers';
import type { EventPositionProblem } from '../../domain/event-position';
import { isEventPositionError } from '../../domain/event-position';
import type { Transaction } from '../../ports/storage';
import type { Context } from '../context';
import { checkPosition, EPOCH_SETTING } from '../facts/read-facts';

/** Another instance can become the owner when the lease was not renewed for this long. */
export const CONSUMER_LEASE_MS = 15_000;
/**
 * The most parked facts of a consumer. A consumer that has this many parked facts stops, because it could not
 * park the next one.
 */
export const MOST_PARKED = 100;

export const consumerLease = (name: string): string => `consumer:${name}`;

type StoreContext = Pick<Context, 'storage' | 'clock'>;

export interface Tenure {
  name: string;
  owner: string;
  epoch: string;
  token: number;
}

export interface BegunTenure extends Tenure {
  seq: number;
  parked: number;
}

/**
 * `busy`: another instance is the owner. `removed`: an operator has removed the consumer. Otherwise: why no instance
 * can continue from the consumer's position.
 */
export type NoTenure = 'busy' | 'removed' | EventPositionProblem;

export async function beginTenure(
  { storage, clock }: StoreContext,
  { name, owner }: { name: string; owner: string },
): Promise<BegunTenure | NoTenure> {
  return storage.transaction(async (transaction) => {
    if (!(await renewLease(transaction, { name, owner }, clock.now()))) return 'busy';
    const stored = await transaction.consumers.lock(name);
    const obstacle = stored === null ? 'removed' : await positionProblemOf(transaction, stored);
    if (stored === null || obstacle !== null) {
      await transaction.leases.release({ name: consumerLease(name), owner });
      return obstacle ?? 'removed';
    }
    const token = stored.token + 1;
    await transaction.consumers.update({ ...stored, token, ...ownership(owner, clock.now()), failures: 0 });
    const { total } = await transaction.consumers.listParked({ consumer: name, limit: 1, offset: 0 });
    return { name, owner, epoch: stored.epoch, token, seq: stored.seq, parked: total };
  });
}

/** The position of the owner, the failed attempts at facts that are not finished, and the last error. */
export interface ConsumerProgress {
  seq: number;
  failures: number;
  lastError: string | null;
}

/**
 * Renews the lease, writes the progress, and parks the fact if there is one. Resolves with `false`, and writes
 * none of this, when this instance is no longer the owner.
 */
export async function keepTenure(
  context: StoreContext,
  tenure: Tenure,
  progress: ConsumerProgress,
  parked: ParkedFact | null = null,
): Promise<boolean> {
  return asOwner(context, tenure, async (transaction, stored) => {
    if (parked !== null) await transaction.consumers.park(parked);
    const now = context.clock.now();
    await transaction.consumers.update({ ...stored, ...progress, ...ownership(tenure.owner, now) });
  });
}

export async function endTenure(
  context: StoreContext,
  tenure: Tenure,
  progress: ConsumerProgress,
): Promise<void> {
  await asOwner(context, tenure, async (transaction, stored) => {
    const updatedAt = context.clock.now();
    await transaction.consumers.update({ ...stored, ...progress, owner: null, ownedUntil: 0, updatedAt });
    await transaction.leases.release({ name: consumerLease(tenure.name), owner: tenure.owner });
  });
}

/**
 * Stores the result of another attempt at a parked fact. If the attempt succeeded, `failed` is `null` and the
 * parked fact is removed. Otherwise the failure is written.
 */
export async function storeRedone(
  context: StoreContext,
  tenure: Tenure,
  fact: ParkedFact,
  failed: Pick<ParkedFact, 'failures' | 'error'> | null,
): Promise<boolean> {
  return asOwner(context, tenure, async (transaction) => {
    // An operator may have skipped the fact meanwhile. Then it is not parked again.
    const wasThere = await transaction.consumers.unpark(fact);
    if (failed !== null && wasThere) await transaction.consumers.park({ ...fact, ...failed, redo: false });
  });
}

async function asOwner(
  { storage, clock }: StoreContext,
  tenure: Tenure,
  work: (transaction: Transaction, stored: Consumer) => Promise<void>,
): Promise<boolean> {
  return storage.transaction(async (transaction) => {
    if (!(await renewLease(transaction, tenure, clock.now()))) return false;
    const stored = await transaction.consumers.lock(tenure.name);
    const epoch = await transaction.settings.get(EPOCH_SETTING);
    if (stored?.token !== tenure.token || epoch !== tenure.epoch) {
      await transaction.leases.release({ name: consumerLease(tenure.name), owner: tenure.owner });
      return false;
    }
    await work(transaction, stored);
    return true;
  });
}

async function renewLease(
  transaction: Transaction,
  { name, owner }: { name: string; owner: string },
  now: number,
): Promise<boolean> {
  const lease = { name: consumerLease(name), owner, now, until: now + CONSUMER_LEASE_MS };
  return (await transaction.leases.acquire(lease)) !== null;
}

function ownership(owner: string, now: number): Pick<Consumer, 'owner' | 'ownedUntil' | 'updatedAt'> {
  return { owner, ownedUntil: now + CONSUMER_LEASE_MS, updatedAt: now };
}

async function positionProblemOf(
  transaction: Transaction,
  position: Consumer,
): Promise<EventPositionProblem | null> {
  try {
    await checkPosition(transaction, position);
    return null;
  } catch (error) {
    if (isEventPositionError(error)) return error.code;
    throw error;
  }
}
