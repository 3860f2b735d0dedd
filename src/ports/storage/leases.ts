// A named job has at most one owner at a time.

export interface LeaseRepository {
  /**
   * Takes or renews the lease; returns `null` while another owner has it. `token` rises whenever the owner
   * changes.
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
