/**
 * The contract of the facilitator port as tests, for any runner with `describe`, `it` and `expect` (Jest, Vitest, node:test
 * with a small wrapper).
 *
 * ```ts
 * facilitatorConformance({ describe, it, expect }, { create: async () => ({ facilitator, requirements, … }) });
 * ```
 */
import { failureTests } from './facilitator-conformance/failures';
import { settlementTests } from './facilitator-conformance/settlement';
import { createFacilitatorSuite } from './facilitator-conformance/suite';
import type { FacilitatorConformanceTarget } from './facilitator-conformance/types';
import type { ConformanceRunner } from './storage-conformance';

export type { FacilitatorConformanceTarget, FacilitatorUnderTest } from './facilitator-conformance/types';
export { authorizationFor, signAuthorization, signedPayment } from './facilitator-conformance/payments';

/** Registers the tests. Each makes a facilitator of its own. */
export function facilitatorConformance(
  runner: ConformanceRunner,
  target: FacilitatorConformanceTarget,
): void {
  runner.describe('facilitator conformance', () => {
    const suite = createFacilitatorSuite(runner, target);
    settlementTests(suite);
    failureTests(suite);
  });
}
