import type { Payout, PayoutOrder, PayoutState } from '../../src/ports/payout';
import type { ConformanceOptions } from '../conformance/runner';

/**
 * One freshly made payout with a treasury. Every test makes its own and destroys it. What the suite cannot look at for want of
 * a hook fails, unless the hook is declared absent: `false` in its place.
 */
export interface PayoutUnderTest {
  payout: Payout;
  /** A new order to a wallet that has nothing yet: with an id of its own, and small against what the treasury holds. */
  order(): PayoutOrder;
  /**
   * What the order's wallet has received, base units: looked up behind the adapter's back, so that it cannot grade its own
   * work. `false` where no money moves (play money).
   */
  received?: ((order: PayoutOrder) => Promise<bigint>) | false;
  /** A second payout on the same treasury, as another process would have it. `false` where there can be only one. */
  another?: (() => Promise<Payout>) | false;
  /** What the treasury holds at this moment, base units. `false` where it is never short. */
  treasury?: (() => Promise<bigint>) | false;
  /** An order that can never be paid, for example to a recipient that the token refuses. `false` where there is none. */
  unpayable?: (() => PayoutOrder) | false;
  /**
   * From now on what is submitted stays under way, until the function that it gives is called. `false` where a payout ends
   * with its submission.
   */
  stall?: (() => Promise<() => Promise<void>>) | false;
  /**
   * Makes what a prepared state says impossible for good (another transaction takes its place, say), and the proof of it
   * visible. `false` where that cannot happen.
   */
  overtake?: ((state: PayoutState) => Promise<void>) | false;
  /**
   * Submits a prepared state so that it fails for good, and makes the proof visible; afterwards the treasury could pay again.
   * `false` where a submission cannot fail.
   */
  fail?: ((state: PayoutState) => Promise<void>) | false;
  /**
   * From now on what the adapter asks knows nothing of any payout, as a node that lags behind. `false` where the adapter asks
   * nothing.
   */
  hide?: (() => Promise<void>) | false;
  /**
   * Loses the answer to the next submission: it arrives, and the adapter does not hear of it. `false` where a submission is no
   * question that something else answers.
   */
  loseAnswer?: (() => Promise<void>) | false;
  /** Cuts the payout off from what it depends on, for good. `false` where there is nothing of that kind. */
  cutOff?: (() => Promise<void>) | false;
  destroy(): Promise<void>;
}

export interface PayoutConformanceTarget extends ConformanceOptions {
  create(): Promise<PayoutUnderTest>;
}
