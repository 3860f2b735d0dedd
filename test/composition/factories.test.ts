import { createPredictionMarket, memoryRateLimit } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { evmFacilitator } from 'express-prediction-market/facilitator/evm';
import { httpFacilitator } from 'express-prediction-market/facilitator/http';
import { aiOracle } from 'express-prediction-market/oracle/ai';
import { consensusOracle } from 'express-prediction-market/oracle/consensus';
import { httpOracle } from 'express-prediction-market/oracle/http';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { openaiOracle } from 'express-prediction-market/oracle/openai';
import { developmentPayout } from 'express-prediction-market/payout/development';
import { evmPayout } from 'express-prediction-market/payout/evm';
import { redisRateLimit } from 'express-prediction-market/rate-limit/redis';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { postgresStorage } from 'express-prediction-market/storage/postgres';
import { sqliteStorage } from 'express-prediction-market/storage/sqlite';

const KEY = `0x${'11'.repeat(32)}`;
const RPC = 'http://127.0.0.1:1';

interface Factory {
  make: (options?: unknown) => unknown;
  right: Record<string, unknown>;
  /** The option that the error names if there is no argument. `null` means that no option is required. */
  required: string | null;
  wrong: Record<string, unknown>[];
}

const quiet = { warn: () => undefined };
const FACTORIES: Record<string, Factory> = {
  createPredictionMarket: {
    make: createPredictionMarket as never,
    right: {
      storage: memoryStorage(),
      oracle: manualOracle(),
      facilitator: developmentFacilitator(quiet),
      payTo: '0x1111111111111111111111111111111111111111',
    },
    required: 'storage',
    wrong: [
      { storage: 'sqlite:x' },
      { storage: memoryStorage },
      { oracle: {} },
      { facilitator: { verify: () => undefined } },
      { payTo: 5 },
      { payout: {} },
      { payout: null },
      { baseUrl: 5 },
      { baseUrl: 'https://user:open-sesame@example.com' },
      { serviceName: 5 },
      { liquidityParameter: '100' },
      { liquidityParameter: 1.0000001 },
      { exposureLimit: '1' },
      { keyRateLimit: '60' },
      { addressRateLimit: 0 },
      { failedAuthLimit: null },
      { challengeTtlSeconds: 1e9 },
      { resolutionIntervalMs: 9 },
      { jobIntervalMs: 9 },
      { oracleTimeoutMs: 99 },
      { challengePeriodMs: -1 },
      { oracleRules: { minVoters: 0 } },
      { oracleRules: { minProbability: 0.4 } },
      { oracleBudget: { usdPerHour: 0 } },
      { oracleBudget: { callsPerHour: 1.5 } },
      { roundsInFlight: 0 },
      { onOracleRound: 'log' },
      { network: 8453 },
      { network: 'eip155:9999999999999999' },
      { asset: 'USDC' },
      { assetName: '' },
      { assetVersion: 2 },
      { prices: 5 },
      { prices: { feed: '1' } },
      { rateLimit: 60 },
      { pricing: 'lmsr' },
      { logger: true },
      { clock: Date.now },
      { random: {} },
    ],
  },
  memoryStorage: { make: memoryStorage as never, right: {}, required: null, wrong: [] },
  manualOracle: { make: manualOracle as never, right: {}, required: null, wrong: [] },
  openaiOracle: {
    make: openaiOracle as never,
    right: { baseUrl: 'http://127.0.0.1:1/v1', model: 'm' },
    required: 'baseUrl',
    wrong: [
      { baseUrl: 'open-sesame' },
      { apiKey: 'open-sesame\n' },
      { apiKey: '' },
      { model: '' },
      { api: 'completions' },
      { name: 5 },
      { timeoutMs: 0 },
      { search: true },
    ],
  },
  aiOracle: {
    make: aiOracle as never,
    right: { model: 'maker/model' },
    required: 'model',
    wrong: [{ model: {} }, { model: '' }, { name: '' }, { timeoutMs: '1' }, { search: {} }],
  },
  httpOracle: {
    make: httpOracle as never,
    right: { url: 'https://example.com/resolve', secret: `whsec_${'QUJD'.repeat(8)}` },
    required: 'url',
    wrong: [
      { url: 'ftp://example.com' },
      { url: 'http://example.com' },
      { secret: 'open-sesame' },
      { secret: 'whsec_QUJD' },
      { role: 'operator' },
      { timeoutMs: -1 },
      { allowPrivate: 'yes' },
    ],
  },
  consensusOracle: {
    make: consensusOracle as never,
    right: { oracles: [manualOracle()] },
    required: 'oracles',
    wrong: [
      { oracles: [] },
      { oracles: [manualOracle(), manualOracle()] },
      { oracles: [null] },
      { name: '' },
      { timeoutMs: 0 },
    ],
  },
  developmentPayout: { make: developmentPayout as never, right: {}, required: null, wrong: [] },
  memoryRateLimit: { make: memoryRateLimit as never, right: {}, required: null, wrong: [] },
  sqliteStorage: {
    make: sqliteStorage as never,
    right: { file: ':memory:' },
    required: 'file',
    wrong: [{ file: '' }, { file: 5 }, { file: 'a\0b' }],
  },
  postgresStorage: {
    make: postgresStorage as never,
    right: { url: 'postgres://host/database' },
    required: 'url',
    wrong: [
      { url: 'mysql://user:open-sesame@host/database' },
      { url: 'postgres://user:open-sesame/@host/database' },
      { url: 'postgres://user:open-sesame#@host/database' },
      { url: 'postgres://user:open-sesame%@host/database' },
      { url: 'postgres://user:open-sesame@host:123456/database' },
      { url: 5 },
      { schema: 'Has Spaces' },
      { schema: 5 },
      { pool: 10 },
      { pool: { max: 1 } },
      { pool: { max: '5' } },
      { ssl: 'yes' },
      { preparedStatements: 'no' },
    ],
  },
  httpFacilitator: {
    make: httpFacilitator as never,
    right: { url: RPC },
    required: 'url',
    wrong: [
      { url: 'open-sesame.example' },
      { headers: 'open-sesame' },
      { headers: { authorization: ['open-sesame'] } },
      { timeoutMs: 0 },
      { timeoutMs: '20' },
      { timeoutMs: 2 ** 31 },
      { rpcUrl: 'ws://open-sesame' },
      { confirmations: 3 },
      { clock: {} },
    ],
  },
  evmFacilitator: {
    make: evmFacilitator as never,
    right: { rpcUrl: RPC, privateKey: KEY },
    required: 'rpcUrl',
    wrong: [
      { rpcUrl: 'open-sesame' },
      { privateKey: 'open-sesame' },
      { privateKey: 5 },
      { confirmations: 0 },
      { timeoutMs: -1 },
      { stuckAfterMs: Number.NaN },
      { pollIntervalMs: 0.5 },
      { clock: null },
    ],
  },
  evmPayout: {
    make: evmPayout as never,
    right: { rpcUrl: RPC, privateKey: KEY },
    required: 'rpcUrl',
    wrong: [
      { rpcUrl: undefined },
      { privateKey: undefined },
      { privateKey: 'open-sesame' },
      { confirmations: '3' },
      { stuckAfterMs: -1 },
      { clock: 5 },
    ],
  },
  developmentFacilitator: {
    make: developmentFacilitator as never,
    right: quiet,
    required: null,
    wrong: [
      { startingBalance: 5 },
      { startingBalance: -1n },
      { balances: { 'no address': 5n } },
      { balances: { '0x1111111111111111111111111111111111111111': 5 } },
      { clock: 'now' },
      { warn: 'no' },
    ],
  },
  redisRateLimit: {
    make: redisRateLimit as never,
    right: { url: 'redis://localhost' },
    required: 'url',
    wrong: [
      { url: 'http://:open-sesame@localhost' },
      { prefix: 5 },
      { commandTimeoutMs: '150' },
      { probeIntervalMs: 0 },
      { tls: true },
    ],
  },
};

const factories = Object.entries(FACTORIES);

function refusalOf(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('It was not refused');
}

describe.each(factories)('%s', (name, { make, right, required, wrong }) => {
  it('takes right options', () => {
    expect(make(right)).toEqual(expect.anything());
  });

  it('needs no argument, or names the option that it needs', () => {
    if (required === null) {
      expect(make(name === 'developmentFacilitator' ? quiet : undefined)).toEqual(expect.anything());
      return;
    }
    for (const none of [() => make(), () => make({})]) {
      const refusal = refusalOf(none);
      expect(refusal).toBeInstanceOf(TypeError);
      expect(refusal.message).toMatch(new RegExp(`^${name}: ${required} is required: it must be .+$`));
    }
  });

  it.each(['postgres://host/x', 5, ['x'], () => right])(
    'refuses options that are no object: %p',
    (options) => {
      expect(refusalOf(() => make(options)).message).toMatch(
        new RegExp(`^${name}: the options must be an object, got (a|an|the) .+$`),
      );
    },
  );

  it('refuses an option that it does not know', () => {
    const { message } = refusalOf(() => make({ ...right, zzzzzz: undefined }));
    expect(message).toMatch(new RegExp(`^${name}: unknown option zzzzzz; the options are: .+$`));
  });

  it('refuses options that do not fit, and repeats no secret', () => {
    for (const options of wrong) {
      const [option = ''] = Object.keys(options);
      const { message } = refusalOf(() => make({ ...right, ...options }));
      expect(message).toMatch(
        new RegExp(`^${name}: ${option}(\\.\\w+)? (must be|is required: it must be) .+$`),
      );
      if (option !== 'baseUrl') expect(message).not.toContain('sesame');
    }
  });
});

describe('createPredictionMarket', () => {
  const { make, right } = FACTORIES['createPredictionMarket'] as Factory;

  it('names all options that are missing', () => {
    expect(refusalOf(() => make({})).message).toMatch(
      /: storage is required: .+\. Also missing: oracle, facilitator, payTo$/,
    );
    expect(refusalOf(() => make({ ...right, oracle: undefined, payTo: undefined })).message).toMatch(
      /: oracle is required: .+\. Also missing: payTo$/,
    );
  });

  it('refuses a number in place of a function with a TypeError', () => {
    expect(refusalOf(() => make({ ...right, onCommit: 1 }))).toBeInstanceOf(TypeError);
    expect(refusalOf(() => make({ ...right, exposureLimit: -1 }))).toBeInstanceOf(RangeError);
  });
});

describe('an unknown option', () => {
  const { make, right } = FACTORIES['createPredictionMarket'] as Factory;

  it.each([
    ['baseURL', 'baseUrl'],
    ['base_url', 'baseUrl'],
    ['facilitater', 'facilitator'],
    ['ratelimit', 'rateLimit'],
    ['liquidityParam', 'liquidityParameter'],
    ['payto', 'payTo'],
  ])('%s is answered with the question whether %s was meant', (given, meant) => {
    expect(refusalOf(() => make({ ...right, [given]: 'x' })).message).toBe(
      `createPredictionMarket: unknown option ${given}; did you mean ${meant}?`,
    );
  });

  it('is found within an option too', () => {
    expect(refusalOf(() => make({ ...right, prices: { feeed: 1 } })).message).toBe(
      'createPredictionMarket: unknown option prices.feeed; did you mean prices.feed?',
    );
    expect(
      refusalOf(() => postgresStorage({ url: 'postgres://h/d', pool: { size: 5 } as never })).message,
    ).toBe('postgresStorage: unknown option pool.size; the options are: max');
  });

  it.each([
    'postgres://user@/database',
    'postgresql://user:a%2Fb%23@[::1]:5432/database',
    'postgres:///database',
  ])('takes the address %s, as the driver does', (url) =>
    expect(postgresStorage({ url }).name).toBe('postgres'),
  );

  it('is unknown also when every object has a member of that name', () => {
    const { message } = refusalOf(() => make(JSON.parse('{"__proto__":1,"constructor":2}')));
    expect(message).toContain('unknown option __proto__');
  });
});
