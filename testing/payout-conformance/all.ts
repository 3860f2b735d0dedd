import { paymentTests } from './payments';
import { serviceTests } from './services';
import type { PayoutSuite } from './suite';
import { delayTests, endTests, foreignTests, outageTests, refusalTests } from './troubles';

/** Registers all tests of the suite with a kit. */
export function registerPayoutTests(suite: PayoutSuite): void {
  suite.testMembers('order');
  paymentTests(suite);
  refusalTests(suite);
  delayTests(suite);
  endTests(suite);
  foreignTests(suite);
  outageTests(suite);
  serviceTests(suite);
}
