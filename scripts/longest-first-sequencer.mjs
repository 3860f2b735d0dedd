/**
 * The order of test files. A long one that begins last keeps one core busy while the others have nothing left; a fresh
 * clone has no times of earlier runs to know it by, and the size of a file says little. So the long ones are named.
 */
import { statSync } from 'node:fs';

/** Longest first, by a run on two cores: files of more than eight seconds. A name that is not here costs only time. */
const LONGEST = [
  'crash/oracle-postgres',
  'package/package',
  'x402/life',
  'crash/payments-sqlite',
  'position-payout-scale/position-payout-scale',
  'crash/oracle-sqlite',
  'money/money',
  'crash/payments-postgres',
  'crash/sqlite',
  'storage/postgres-conformance',
  'standalone/oracle',
  'storage/sqlite-conformance',
  'crash/withdrawals-sqlite',
  'crash/withdrawals-postgres',
  'chain/payout-conformance',
  'usecases/trading/properties',
  'usecases/resolution/rounds-properties',
  'postgres-operations/starvation',
  'site/browser',
  'oracle/conformance',
  'races/races',
  'crash/payments-http-facilitator',
  'chain/facilitator',
  'postgres-operations/fresh-reads',
  'postgres-operations/chaos',
  'crash/lost-commits-payments',
  'chain/payout-lies',
  'standalone/process',
  'postgres-operations/restarts',
  'postgres-operations/pgbouncer',
  'postgres-operations/crash',
  'testing-kit/storage-liars',
  'http/bad-input',
  'package/production-install',
  'testing-kit/node-runner',
  'postgres-operations/leases',
  'postgres-operations/frozen',
  'http/express4',
  'storage/postgres-upgrade',
  'storage/broken-adapters',
  'http/express5',
  'crash/lost-commits-withdrawals',
  'chain/settle-after-errors',
  'http/public',
  'usecases/settlement/chunks',
  'testing-kit/oracle-liars',
  'postgres-operations/conflicts',
  'domain/simulation',
  'x402/metering',
  'x402/guide',
  'usecases/trading/parts',
  'x402/known-settlement',
  'facilitator/http',
  'standalone/readme',
  'testing-kit/payout-liars',
  'http/withdrawals',
  'chain/shared-pay-to',
  'chain/payout',
];

/** Higher comes earlier. */
function weightOf({ path }) {
  const place = LONGEST.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return place === -1 ? statSync(path).size : Number.MAX_SAFE_INTEGER - place;
}

/** What Jest asks of a sequencer. */
export default class LongestFirstSequencer {
  sort(tests) {
    return [...tests]
      .map((test) => ({ test, weight: weightOf(test) }))
      .sort((left, right) => right.weight - left.weight)
      .map(({ test }) => test);
  }

  /** `--shard`: every `count`th file of the order, so that each shard gets some of the long ones. */
  shard(tests, { shardIndex, shardCount }) {
    return this.sort(tests).filter((_, index) => index % shardCount === shardIndex - 1);
  }

  /** `--onlyFailures`: without a memory of earlier runs, all. */
  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}
