/**
 * The order of test files. A long one that begins last keeps one core busy while the others have nothing left; a fresh
 * clone has no times of earlier runs to know it by, and the size of a file says little. So the long ones are named.
 */
import { statSync } from 'node:fs';

/** Longest first, by a run on two cores: files of more than ten seconds. A name that is not here costs only time. */
const LONGEST = [
  'money/money',
  'storage/postgres-conformance',
  'x402/life',
  'postgres-operations/pgbouncer',
  'races/races',
  'position-payout-scale/position-payout-scale',
  'postgres-operations/fresh-reads',
  'crash/payments-sqlite',
  'package/package',
  'crash/payments-postgres',
  'crash/sqlite',
  'postgres-operations/chaos',
  'storage/sqlite-conformance',
  'crash/withdrawals-sqlite',
  'postgres-operations/starvation',
  'testing-kit/payout-liars',
  'postgres-operations/crash',
  'postgres-operations/leases',
  'standalone/process',
  'standalone/payments',
  'crash/payments-http-facilitator',
  'crash/lost-commits-withdrawals',
  'site/browser',
  'crash/lost-commits-payments',
  'crash/withdrawals-postgres',
  'postgres-operations/restarts',
  'usecases/trading/properties',
  'postgres-operations/frozen',
  'chain/facilitator',
  'storage/postgres-refused-begin',
  'testing-kit/facilitator-liars',
  'package/production-install',
  'usecases/settlement/chunks',
  'storage/broken-adapters',
  'chain/payout-lies',
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
