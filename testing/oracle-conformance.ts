/**
 * The published conformance suite of the oracle port (src/ports/oracle.ts). It checks an adapter against the
 * sentences of that port. A check that cannot run reports the sentence that it did not check. A failure names
 * the broken sentence and what was observed. A suite that passes is no proof: docs/testing.md says why.
 *
 * ```ts
 * const create = async () => ({ oracle, question, know, … });
 * oracleConformance({ describe, it, expect }, { create });
 * ```
 */
import { milliseconds, optional } from '../src/domain/options';
import { checkTarget } from './conformance/target';
import type { ConformanceRunner } from './conformance/runner';
import { registerOracleTests } from './oracle-conformance/all';
import { createOracleSuite } from './oracle-conformance/suite';
import type { OracleConformanceTarget } from './oracle-conformance/types';

export type {
  DecidedEvidence,
  OracleConformanceTarget,
  OracleEvidence,
  OracleUnderTest,
  UnsettledHook,
} from './oracle-conformance/types';

/** Registers the suite with the runner. `create` is called once for every test. */
export function oracleConformance(runner: ConformanceRunner, target: OracleConformanceTarget): void {
  checkTarget('oracleConformance', target, { soonMs: optional(milliseconds) });
  const suite = createOracleSuite(runner, target);
  runner.describe('oracle conformance', () => registerOracleTests(suite));
}
