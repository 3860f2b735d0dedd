import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** How long one test may take. */
const testTimeout = 60_000;

/** @type {import('jest').Config} */
const shared = {
  testEnvironment: '<rootDir>/scripts/cached-code-environment.mjs',
  testTimeout,
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.tmp/'],
  transform: {
    '^.+\\.[cm]?[jt]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  // These packages are published as ES modules only, so Jest (CommonJS by default) has to transform them.
  transformIgnorePatterns: ['/node_modules/(?!(@noble|uuid|ai7|@ai-sdk|@workflow|zod|eventsource-parser)/)'],
  moduleNameMapper: {
    '^express-prediction-market$': '<rootDir>/src/index.ts',
    '^express-prediction-market/testing$': '<rootDir>/testing/index.ts',
    '^express-prediction-market/client$': '<rootDir>/src/client/index.ts',
    '^express-prediction-market/react$': '<rootDir>/src/client/react/index.ts',
    // The examples name their files as TypeScript wants it in a project of ES modules: `./app.js` for app.ts.
    '^(\\./[a-z-]+)\\.js$': ['$1.js', '$1.ts'],
    // Vitest is not installed here. Jest runs the example for Vitest with a stand-in.
    '^vitest$': '<rootDir>/test/examples/vitest-stand-in.ts',
    '^express-prediction-market/site$': '<rootDir>/site/index.ts',
    '^express-prediction-market/(storage|oracle|facilitator|payout|rate-limit)/(.*)$':
      '<rootDir>/adapters/$1/$2/index.ts',
  },
};

/** The suites that run on both Postgres servers, because the version or the compiler of queries matters to them. */
const ON_BOTH_POSTGRES = ['storage/postgres-conformance', 'storage/postgres-jit'];
/** The suites that run on the Postgres of Debian if it is installed, and otherwise on the Postgres from npm. */
const ON_EITHER_POSTGRES = [
  'storage/postgres-prepared',
  'storage/postgres-refused-begin',
  'postgres-operations/exposure-checks',
  'postgres-operations/starvation',
];
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const hasDebianPostgres =
  existsSync(DEBIAN_POSTGRES) &&
  readdirSync(DEBIAN_POSTGRES).some((version) => existsSync(`${DEBIAN_POSTGRES}/${version}/bin/initdb`));
/**
 * This suite runs on the Postgres of Debian only, because it needs programs such as `pg_dump` in the version
 * of the server.
 */
const ONLY_ON_DEBIAN_POSTGRES = 'postgres-operations/restore';

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...shared,
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        ...[ONLY_ON_DEBIAN_POSTGRES, ...(hasDebianPostgres ? ON_EITHER_POSTGRES : [])].map(
          (path) => `/test/${path}\\.test\\.ts$`,
        ),
      ],
      globalSetup: '<rootDir>/test/support/run-setup.ts',
      globalTeardown: '<rootDir>/test/support/run-teardown.ts',
    },
    {
      ...shared,
      displayName: 'debian-postgres',
      testMatch: [
        ...ON_BOTH_POSTGRES,
        ONLY_ON_DEBIAN_POSTGRES,
        ...(hasDebianPostgres ? ON_EITHER_POSTGRES : []),
      ].map((path) => `<rootDir>/test/${path}.test.ts`),
      globals: { POSTGRES_OF_TESTS: 'debian' },
      globalSetup: '<rootDir>/test/support/debian-postgres-setup.ts',
      globalTeardown: '<rootDir>/test/support/debian-postgres-teardown.ts',
    },
  ],
  reporters: ['default', '<rootDir>/scripts/summary-reporter.mjs'],
  testSequencer: '<rootDir>/scripts/longest-first-sequencer.mjs',
  // On two cores, Jest would run one suite at a time. Many suites wait for servers and processes that they
  // have started, so three suites can run at once.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  testTimeout,
};
