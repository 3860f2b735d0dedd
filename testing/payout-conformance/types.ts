import type { Payout, PayoutOrder, PayoutState } from '../../src/ports/payout';
import type { ConformanceOptions } from '../conformance/runner';
import type { SilentHook } from '../conformance/silence';

/**
 * A new payout with a treasury. Every test makes its own and destroys it. A check that needs a missing hook
 * fails, unless the hook is declared absent by `false`.
 */
export interface PayoutUnderTest {
  /** The adapter that is tested. */
  payout: Payout;
  /**
   * A new order to an empty wallet. The order has its own id, and its amount is small compared with the
   * treasury.
   */
  order(): PayoutOrder;
  /**
   * What the order's wallet has received, in base units. This function must not ask the adapter, because the
   * adapter would then confirm its own work. `false` if no money moves (play money).
   */
  received: ((order: PayoutOrder) => Promise<bigint>) | false;
  /**
   * A second payout on the same treasury, as another process would have it. `false` if there can be only one.
   */
  another: (() => Promise<Payout>) | false;
  /** The current balance of the treasury in base units. `false` if the treasury is never short. */
  treasury: (() => Promise<bigint>) | false;
  /**
   * Gives the treasury more money, in base units: the suite orders more than 2^53 units. `false` if no test can.
   */
  fund: ((amount: bigint) => Promise<void>) | false;
  /**
   * An order that can never be paid, for example to a recipient that the token refuses. `false` if there is
   * none.
   */
  unpayable: (() => PayoutOrder) | false;
  /**
   * From now on submitted payouts stay under way, until the returned function is called. `false` if a payout
   * ends when it is submitted.
   */
  stall: (() => Promise<() => Promise<void>>) | false;
  /**
   * From now on submitted payouts happen, and the service shows each as one that may still change, such as in a block
   * that is not deep enough yet, until the returned function is called. `false` if the service shows no such payout.
   */
  provisional: (() => Promise<() => Promise<void>>) | false;
  /**
   * Makes the payout of a prepared state impossible (for example by another transaction with its nonce), and
   * makes the proof visible. `false` if a payout cannot become impossible.
   */
  overtake: ((state: PayoutState) => Promise<void>) | false;
  /**
   * Submits a prepared state so that it fails permanently, and makes the proof visible. Afterwards the
   * treasury can pay again. `false` if a submission cannot fail.
   */
  fail: ((state: PayoutState) => Promise<void>) | false;
  /**
   * From now on the service that the adapter asks knows no payouts, like a node that is behind. `false` if the
   * adapter asks no service.
   */
  hide: (() => Promise<void>) | false;
  /**
   * Loses the answer to the next submission. The submission arrives, but the adapter gets no answer. `false` if
   * the adapter submits to no other service.
   */
  loseAnswer: (() => Promise<void>) | false;
  /**
   * From now on the services that the adapter asks answer every request with this HTTP status and an error page, and do
   * nothing, until the returned function is called. `false` if the adapter asks nothing by HTTP.
   */
  failWith: ((status: number) => Promise<() => Promise<void>>) | false;
  /**
   * From now on the services answer every request with HTTP 307 and `Location: <address>`, and do nothing, until the
   * returned function is called. The suite has a server at that address. `false` if the adapter asks nothing by HTTP.
   */
  redirect: ((address: string) => Promise<() => Promise<void>>) | false;
  /**
   * From now on the services answer `nonsense(body)` in place of each body, until the returned function is called. The
   * suite makes the nonsense: a body that is cut off, empty or of another form, or with one field that is wrong.
   * `false` if the adapter reads no answers.
   */
  garble: ((nonsense: (body: string) => string) => Promise<() => Promise<void>>) | false;
  /**
   * From now on the services accept requests and stay silent, until the returned function is called. With the form
   * `nothing` they send nothing and do nothing. With `halfBody` they send their headers and half of the body, and then
   * nothing. A function without a parameter is used for `nothing` only. The adapter needs a time limit that is shorter
   * than that of the suite. The function returns `false` for a form that no test can make. `false` if the adapter waits
   * for nothing.
   */
  silence: SilentHook | false;
  /**
   * Cuts the payout off from the services that it depends on, permanently. `false` if it depends on no service.
   */
  cutOff: (() => Promise<void>) | false;
  /**
   * Texts that no name, state, reason, trouble or message may contain, such as the key of the treasury and a URL with
   * a key. `false` if the adapter holds no secret.
   */
  secrets: readonly string[] | false;
  /** Ends everything that the test has made. */
  destroy(): Promise<void>;
}

export interface PayoutConformanceTarget extends ConformanceOptions {
  /** Makes a new adapter with its hooks. The suite calls it for each test. */
  create(): Promise<PayoutUnderTest>;
}
