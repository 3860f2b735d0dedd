// A named job has at most one owner at a time.

// The longest lease of a job or a payment lasts 60 s, and we assume that the clocks of instances differ by
// much less than five minutes. So a lease that ends more than this many milliseconds from now was written by
// a wrong clock. Leases of markets do not use this limit.
export const LONGEST_LEASE_MS = 5 * 60_000;

export interface LeaseRepository {
  /**
   * Takes or renews the lease; returns `null` while another owner has it. `token` rises whenever the owner
   * changes. A lease that ends more than five minutes after `now` was written by a wrong clock. A caller takes
   * that lease like a lease that has ended.
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
