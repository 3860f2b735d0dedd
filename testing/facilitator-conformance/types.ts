import type { Wallet } from 'ethers';
import type { Facilitator, Payment, PaymentRequirements } from '../../src/ports/facilitator';
import type { ConformanceOptions } from '../conformance/runner';
import type { SilentHook } from '../conformance/silence';

/**
 * What the adapter gets in place of the answer to a submission. The submission has arrived, except with `late`. `cut`:
 * the connection breaks. `silence`: nothing. `error`: an HTTP error such as 502, or an error of a service without HTTP.
 * `denied`: HTTP 401, as from a gateway that checks the key late. `late`: the connection breaks before the submission
 * arrives, and no service knows of the submission until the suite lets it arrive.
 */
export type LostAnswer = 'cut' | 'late' | 'silence' | 'error' | 'denied' | Garbage;
/**
 * `nonsense`: well-formed text that no adapter knows, such as `{"hello":"world"}`. `malformed`: bytes that
 * cannot be parsed.
 */
export type Garbage = 'nonsense' | 'malformed';

/** Submissions that have arrived and do not count yet. */
export interface HeldSubmissions {
  /** Resolves when a submission has arrived since `hold`. `settle` may still wait for its result then. */
  arrived(): Promise<void>;
  /** Lets the submissions that were held back count, and stops holding back. */
  release(): Promise<void>;
}

/**
 * A new facilitator with payers. Every test makes its own and destroys it. A check that needs a missing hook
 * fails, unless the hook is declared absent by `false`.
 */
export interface FacilitatorUnderTest {
  /** The adapter that is tested. */
  facilitator: Facilitator;
  /** The requirements of the payments. `amount` is small compared with the money of `payer`. */
  requirements: PaymentRequirements;
  /** A wallet with at least a hundred times the amount. */
  payer: Wallet;
  /** A wallet without money. */
  pauper: Wallet;
  /**
   * The present instant in milliseconds since the epoch, by the clock that decides about the windows of
   * authorizations.
   */
  now(): number;
  /**
   * What `payTo` has received, in base units. This function must not ask the adapter, because the adapter would
   * then confirm its own work.
   */
  received(): Promise<bigint>;
  /**
   * Whether `lookup` can tell for certain that a payment was settled. An adapter without a chain to ask may
   * answer `unknown`. About a settled payment no adapter may answer `unused` or `invalid`.
   */
  looksUp: boolean;
  /**
   * The times that `lookup` gives. `asOf` is left out if there is no chain to ask. `false` if the adapter knows none of
   * them.
   */
  times: readonly ('spentAt' | 'asOf')[] | false;
  /**
   * Texts that neither the name nor a reason may contain, such as the settler's key and a URL with a key.
   * `false` if the adapter holds no secret.
   */
  secrets: readonly string[] | false;
  /**
   * A second facilitator, as another process would have it. The suite does not close it. `false` if there can
   * be only one.
   */
  another: (() => Promise<Facilitator>) | false;
  /**
   * Submits the payment without the adapter, like a stranger who has seen the payment. Resolves when the payment
   * counts. The payment may name another `payTo`. `false` if only the adapter can move the money.
   */
  stranger: ((payment: Payment) => Promise<void>) | false;
  /**
   * Loses the answer to the next submission. The submission arrives and moves the money (at once or soon), but
   * the adapter gets what `how` says in place of an answer. The function returns `false` for a form that it cannot
   * make. For `late` it returns a function that lets the submission arrive. A function without a parameter makes `cut`
   * only. `silence` needs an adapter whose own time limit is short. With `error` the function also gets the HTTP status
   * (408, 429, 502, 503 or 504), if it has a second parameter; without `status` it chooses one.
   * `false` if the adapter submits to no other service.
   */
  loseAnswer: ((how: LostAnswer, status?: number) => Promise<false | void | (() => Promise<void>)>) | false;
  /**
   * From now on holds back what is submitted, as a chain does until its next block: the submission has
   * arrived, and moves the money only after `release`. `false` if a submission counts at once, or if no
   * service that the adapter asks knows of pending submissions. In the second case the token must refuse a
   * second submission.
   */
  hold: (() => Promise<HeldSubmissions>) | false;
  /**
   * From now on the services that the adapter asks answer `nonsense(body)` in place of each body, until the returned
   * function is called. They carry out what they are asked. The suite makes the nonsense: a body that is cut off, empty
   * or of another form, or with one field that is wrong. `false` if the adapter asks no service.
   */
  garble: ((nonsense: (body: string) => string) => Promise<() => Promise<void>>) | false;
  /**
   * From now on the services that the adapter asks do nothing and complete no answer, until the returned function is
   * called: `nothing` sends nothing, `halfBody` the headers and half of a body. The function returns `false` for a form
   * that it cannot make. A function without a parameter makes `nothing` only. The adapter needs a time limit that is
   * shorter than that of the suite. `false` in place of the function if the adapter waits for nothing.
   */
  silence: SilentHook | false;
  /**
   * From now on the services that the adapter asks answer every request with HTTP 307 and `Location: <address>`, and do
   * nothing, until the returned function is called. The suite has a server at that address. `false` if the adapter asks
   * nothing by HTTP.
   */
  redirect: ((address: string) => Promise<() => Promise<void>>) | false;
  /**
   * From now on the services that the adapter asks answer every request with this HTTP status and an error page, and do
   * nothing, until the returned function is called. `false` if the adapter asks nothing by HTTP.
   */
  failWith: ((status: number) => Promise<() => Promise<void>>) | false;
  /**
   * Cuts the facilitator off from the services that it depends on, permanently. `false` if it depends on no
   * service.
   */
  cutOff: (() => Promise<void>) | false;
  /** Moves the clock of `now` forward by `seconds`. `false` if no test can move that clock. */
  moveClock: ((seconds: number) => Promise<void>) | false;
  /**
   * Lets the service carry out what it has taken. After a `settle` that answered `unknown`, the suite calls this
   * function many times, for example between two look-ups of the payment. Default: it waits for 50 milliseconds.
   */
  wait?: (() => Promise<void>) | undefined;
  /** Ends everything that the test has made. */
  destroy(): Promise<void>;
}

export interface FacilitatorConformanceTarget extends ConformanceOptions {
  /** Makes a new adapter with its hooks. The suite calls it for each test. */
  create(): Promise<FacilitatorUnderTest>;
}
