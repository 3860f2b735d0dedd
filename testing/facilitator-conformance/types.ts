import type { Wallet } from 'ethers';
import type { Facilitator, Payment, PaymentRequirements } from '../../src/ports/facilitator';
import type { ConformanceOptions } from '../conformance/runner';

/**
 * One freshly made facilitator with payers. Every test makes its own and destroys it. What the suite cannot look at for want
 * of a hook fails, unless the hook is declared absent: `false` in its place.
 */
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
  /** A second facilitator as another process would have it. The suite does not close it. `false` where there can be only one. */
  another?: (() => Promise<Facilitator>) | false;
  /**
   * Submits the payment without the adapter, as a stranger who has seen it can, and waits until it counts. The payment may
   * name another `payTo`. `false` where the adapter is the only way to the money.
   */
  stranger?: ((payment: Payment) => Promise<void>) | false;
  /**
   * Loses the answer to the next submission: it arrives and moves the money (at once or soon), and the adapter does not hear of
   * it. `false` where a submission is no question that something else answers.
   */
  loseAnswer?: (() => Promise<void>) | false;
  /** Cuts the facilitator off from what it depends on, for good. `false` where there is nothing of that kind. */
  cutOff?: (() => Promise<void>) | false;
  destroy(): Promise<void>;
}

export interface FacilitatorConformanceTarget extends ConformanceOptions {
  create(): Promise<FacilitatorUnderTest>;
}
