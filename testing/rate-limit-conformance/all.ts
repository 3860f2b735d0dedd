import { failureTests, lifecycleTests } from './lifecycle';
import type { RateLimitSuite } from './suite';
import { windowTests } from './windows';

/** Registers all tests of the suite with a kit. */
export function registerRateLimitTests(suite: RateLimitSuite): void {
  suite.testMembers('counts');
  windowTests(suite);
  failureTests(suite);
  lifecycleTests(suite);
}
