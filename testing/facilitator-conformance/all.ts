import { outageTests, strangerTests } from './outages';
import { refusalTests } from './refusals';
import { settlementTests } from './settlement';
import type { FacilitatorSuite } from './suite';

/** Registers all tests of the suite with a kit. */
export function registerFacilitatorTests(suite: FacilitatorSuite): void {
  suite.testMembers('values');
  settlementTests(suite);
  strangerTests(suite);
  refusalTests(suite);
  outageTests(suite);
}
