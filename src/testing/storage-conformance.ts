/**
 * The published conformance suite of the storage port (src/ports/storage.ts): it holds every sentence
 * of that contract but one, for which an adapter needs a test of its own: that a storage which is away
 * rejects within 5 seconds. An adapter that lacks a guarantee fails; nothing is skipped for it.
 *
 * ```ts
 * import { describe, expect, it } from '@jest/globals';
 * storageConformance({ describe, it, expect }, { create });
 * ```
 */
import { accessTests } from './storage-conformance/access';
import { apiKeyTests } from './storage-conformance/api-keys';
import { auditTests } from './storage-conformance/audit';
import { candleTests } from './storage-conformance/candles';
import { concurrencyTests } from './storage-conformance/concurrency';
import { dueMarketTests, marketTotalTests } from './storage-conformance/due-markets';
import { eventTests } from './storage-conformance/events';
import { ledgerTests } from './storage-conformance/ledger';
import { lifecycleTests } from './storage-conformance/lifecycle';
import { marketListTests } from './storage-conformance/market-lists';
import { marketTests } from './storage-conformance/markets';
import { moneyTests } from './storage-conformance/money';
import { onceOnlyTests } from './storage-conformance/once-only';
import { paymentTests } from './storage-conformance/payments';
import { positionTests } from './storage-conformance/positions';
import { rollbackTests } from './storage-conformance/rollback';
import { createSuite } from './storage-conformance/suite';
import { settlementTests, tradeTests } from './storage-conformance/trades';
import { transactionTests } from './storage-conformance/transactions';
import { withdrawalTests } from './storage-conformance/withdrawals';
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

const AREAS = [
  lifecycleTests,
  transactionTests,
  concurrencyTests,
  rollbackTests,
  moneyTests,
  accessTests,
  apiKeyTests,
  marketTests,
  marketListTests,
  marketTotalTests,
  dueMarketTests,
  ledgerTests,
  onceOnlyTests,
  positionTests,
  tradeTests,
  settlementTests,
  candleTests,
  eventTests,
  paymentTests,
  withdrawalTests,
  auditTests,
];

/** Registers the suite with the runner. `create` is called once for every test. */
export function storageConformance(runner: ConformanceRunner, target: ConformanceTarget): void {
  const suite = createSuite(runner, target);
  runner.describe('storage conformance', () => {
    for (const area of AREAS) area(suite);
  });
}
