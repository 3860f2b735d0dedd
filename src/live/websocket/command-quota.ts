import { createSlidingLog } from '../../rate-limit/sliding-log';

const WINDOW_MS = 60_000;

/** Commands of one socket in any 60 seconds. A socket that sends on at twice the limit is abusive. */
export interface CommandQuota {
  /** Counts a command. */
  count(now: number): 'allowed' | 'refused' | 'abuse';
}

export function createCommandQuota(limit: number): CommandQuota {
  // Holds at most twice the limit: then the socket is closed.
  const all = createSlidingLog(WINDOW_MS);
  const allowed = createSlidingLog(WINDOW_MS);
  return {
    count(now) {
      if (all.countAt(now) >= 2 * limit - 1) return 'abuse';
      all.add(now);
      if (allowed.countAt(now) >= limit) return 'refused';
      allowed.add(now);
      return 'allowed';
    },
  };
}
