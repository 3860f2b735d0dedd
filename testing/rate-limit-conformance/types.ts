import type { RateLimitBackend } from '../../src/ports/rate-limit';
import type { ConformanceOptions } from '../conformance/runner';

/**
 * A new backend that has counted nothing and is not started. The suite starts and closes it. A check that
 * needs a missing hook fails, unless the hook is declared absent by `false`.
 */
export interface RateLimitUnderTest {
  backend: RateLimitBackend;
  /**
   * A second backend that shares the counts, as another instance would have it. It is not started yet. `false`
   * if counts are not shared.
   */
  another?: (() => Promise<RateLimitBackend>) | false;
  /**
   * From now on the server that the backend asks does not answer. In the worst case the server accepts data
   * and stays silent. If `cutOff` returns a function, that function makes the server answer again, and the
   * suite checks that the backend uses the counts of the server again. `false` if the backend asks no server.
   */
  cutOff?: (() => Promise<void | (() => Promise<void>)>) | false;
  /**
   * From now on the server refuses connections, as when its process has ended. What the hook returns is ignored. `false`
   * if the backend asks no server.
   */
  refuse?: (() => Promise<unknown>) | false;
  /**
   * From now on the server answers every request with this HTTP status (500 or 503), and without figures. What the hook
   * returns is ignored. `false` if the backend asks nothing by HTTP.
   */
  failWith?: ((status: number) => Promise<unknown>) | false;
  destroy(): Promise<void>;
}

export interface RateLimitConformanceTarget extends ConformanceOptions {
  create(): Promise<RateLimitUnderTest>;
}
