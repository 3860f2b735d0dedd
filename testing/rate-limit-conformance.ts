/**
 * The published conformance suite of the rate-limit port (src/ports/rate-limit.ts). It checks an adapter
 * against the sentences of that port. A check that cannot run reports the sentence that it did not check. A
 * failure names the broken sentence and what was observed. A suite that passes is no proof: docs/testing.md
 * says why.
 *
 * ```ts
 * const create = async () => ({ backend, another, cutOff, destroy });
 * rateLimitConformance({ describe, it, expect }, { create });
 * ```
 */
import { checkTarget } from './conformance/target';
import type { ConformanceRunner } from './conformance/runner';
import { registerRateLimitTests } from './rate-limit-conformance/all';
import { createRateLimitSuite } from './rate-limit-conformance/suite';
import type { RateLimitConformanceTarget } from './rate-limit-conformance/types';

export type { RateLimitConformanceTarget, RateLimitUnderTest } from './rate-limit-conformance/types';

/** Registers the suite with the runner. `create` is called once for every test. */
export function rateLimitConformance(runner: ConformanceRunner, target: RateLimitConformanceTarget): void {
  checkTarget('rateLimitConformance', target, {});
  const suite = createRateLimitSuite(runner, target);
  runner.describe('rate-limit conformance', () => registerRateLimitTests(suite));
}
