import type { Oracle, OracleQuestion } from '../../src/ports/oracle';
import type { ConformanceOptions } from '../conformance/runner';

/** What the oracle's sources say about the question: that it happened, that it did not, or nothing. */
export type OracleEvidence = 'YES' | 'NO' | 'NOTHING';

/**
 * One freshly made oracle with its sources. Every test makes its own and destroys it. What the suite cannot look at for
 * want of a hook fails, unless the hook is declared absent: `false` in its place.
 *
 * A time limit of its own should be 3 seconds or more: the suite calls 2 seconds soon, and could not tell an oracle that
 * obeys its signal from one that merely gives up.
 */
export interface OracleUnderTest {
  oracle: Oracle;
  /** A question that the sources can answer. The suite puts other texts in. */
  question(): OracleQuestion;
  /** From now on the sources say so; at first they may say anything. `false` where the oracle never decides. */
  know?: ((evidence: OracleEvidence) => Promise<void>) | false;
  /**
   * From now on the sources take a question and never answer it, until the function that it gives is called. `false` where the
   * oracle waits for nothing.
   */
  stall?: (() => Promise<() => Promise<void>>) | false;
  /**
   * From now on the sources answer with something that makes no sense, until the function that it gives is called. `false`
   * where they cannot.
   */
  garble?: (() => Promise<() => Promise<void>>) | false;
  /** From now on the sources cannot be reached, until the function that it gives is called. `false` where it has none. */
  cutOff?: (() => Promise<() => Promise<void>>) | false;
  /** What must not stand in any message or answer, such as its API key. `false` where it holds no secret. */
  secrets?: readonly string[] | false;
  destroy(): Promise<void>;
}

export interface OracleConformanceTarget extends ConformanceOptions {
  create(): Promise<OracleUnderTest>;
}
