import { outageTests, strangerTests } from './outages';
import { refusalTests } from './refusals';
import { settlementTests } from './settlement';
import type { FacilitatorSuite } from './suite';

/** All tests of the suite, on any kit. */
export function registerFacilitatorTests(suite: FacilitatorSuite): void {
  settlementTests(suite);
  strangerTests(suite);
  refusalTests(suite);
  outageTests(suite);
}
