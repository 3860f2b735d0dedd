/**
 * The published conformance suite of the storage port (src/ports/storage.ts): it holds every sentence
 * of that contract. An adapter that lacks a guarantee fails; nothing is skipped for it.
 *
 * ```ts
 * import { describe, expect, it } from '@jest/globals';
 * storageConformance({ describe, it, expect }, { create });
 * ```
 */
import type { ConformanceRunner, ConformanceTarget } from './storage-conformance/types';

export type {
  ConformanceRunner,
  ConformanceTarget,
  MarketMoney,
  PositionMoney,
  StorageInspection,
  StorageUnderTest,
  TradeMoney,
} from './storage-conformance/types';

/** Registers the suite with the runner. `create` is called once for every test. */
export function storageConformance(runner: ConformanceRunner, target: ConformanceTarget): void {
  runner.describe('storage', () => {
    runner.it('opens', async () => {
      const sut = await target.create();
      await sut.storage.ping();
      await sut.destroy();
    });
  });
}
