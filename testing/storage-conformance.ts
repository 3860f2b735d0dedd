/**
 * The published conformance suite of the storage port (src/ports/storage). It checks an adapter against the
 * sentences of that port. A check that cannot run reports the sentence that it did not check. A failure names
 * the broken sentence and what was observed. A suite that passes is no proof: docs/testing.md says why. A check
 * that needs a missing hook fails too, unless the hook is declared absent.
 *
 * ```ts
 * import { describe, expect, it } from '@jest/globals';
 * storageConformance({ describe, it, expect }, { create });
 * ```
 */
import { mustBe, optional } from '../src/domain/options';
import { listOfWords } from './conformance/hook-values';
import { checkTarget } from './conformance/target';
import { registerStorageTests } from './storage-conformance/all';
import { PROVEN_ELSEWHERE } from './storage-conformance/contract';
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

const { what, fits } = listOfWords(...PROVEN_ELSEWHERE);
const SENTENCES_PROVEN_ELSEWHERE = mustBe(what, fits);

/** Registers the suite with the runner. `create` is called once for every test. */
export function storageConformance(runner: ConformanceRunner, target: ConformanceTarget): void {
  checkTarget('storageConformance', target, { provenElsewhere: optional(SENTENCES_PROVEN_ELSEWHERE) });
  const suite = createSuite(runner, target);
  runner.describe('storage conformance', () => registerStorageTests(suite, target.provenElsewhere));
}
