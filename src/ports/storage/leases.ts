// A named job has at most one owner at a time.

// Five minutes, far more than any lease lasts. Clocks of instances may differ by less.
export const LONGEST_LEASE_MS = 5 * 60_000;

export interface LeaseRepository {
  /**
   * Takes or renews the lease; returns `null` while another owner has it. `token` rises whenever the owner
   * changes. A lease that ends more than five minutes after `now` was written by a wrong clock. It is taken like
   * one that has ended.
   */
  acquire(lease: {
    name: string;
    owner: string;
    now: number;
    until: number;
  }): Promise<{ token: number } | null>;
  /** Ends the lease of this owner; the lease of another owner stays. */
  release(lease: { name: string; owner: string }): Promise<void>;
}
