import { challengeAndCreatorTests } from './challenges-and-creators';
import { apiKeyTests } from './api-keys';
import { auditTests } from './audit';
import { awayTests, elsewhereTests } from './away';
import { candleTests } from './candles';
import { concurrencyTests } from './concurrency';
import { depositTests } from './deposits';
import { dueMarketTests, houseRiskTests, marketTotalTests } from './due-markets';
import { consumerTests } from './consumers';
import { durabilityTests } from './durability';
import { eventTests } from './events';
import { houseTests } from './house';
import { idempotencyTests } from './idempotency';
import { leaseTests } from './leases';
import { ledgerTests } from './ledger';
import { lifecycleTests } from './lifecycle';
import { marketListTests } from './market-lists';
import { marketTests } from './markets';
import { moneyTests } from './money';
import { operatorLogTests } from './operator-log';
import { paymentTests } from './payments';
import { positionTests } from './positions';
import { resolutionTests } from './resolutions';
import { rollbackTests } from './rollback';
import { settlementTests, tradeTests } from './trades';
import { transactionTests } from './transactions';
import { webhookTests } from './webhooks';
import { withdrawalTests } from './withdrawals';
import type { Suite } from './suite';
import type { ProvenElsewhere } from './types';

const AREAS: readonly ((suite: Suite) => void)[] = [
  lifecycleTests,
  durabilityTests,
  awayTests,
  transactionTests,
  concurrencyTests,
  rollbackTests,
  moneyTests,
  challengeAndCreatorTests,
  apiKeyTests,
  marketTests,
  marketListTests,
  marketTotalTests,
  dueMarketTests,
  ledgerTests,
  depositTests,
  idempotencyTests,
  leaseTests,
  positionTests,
  tradeTests,
  settlementTests,
  candleTests,
  eventTests,
  consumerTests,
  paymentTests,
  withdrawalTests,
  resolutionTests,
  webhookTests,
  operatorLogTests,
  auditTests,
  houseTests,
  houseRiskTests,
];

/** Registers all tests of the suite with a kit. */
export function registerStorageTests(suite: Suite, provenElsewhere?: readonly ProvenElsewhere[]): void {
  suite.testMembers('complete');
  for (const area of AREAS) area(suite);
  elsewhereTests(suite, provenElsewhere);
}
