import { failureTests, lifecycleTests } from './lifecycle';
import type { RateLimitSuite } from './suite';
import { windowTests } from './windows';

/** All tests of the suite, on any kit. */
export function registerRateLimitTests(suite: RateLimitSuite): void {
  windowTests(suite);
  failureTests(suite);
  lifecycleTests(suite);
}
