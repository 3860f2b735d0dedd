import { delayTests } from './delays';
import { foreignTests } from './foreign';
import { paymentTests } from './payments';
import { redirectTests } from './redirects';
import { serviceTests } from './services';
import { submissionTests } from './submissions';
import { spellingTests } from './spellings';
import type { PayoutSuite } from './suite';
import { endTests, outageTests, refusalTests } from './troubles';

/** Registers all tests of the suite with a kit. */
export function registerPayoutTests(suite: PayoutSuite): void {
  suite.testMembers('order');
  paymentTests(suite);
  spellingTests(suite);
  refusalTests(suite);
  delayTests(suite);
  endTests(suite);
  foreignTests(suite);
  outageTests(suite);
  submissionTests(suite);
  serviceTests(suite);
  redirectTests(suite);
}
