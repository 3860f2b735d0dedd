import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.tmp/'],
  transform: {
    '^.+\\.[cm]?[jt]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  // Published as ES modules only, so Jest (CommonJS by default) has to transform them.
  transformIgnorePatterns: ['/node_modules/(?!(@noble|uuid)/)'],
  moduleNameMapper: {
    '^express-prediction-market$': '<rootDir>/src/index.ts',
    '^express-prediction-market/testing$': '<rootDir>/adapters/testing/index.ts',
    '^express-prediction-market/site$': '<rootDir>/site/index.ts',
    '^express-prediction-market/(storage|oracle|facilitator|payout|rate-limit)/(.*)$':
      '<rootDir>/adapters/$1/$2/index.ts',
  },
  reporters: ['default', '<rootDir>/scripts/summary-reporter.mjs'],
  // Jest would run one at a time on two cores; many suites wait for servers that they have started.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  testTimeout: 60_000,
};
