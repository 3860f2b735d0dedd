import { OPTION_CHECKS } from '../../src/option-checks';
import { resolveOptions } from '../../src/config';
import type { PredictionMarketOptions } from '../../src/prediction-market-options';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { memoryStorage } from '../../adapters/storage/memory';
import { manualOracle } from '../../adapters/oracle/manual';
import { DEFAULT_ROUND_RULES } from '../../src/domain/oracle/rounds';

const required = (): PredictionMarketOptions => ({
  storage: memoryStorage(),
  oracle: manualOracle(),
  facilitator: fakeFacilitator(),
  payTo: '0x1111111111111111111111111111111111111111',
});
const resolve = (options: Partial<PredictionMarketOptions>) => resolveOptions({ ...required(), ...options });

describe('the options of createPredictionMarket', () => {
  it('have the documented defaults', () => {
    expect(resolve({}).config).toMatchObject({
      baseUrl: null,
      liquidityParameterMicros: 100_000_000n,
      exposureLimitMicros: 10_000_000_000n,
      creatorExposureLimitMicros: null,
      keyRateLimit: 60,
      addressRateLimit: 60,
      failedAuthLimit: 20,
      challengeTtlMs: 300_000,
      network: 'eip155:8453',
      chainId: 8453,
      asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      webhooks: { limit: 20, allowPrivate: false },
      creatorFeeBasisPoints: 50n,
      eventRetentionMs: 7 * 86_400_000,
      live: {
        channelLimit: 1_000,
        commandLimit: 1_200,
        connectionLimit: 1_000,
        heartbeatSeconds: 20,
        waitingBytesLimit: 1_048_576,
        commandBytesLimit: 65_536,
        failedAuthLimit: 5,
      },
      resolutionIntervalMs: 60_000,
      challengePeriodMs: 0,
      roundsInFlight: 16,
      oracleBudget: { calls: null, costMicros: null },
      roundRules: {
        minVoters: 2,
        minConfidence: 0.8,
        minProbability: 0.9,
        fullRounds: 3,
        maxDisagreements: 8,
      },
    });
  });

  it('keep a mount prefix in the base URL, without its last slash', () => {
    expect(resolve({ baseUrl: 'https://Example.com/markets/' }).config.baseUrl).toBe(
      'https://example.com/markets',
    );
  });

  it.each([
    ['baseUrl', { baseUrl: 'ftp://example.com' }],
    ['baseUrl', { baseUrl: 'http://example.com/\nAction: issue' }],
    ['baseUrl', { baseUrl: 'http://example.com/?a=b' }],
    ['serviceName', { serviceName: 'Two\nlines' }],
    ['payTo', { payTo: '0x0000000000000000000000000000000000000000' }],
    ['network', { network: 'base' }],
    ['asset', { asset: 'USDC' }],
    ['liquidityParameter', { liquidityParameter: 0.5 }],
    ['liquidityParameter', { liquidityParameter: Number.NaN }],
    ['exposureLimit', { exposureLimit: -1 }],
    ['keyRateLimit', { keyRateLimit: 1.5 }],
    ['challengeTtlSeconds', { challengeTtlSeconds: 0 }],
  ])('are refused by one line that names %s', (name, wrong) => {
    expect(() => resolve(wrong)).toThrow(new RegExp(`^createPredictionMarket: ${name} must be .+$`));
  });

  it('are required where there is no sensible default', () => {
    expect(() => resolveOptions({ ...required(), storage: undefined as never })).toThrow(
      'storage is required',
    );
  });

  it('keep their defaults when they are given as undefined', () => {
    const optional = Object.keys(OPTION_CHECKS).filter((name) => !(name in required()));
    const undefinedFor = (names: string[]): object =>
      Object.fromEntries(names.map((name) => [name, undefined]));
    const { config } = resolve({});
    expect(resolve(undefinedFor(optional)).config).toEqual(config);
    const live = undefinedFor(Object.keys(config.live));
    const webhooks = undefinedFor(Object.keys(config.webhooks));
    const prices = undefinedFor(Object.keys(config.prices));
    expect(resolve({ live, webhooks, prices }).config).toEqual(config);
  });

  it('leave a threshold of the oracle at its default when it is undefined', () => {
    const oracleRules = {
      minVoters: undefined,
      minConfidence: undefined,
      maxDisagreements: undefined,
    } as never;
    expect(resolve({ oracleRules }).config.roundRules).toEqual(DEFAULT_ROUND_RULES);
    expect(resolve({ oracleRules, minConfidence: 0.95 }).config.roundRules.minConfidence).toBe(0.95);
  });

  it.each(['judges', 'Judge', null, ''])('refuse an oracle with the unknown role %j', (role) => {
    const oracle = { ...manualOracle(), role: role as never };
    expect(() => resolve({ oracle })).toThrow(
      /^createPredictionMarket: oracle\.role must be "authority" or "judge", got /,
    );
  });
});
