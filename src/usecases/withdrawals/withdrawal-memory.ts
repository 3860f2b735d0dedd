/** What an instance remembers from one run over the withdrawals to the next. It is lost when the process ends. */
import type { StepMemory } from './withdrawal-run';

export interface WithdrawalMemory extends StepMemory {
  /** For each kind, the id of the withdrawal that a run has worked on last. The next run begins after this id. */
  lastSent: number;
  lastTroubled: number;
  lastPending: number;
  /** The same for pending withdrawals whose id is not above `lastPending`. */
  lastLeftBehind: number;
  /** Whether the next run prepares a withdrawal with an id up to `lastPending` first. */
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
