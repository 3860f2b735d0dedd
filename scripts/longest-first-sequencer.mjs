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
  'x402/life',
  'crash/oracle-postgres',
  'crash/payments-sqlite',
  'position-payout-scale/position-payout-scale',
  'money/money',
  'crash/payments-postgres',
  'postgres-operations/fresh-reads',
  'crash/oracle-sqlite',
  'chain/facilitator',
  'package/package',
  'storage/postgres-conformance',
  'crash/sqlite',
  'standalone/oracle',
  'storage/sqlite-conformance',
  'postgres-operations/pgbouncer',
  'crash/withdrawals-sqlite',
  'crash/consumers',
  'races/races',
  'oracle/conformance',
  'postgres-operations/starvation',
  'postgres-operations/chaos',
  'crash/withdrawals-postgres',
  'site/live.browser',
  'chain/payout-lies',
  'postgres-operations/frozen',
  'postgres-operations/restarts',
  'live/websocket/abuse',
  'standalone/process',
  'crash/lost-commits-payments',
  'crash/payments-http-facilitator',
  'site/hostile-fields.browser',
  'site/hostile-answers.browser',
  'site/browser',
  'usecases/trading/properties',
  'live/chaos/postgres',
  'postgres-operations/crash',
  'http/bad-input',
  'package/production-install',
  'testing-kit/storage-liars',
  'testing-kit/oracle-liars',
  'postgres-operations/leases',
  'live/chaos/sqlite',
  'testing-kit/node-runner',
  'testing-kit/vitest-runner',
  'crash/lost-commits-withdrawals',
  'storage/postgres-upgrade',
  'chain/settle-after-errors',
  'standalone/payments',
  'storage/broken-adapters',
  'x402/known-settlement',
  'chain/payout-conformance',
  'testing-kit/payout-liars',
  'oracle/hostile/hostile',
  'architecture/import-rules',
  'testing-kit/facilitator-liars',
  'usecases/resolution/rounds-properties',
  'postgres-operations/conflicts',
  'x402/copies',
  'storage/postgres-refused-begin',
  'usecases/resolution/pay-out-chunks',
  'testing-kit/rate-limit-liars',
  'crash/webhooks-sqlite',
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
