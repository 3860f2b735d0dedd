/**
 * The order of the test files: long files first. A long file that begins last keeps one core busy while the
 * other cores are idle. A fresh clone has no times of earlier runs, and the size of a file says little about
 * its time. So this list names the long files.
 */
import { statSync } from 'node:fs';

/**
 * The files that took longest in a run on two cores, longest first. If a long file is missing here, the run
 * takes longer.
 */
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
  'usecases/resolution/pay-out-chunks',
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

/** The weight of a file. A file with a higher weight runs earlier. */
function weightOf({ path }) {
  const place = LONGEST.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return place === -1 ? statSync(path).size : Number.MAX_SAFE_INTEGER - place;
}

/** The functions that Jest calls on a sequencer. */
export default class LongestFirstSequencer {
  sort(tests) {
    return [...tests]
      .map((test) => ({ test, weight: weightOf(test) }))
      .sort((left, right) => right.weight - left.weight)
      .map(({ test }) => test);
  }

  /** For `--shard`: every `count`th file of the order, so that each shard gets some of the long files. */
  shard(tests, { shardIndex, shardCount }) {
    return this.sort(tests).filter((_, index) => index % shardCount === shardIndex - 1);
  }

  /** For `--onlyFailures`: all files, because there is no memory of earlier runs. */
  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}
