import { lostAnswerTests } from './lost-answers';
import { optionalMemberTests } from './optional-members';
import { outageTests, strangerTests } from './outages';
import { pendingTests } from './pending';
import { refusalTests } from './refusals';
import { requirementTests } from './requirements';
import { serviceTests } from './services';
import { settlementTests } from './settlement';
import { spoiltFieldTests } from './spoilt-fields';
import { supportedTests } from './supported';
import type { FacilitatorSuite } from './suite';

/** Registers all tests of the suite with a kit. */
export function registerFacilitatorTests(suite: FacilitatorSuite): void {
  suite.testMembers('values');
  optionalMemberTests(suite);
  settlementTests(suite);
  strangerTests(suite);
  refusalTests(suite);
  requirementTests(suite);
  outageTests(suite);
  lostAnswerTests(suite);
  serviceTests(suite);
  supportedTests(suite);
  spoiltFieldTests(suite);
  pendingTests(suite);
}
