import type { Oracle, OracleQuestion } from '../../src/ports/oracle';
import type { ConformanceOptions } from '../conformance/runner';
import type { SilentHook } from '../conformance/silence';

/**
 * What the oracle's sources say about the question: the event has happened, it has not happened, or nothing.
 */
export type OracleEvidence = 'YES' | 'NO' | 'NOTHING';
export type DecidedEvidence = Exclude<OracleEvidence, 'NOTHING'>;
/**
 * Makes the sources report the evidence in a form by which the oracle must not decide, until the returned function
 * is called.
 */
export type UnsettledHook = (evidence: DecidedEvidence) => Promise<() => Promise<void>>;

/**
 * A new oracle with its sources. Every test makes its own and destroys it. A check that needs a missing hook fails,
 * unless the hook is declared absent by `false`. Give the oracle a time limit of 3 seconds or more, because it has
 * to end within 2 seconds after its signal is aborted. With a shorter time limit the suite could not tell whether
 * the signal or the limit ended it. The option `soonMs` changes the 2 seconds.
 */
export interface OracleUnderTest {
  /** The adapter that is tested. */
  oracle: Oracle;
  /**
   * A question that the sources can answer. The suite replaces the texts of the question, and asks the same question of
   * other markets, about which the sources say nothing.
   */
  question(): OracleQuestion;
  /**
   * What the oracle decides by. `'market'`: it looks the number of the market up, so another market with the
   * same texts gets an answer of its own. `'text'`: it reads the texts and judges them, so equal texts get
   * equal answers. Default: `'market'` for an authority, `'text'` for a judge.
   */
  decidesBy?: 'market' | 'text' | undefined;
  /**
   * Whether the outcome may be known before the `resolveDate` of the question, such as the result of a game that
   * ends earlier. `false` if only that date decides, such as a price of that day: then the suite asks before the
   * date too. With `know: false`, `true` and `false` have the same effect.
   */
  knownEarly: boolean;
  /**
   * From now on the sources report this evidence. Before the first call they may report any evidence. `false`
   * if the oracle never decides.
   */
  know: ((evidence: OracleEvidence) => Promise<void>) | false;
  /**
   * From now on the sources report this evidence as a result that may still change, until the returned function is
   * called: a live score, a provisional count, a price before the close. A list of such functions if the sources mark
   * such results in several ways. `false` if the sources give no such result.
   */
  provisional: UnsettledHook | readonly UnsettledHook[] | false;
  /**
   * From now on the sources answer every request about another subject, or about another day, until the returned
   * function is called. Of that subject they say this evidence. A list of such functions if the answer can be wrong in
   * several ways. `false` if an answer of the sources does not name its subject.
   */
  confuse: UnsettledHook | readonly UnsettledHook[] | false;
  /**
   * From now on the sources report this evidence and say that they are not sure of it, such as with a confidence of
   * 0.3, until the returned function is called. `false` if the sources never say how sure they are.
   */
  unsure: UnsettledHook | false;
  /**
   * From now on the sources accept a question and never complete an answer, until the returned function is called.
   * `nothing`: they send nothing. `halfBody`: they send their headers and half of the body. The function returns
   * `false` for a form that it cannot make. A function without a parameter makes `nothing` only. `false` if the oracle
   * waits for nothing.
   */
  stall: SilentHook | false;
  /**
   * From now on the sources answer `nonsense(body)` in place of each body, until the returned function is called. The
   * suite makes the nonsense: a body that is cut off, empty or of another form, or with one field that is wrong. `false`
   * if the oracle reads no text. The suite also calls it while `provisional` or `confuse` lasts: each returned function
   * ends only its own hook.
   */
  garble: ((nonsense: (body: string) => string) => Promise<() => Promise<void>>) | false;
  /**
   * From now on the sources answer every request with this HTTP status and a body without evidence, such as an error
   * page, until the returned function is called. `false` if the oracle asks nothing by HTTP.
   */
  failWith: ((status: number) => Promise<() => Promise<void>>) | false;
  /**
   * From now on the sources answer every request with HTTP 307 and `Location: <address>`, until the returned function
   * is called. The suite has a server at that address. `false` if the oracle asks nothing by HTTP.
   */
  redirect: ((address: string) => Promise<() => Promise<void>>) | false;
  /**
   * From now on the sources cannot be reached, until the returned function is called. `false` if the oracle
   * has no sources.
   */
  cutOff: (() => Promise<() => Promise<void>>) | false;
  /**
   * Texts that no message, answer or name may contain, such as the API key. `false` if the oracle holds no
   * secret.
   */
  secrets: readonly string[] | false;
  /** Ends everything that the test has made. */
  destroy(): Promise<void>;
}

export interface OracleConformanceTarget extends ConformanceOptions {
  /** Makes a new adapter with its hooks. The suite calls it for each test. */
  create(): Promise<OracleUnderTest>;
  /**
   * How long in milliseconds an oracle may take to end after its signal is aborted. The time limit of the oracle must
   * be longer. Default 2,000.
   */
  soonMs?: number | undefined;
}
