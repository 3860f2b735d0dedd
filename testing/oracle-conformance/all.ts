import { answerTests, textTests } from './answers';
import { endingTests } from './endings';
import { identityTests } from './identity';
import type { OracleSuite } from './suite';
import { troubleTests } from './troubles';
import { unsettledTests } from './unsettled';

/** Registers all tests of the suite with a kit. */
export function registerOracleTests(suite: OracleSuite): void {
  suite.testMembers('name');
  answerTests(suite);
  unsettledTests(suite);
  endingTests(suite);
  troubleTests(suite);
  textTests(suite);
  identityTests(suite);
}
