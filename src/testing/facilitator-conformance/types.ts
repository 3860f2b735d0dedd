import type { Wallet } from 'ethers';
import type { Facilitator, PaymentRequirements } from '../../ports/facilitator';

/** One freshly made facilitator with payers. Every test makes its own and destroys it. */
export interface FacilitatorUnderTest {
  facilitator: Facilitator;
  /** What is asked for; `amount` is small against what `payer` has. */
  requirements: PaymentRequirements;
  /** Has at least a hundred times the amount. */
  payer: Wallet;
  /** Has nothing. */
  pauper: Wallet;
  /** Milliseconds since the epoch, by the clock that judges the authorizations' windows. */
  now(): number;
  /** What `payTo` has received, base units: looked up behind the adapter's back, so that it cannot grade its own work. */
  received(): Promise<bigint>;
  /**
   * Whether `lookup` can tell for certain that a payment was settled. One that has nobody to ask may answer `unknown`; no
   * adapter may answer `unused` or `invalid`.
   */
  looksUp: boolean;
  /** Cuts the facilitator off from whatever it depends on, for good. Leave it out only where there is nothing of that kind. */
  cutOff?(): Promise<void>;
  destroy(): Promise<void>;
}

export interface FacilitatorConformanceTarget {
  create(): Promise<FacilitatorUnderTest>;
}
