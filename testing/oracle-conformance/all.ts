import { answerTests, textTests, troubleTests } from './answers';
import { endingTests } from './endings';
import type { OracleSuite } from './suite';

/** All tests of the suite, on any kit. */
export function registerOracleTests(suite: OracleSuite): void {
  answerTests(suite);
  endingTests(suite);
  troubleTests(suite);
  textTests(suite);
}
