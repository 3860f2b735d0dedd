/**
 * The published conformance suite of row stores (`memoryStorage({ store })`). It checks what the suite of the
 * storage port cannot see, such as that one process writes at a time, and that a crash leaves a write whole or undone.
 *
 * ```ts
 * rowStoreConformance({ describe, it, expect }, { create: async () => ({ store, another, crash, destroy }) });
 * ```
 */
import { checkTarget } from './conformance/target';
import type { ConformanceRunner } from './conformance/runner';
import { registerRowStoreTests } from './row-store-conformance/all';
import { createRowStoreSuite } from './row-store-conformance/suite';
import type { RowStoreConformanceTarget } from './row-store-conformance/types';

export { inspectRows } from './row-store-conformance/inspect-rows';
export type { RowStoreConformanceTarget, RowStoreUnderTest } from './row-store-conformance/types';

/** Registers the suite with the runner. `create` is called once for every test. */
export function rowStoreConformance(runner: ConformanceRunner, target: RowStoreConformanceTarget): void {
  checkTarget('rowStoreConformance', target, {});
  const suite = createRowStoreSuite(runner, target);
  runner.describe('row store conformance', () => registerRowStoreTests(suite));
}
