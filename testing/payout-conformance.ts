/**
 * The published conformance suite of the payout port (src/ports/payout.ts). It checks an adapter against the
 * sentences of that port. A check that cannot run reports the sentence that it did not check. A failure names
 * the broken sentence and what was observed. A suite that passes is no proof: docs/testing.md says why.
 *
 * ```ts
 * payoutConformance({ describe, it, expect }, { create: async () => ({ payout, order, received, … }) });
 * ```
 */
import { checkTarget } from './conformance/target';
import type { ConformanceRunner } from './conformance/runner';
import { registerPayoutTests } from './payout-conformance/all';
import { createPayoutSuite } from './payout-conformance/suite';
import type { PayoutConformanceTarget } from './payout-conformance/types';

export type { PayoutConformanceTarget, PayoutUnderTest } from './payout-conformance/types';

/** Registers the suite with the runner. `create` is called once for every test. */
export function payoutConformance(runner: ConformanceRunner, target: PayoutConformanceTarget): void {
  checkTarget('payoutConformance', target, {});
  const suite = createPayoutSuite(runner, target);
  runner.describe('payout conformance', () => registerPayoutTests(suite));
}
