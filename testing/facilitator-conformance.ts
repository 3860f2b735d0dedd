/**
 * The published conformance suite of the facilitator port (src/ports/facilitator.ts). It checks an adapter
 * against the sentences of that port. A check that cannot run reports the sentence that it did not check. A
 * failure names the broken sentence and what was observed. A suite that passes is no proof: docs/testing.md
 * says why.
 *
 * ```ts
 * const create = async () => ({ facilitator, requirements, … });
 * facilitatorConformance({ describe, it, expect }, { create });
 * ```
 */
import { checkTarget } from './conformance/target';
import type { ConformanceRunner } from './conformance/runner';
import { registerFacilitatorTests } from './facilitator-conformance/all';
import { createFacilitatorSuite } from './facilitator-conformance/suite';
import type { FacilitatorConformanceTarget } from './facilitator-conformance/types';

export type {
  FacilitatorConformanceTarget,
  FacilitatorUnderTest,
  Garbage,
  HeldSubmissions,
  LostAnswer,
} from './facilitator-conformance/types';
export { authorizationFor, signAuthorization, signedPayment } from './facilitator-conformance/payments';

/** Registers the suite with the runner. `create` is called once for every test. */
export function facilitatorConformance(
  runner: ConformanceRunner,
  target: FacilitatorConformanceTarget,
): void {
  checkTarget('facilitatorConformance', target, {});
  const suite = createFacilitatorSuite(runner, target);
  runner.describe('facilitator conformance', () => registerFacilitatorTests(suite));
}
