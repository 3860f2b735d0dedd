import { withinTime } from '../../ports/time-limit';
import { awaitedTimers, type Timers } from '../../ports/timers';
import type { Context } from '../context';

/** Instances of other releases use this name too, so it must not change. */
export const WITHDRAWALS_LEASE = 'withdrawals';
export const WITHDRAWALS_LEASE_MS = 60_000;
/** The service closes after this time even if the storage does not answer. */
const RELEASE_LIMIT_MS = 5_000;

/**
 * Gives the lease up, so that another instance need not wait for its end. Never rejects: if the release fails, the
 * lease ends by itself.
 */
export async function releaseWithdrawals(
  { storage, payout, logger }: Pick<Context, 'storage' | 'payout' | 'logger'>,
  owner: string,
  timers: Timers = awaitedTimers,
): Promise<void> {
  if (payout === null) return;
  try {
    const released = storage.transaction(({ leases }) => leases.release({ name: WITHDRAWALS_LEASE, owner }));
    await withinTime(timers, RELEASE_LIMIT_MS, released);
  } catch (err) {
    logger.debug({ err }, 'the lease of withdrawals was not given up; it ends by itself');
  }
}
