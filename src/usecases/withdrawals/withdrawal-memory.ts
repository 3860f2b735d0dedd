/** What an instance remembers from one run over the withdrawals to the next. It is lost when the process ends. */
import type { StepMemory } from './withdrawal-run';

export interface WithdrawalMemory extends StepMemory {
  /**
   * The id of the last withdrawal of each kind that a run has worked on. The next run begins with the id
   * after it.
   */
  lastSent: number;
  lastTroubled: number;
  lastPending: number;
  /** The same for withdrawals that are still pending although `lastPending` is past them. */
  lastLeftBehind: number;
  /** Whether the next run begins with a withdrawal that was left behind. */
  beginsWithOld: boolean;
  /** Since when the runs of this instance have failed, on the steady clock. `null` when they do not fail. */
  failingSince: number | null;
  /** When this instance last had the lease, on the steady clock. */
  leaseSeenAt: number;
}

export const newWithdrawalMemory = (): WithdrawalMemory => ({
  lastSent: 0,
  lastTroubled: 0,
  lastPending: 0,
  lastLeftBehind: 0,
  beginsWithOld: false,
  failingSince: null,
  leaseSeenAt: -Infinity,
  troubles: new Map(),
  failing: new Set(),
  waitsForMoney: null,
  otherMoneyLoggedAt: -Infinity,
});
