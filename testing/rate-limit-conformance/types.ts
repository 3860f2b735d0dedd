import type { RateLimitBackend } from '../../src/ports/rate-limit';
import type { ConformanceOptions } from '../conformance/runner';

/**
 * One freshly made backend that has counted nothing and is not started: the suite starts and closes it. What the suite cannot
 * look at for want of a hook fails, unless the hook is declared absent: `false` in its place.
 */
export interface RateLimitUnderTest {
  backend: RateLimitBackend;
  /** A second backend that shares its counts, as another instance would have it, not started. `false` where none are shared. */
  another?: (() => Promise<RateLimitBackend>) | false;
  /**
   * From now on what the backend asks does not answer: at its worst it takes what it is sent, and is silent. `false` where the
   * backend asks nothing.
   */
  cutOff?: (() => Promise<void>) | false;
  destroy(): Promise<void>;
}

export interface RateLimitConformanceTarget extends ConformanceOptions {
  create(): Promise<RateLimitUnderTest>;
}
