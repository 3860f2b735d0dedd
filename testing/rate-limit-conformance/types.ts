import type { RateLimitBackend } from '../../src/ports/rate-limit';
import type { ConformanceOptions } from '../conformance/runner';
import type { SilentForm } from '../conformance/silence';

/**
 * A new backend that has counted nothing and is not started. The suite starts and closes it. A check that
 * needs a missing hook fails, unless the hook is declared absent by `false`.
 */
export interface RateLimitUnderTest {
  /** The adapter that is tested. */
  backend: RateLimitBackend;
  /**
   * A second backend that shares the counts, as another instance would have it. It is not started yet. `false`
   * if counts are not shared.
   */
  another: (() => Promise<RateLimitBackend>) | false;
  /**
   * From now on the server that the backend asks does not answer. With the form `nothing` it accepts data and sends
   * nothing, which is worse than a closed connection. With `halfBody` it sends its headers and half of the body, and
   * then nothing. If `cutOff` returns a function, that function makes the server answer again, and the suite checks
   * that the backend uses the counts of the server again. A function without a parameter is used for `nothing` only,
   * and `cutOff` returns `false` for a form that no test can make. `false` if the backend asks no server.
   */
  cutOff: ((form: SilentForm) => Promise<void | false | (() => Promise<void>)>) | false;
  /**
   * From now on the server refuses connections, as when its process has ended. What the hook returns is ignored.
   * `false` if the backend asks no server.
   */
  refuse: (() => Promise<unknown>) | false;
  /**
   * From now on the server answers every request with this HTTP status (from 401 to 504), and without figures. If the
   * hook returns a function, that function makes the server answer again. `false` if the backend asks nothing by HTTP.
   */
  failWith: ((status: number) => Promise<unknown>) | false;
  /**
   * From now on the server answers every request with HTTP 307 and `Location: <address>`. The suite has a server at
   * that address. `false` if the backend asks nothing by HTTP.
   */
  redirect: ((address: string) => Promise<unknown>) | false;
  /**
   * Texts that no name, no log line and no request to another server may contain, such as the key of the server.
   * `false` if the backend has no secret.
   */
  secrets: readonly string[] | false;
  /**
   * From now on the server answers `nonsense(body)` in place of each body, until the returned function is called. The
   * suite makes the nonsense: a body that is cut off, empty or of another form, or with one field that is wrong.
   * `false` if the backend reads no texts, as with a client library of a database.
   */
  garble: ((nonsense: (body: string) => string) => Promise<() => Promise<void>>) | false;
  /** Ends everything that the test has made. */
  destroy(): Promise<void>;
}

export interface RateLimitConformanceTarget extends ConformanceOptions {
  /** Makes a new adapter with its hooks. The suite calls it for each test. */
  create(): Promise<RateLimitUnderTest>;
}
