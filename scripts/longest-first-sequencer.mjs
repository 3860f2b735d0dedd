/**
 * The order of the test files: long files first, because a long file that begins last keeps one core busy while the
 * other cores are idle. A fresh clone has no times of earlier runs, so this list names the long files.
 */
import { statSync } from 'node:fs';

/**
 * The files that took longest in a run on two cores, longest first. If a long file is missing here, the run
 * takes longer.
 */
const LONGEST = [
  'chain/facilitator',
  'money/money',
  'crash/oracle-postgres',
  'crash/payments-sqlite',
  'package/package',
  'x402/life',
  'testing-kit/facilitator-liars',
  'position-payout-scale/position-payout-scale',
  'postgres-operations/fresh-reads',
  'site/browser',
  'crash/payments-postgres',
  'testing-kit/payout-liars',
  'site/operators.browser',
  'facilitator/http',
  'crash/oracle-sqlite',
  'storage/postgres-conformance',
  'chain/payout-conformance',
  'usecases/trading/properties',
  'crash/consumers',
  'testing-kit/oracle-liars',
  'documents/site',
  'site/live.browser',
  'storage/sqlite-conformance',
  'site/hostile-fields.browser',
  'storage/broken-adapters',
  'oracle/conformance',
  'cli/init',
  'postgres-operations/starvation',
  'site/wallet.browser',
  'races/races',
  'crash/withdrawals-sqlite',
  'site/hostile-answers.browser',
  'crash/withdrawals-postgres',
  'cli/init-process',
  'postgres-operations/pgbouncer',
  'standalone/oracle',
  'cli/sample',
  'crash/payments-http-facilitator',
  'postgres-operations/chaos',
  'site/life.browser',
  'cli/process',
  'postgres-operations/frozen',
  'crash/sqlite',
  'standalone/readme',
  'testing-kit/rate-limit-liars',
  'documents/types',
  'postgres-operations/crash',
  'usecases/resolution/pay-out-chunks',
  'live/chaos/postgres',
  'live/websocket/limits',
  'usecases/trading/parts',
  'standalone/process',
  'crash/lost-commits-payments',
  'crash/lost-commits-withdrawals',
  'site/portfolio.browser',
  'chain/payout-lies',
  'http/bad-input',
  'storage/postgres-upgrade',
  'usecases/keys/keys',
  'testing-kit/node-runner',
  'client/paid',
  'postgres-operations/leases',
  'package/production-install',
  'usecases/resolution/rounds-properties',
  'standalone/workers',
  'testing-kit/storage-liars',
  'documents/restore-sqlite',
  'postgres-operations/restarts',
  'postgres-operations/conflicts',
  'testing-kit/examples/rate-limit.example',
  'live/websocket/abuse',
  'chain/settle-after-errors',
  'oracle/hostile/hostile',
  'crash/webhooks-sqlite',
];

function weightOf({ path }) {
  const place = LONGEST.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return place === -1 ? statSync(path).size : Number.MAX_SAFE_INTEGER - place;
}

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
