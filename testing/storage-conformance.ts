/**
 * The published conformance suite of the storage port (src/ports/storage): every sentence of that contract is checked or
 * refused by name, and a failure says which one is broken and what was seen. An adapter that lacks a guarantee fails; what
 * the suite has no means to look at fails too, unless it is declared absent.
 *
 * ```ts
 * import { describe, expect, it } from '@jest/globals';
 * storageConformance({ describe, it, expect }, { create });
 * ```
 */
import { registerStorageTests } from './storage-conformance/all';
import { createSuite } from './storage-conformance/suite';
import type { ConformanceRunner, ConformanceTarget } from './storage-conformance/types';

export type {
  ConformanceRunner,
  ConformanceTarget,
  MarketMoney,
  PositionMoney,
  ProvenElsewhere,
  StorageInspection,
  StorageUnderTest,
  TradeMoney,
} from './storage-conformance/types';

/** Registers the suite with the runner. `create` is called once for every test. */
export function storageConformance(runner: ConformanceRunner, target: ConformanceTarget): void {
  const suite = createSuite(runner, target);
  runner.describe('storage conformance', () => registerStorageTests(suite, target.provenElsewhere));
}
