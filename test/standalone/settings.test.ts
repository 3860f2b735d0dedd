import { SettingsError, type Environment } from '../../examples/standalone/checks';
import { unnamedToken } from '../../examples/standalone/admin-token';
import { secretsOfOracle } from '../../examples/standalone/oracle-settings';
import { bannerLines } from '../../examples/standalone/banner';
import { readSettings } from '../../examples/standalone/settings';

function faultsOf(environment: Environment): readonly string[] {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as SettingsError).faults;
  }
}

const NEW_BOOKS = { playMoney: null, isNew: false, hasMarkets: false };

describe('the settings', () => {
  it('have a default for every variable', () => {
    expect(readSettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      baseUrl: undefined,
      siteUrl: undefined,
      embedAncestors: undefined,
      storage: { kind: 'sqlite', file: 'data/markets.db' },
      adminToken: null,
      exposureLimit: 10_000_000,
      creatorExposureLimit: null,
      resolutionIntervalMs: 60_000,
      challengePeriodMs: 0,
      challengeTtlSeconds: 300,
      addressRateLimit: 60,
      failedAuthLimit: 20,
      webhookAllowPrivate: false,
      trustProxy: false,
      logLevel: 'info',
    });
  });

  it('of the market become its options, and leave its defaults when they are unset', () => {
    const { market } = readSettings({
      ...{ LIQUIDITY_PARAMETER: '250.5', KEY_RATE_LIMIT: '600', FEED_PRICE: '0.000001', ORACLE_PRICE: '0.1' },
      ...{ MARKET_PRICE: '2', SMALLEST_WITHDRAWAL: '0.01', WITHDRAWAL_LIMIT: '9' },
    });
    expect(market).toEqual({
      ...{ liquidityParameter: 250.5, keyRateLimit: 600, smallestWithdrawal: 0.01, withdrawalLimit: 9 },
      prices: { feed: 0.000001, oracleResolve: 0.1, createMarket: 2 },
    });
    expect(JSON.stringify(readSettings({}).market)).toBe('{"prices":{}}');
  });

  describe('of WORKERS', () => {
    const shared = { DATABASE_URL: 'postgres://host/db', REDIS_URL: 'redis://host' };

    it('are 1 unless more are wanted', () => {
      expect(readSettings({}).workers).toBe(1);
      expect(readSettings({ WORKERS: '1' }).workers).toBe(1);
      expect(readSettings({ ...shared, WORKERS: '64' }).workers).toBe(64);
    });

    it.each([
      ['0', shared],
      ['65', shared],
      ['many', shared],
      ['2', { ...shared, DATABASE_URL: 'sqlite:data/markets.db' }],
      ['2', { ...shared, DATABASE_URL: 'memory:' }],
      ['2', { ...shared, REDIS_URL: '' }],
    ])('refuse %s with %j in one line', (count, environment) => {
      expect(() => readSettings({ ...environment, WORKERS: count })).toThrow(/^WORKERS: [^\n]+$/);
    });
  });

  it('let the house lose more of play money than of real money', () => {
    const real = { PAY_TO: `0x${'1'.repeat(40)}`, FACILITATOR_URL: 'https://facilitator.example' };
    expect(readSettings(real).exposureLimit).toBe(10_000);
    expect(readSettings({ ...real, EXPOSURE_LIMIT: '250' }).exposureLimit).toBe(250);
    expect(readSettings({ EXPOSURE_LIMIT: '0' }).exposureLimit).toBe(0);
    expect(readSettings({ CREATOR_EXPOSURE_LIMIT: '500' }).creatorExposureLimit).toBe(500);
  });

  it('keep facts for seven days, and thirty for consumers, or as long as they are told', () => {
    const kept = { EVENT_RETENTION_DAYS: '14', CONSUMER_RETENTION_DAYS: '60' };
    expect(readSettings({})).toMatchObject({ eventRetentionDays: 7, consumerRetentionDays: 30 });
    expect(readSettings(kept)).toMatchObject({ eventRetentionDays: 14, consumerRetentionDays: 60 });
  });

  it('of ADMIN_TOKENS are the tokens of operators by their names, none of which is ADMIN_TOKEN', () => {
    const [alice, bob] = ['a-token-of-alice', 'a-token-of-bob-1'];
    const ADMIN_TOKENS = `alice:${alice}, bob:${bob}`;
    expect(readSettings({ ADMIN_TOKENS })).toMatchObject({ adminToken: null, adminTokens: { alice, bob } });
    expect(faultsOf({ ADMIN_TOKENS, ADMIN_TOKEN: bob })).toEqual([
      'ADMIN_TOKENS: contains the token of ADMIN_TOKEN: give each name a token of its own',
    ]);
    expect(unnamedToken(readSettings({ ADMIN_TOKENS }))).toBeNull();
    expect(unnamedToken(readSettings({ ADMIN_TOKENS, ADMIN_TOKEN: 'a-third-token-here' }))).toBe(
      'a-third-token-here',
    );
    expect(bannerLines(readSettings({ ADMIN_TOKENS }), null, NEW_BOOKS).join('\n')).not.toMatch(
      /ADMIN_TOKEN|a-token/,
    );
  });

  it('take an empty variable for an unset one', () => {
    expect(readSettings({ PORT: '', RPC_URL: ' ', BASE_URL: '' })).toEqual(readSettings({}));
  });

  it.each([
    ['memory:', { kind: 'memory' }],
    ['sqlite:data/x.db', { kind: 'sqlite', file: 'data/x.db' }],
    ['sqlite:///var/x.db', { kind: 'sqlite', file: '/var/x.db' }],
    ['postgres://user:secret@host/db', { kind: 'postgres', url: 'postgres://user:secret@host/db' }],
    ['postgresql://host/db', { kind: 'postgres', url: 'postgresql://host/db' }],
  ])('DATABASE_URL %s', (text, storage) => {
    expect(readSettings({ DATABASE_URL: text }).storage).toEqual(storage);
  });

  it.each([
    ['false', false],
    ['0', false],
    ['2', 2],
    ['loopback, 10.0.0.0/8', ['loopback', '10.0.0.0/8']],
    ['::1,fd00::/8', ['::1', 'fd00::/8']],
  ])('TRUST_PROXY %s', (text, trustProxy) => {
    expect(readSettings({ TRUST_PROXY: text }).trustProxy).toEqual(trustProxy);
  });

  it('take the site to be where the service is, without a slash at the end', () => {
    const { baseUrl, siteUrl } = readSettings({ BASE_URL: 'https://markets.example/' });
    expect([baseUrl, siteUrl]).toEqual(['https://markets.example', 'https://markets.example']);
  });

  it.each([
    ['EVENT_RETENTION_DAYS', '0'],
    ['CONSUMER_RETENTION_DAYS', '3651'],
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3e3'],
    ['BASE_URL', 'markets.example'],
    ['BASE_URL', 'ftp://markets.example'],
    ['BASE_URL', 'https://markets.example/?page=1'],
    ['SITE_URL', 'https://markets.example/#top'],
    ['SITE_URL', 'https://markets.example/a b'],
    ['SITE_URL', 'javascript:alert(1)'],
    ['EMBED_ANCESTORS', 'https://blog.example, example.org'],
    ['EMBED_ANCESTORS', 'https://blog.example; script-src *'],
    ['DATABASE_URL', 'mysql://host/db'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'postgres://user:sec:ret@[host/db'],
    ['ADMIN_TOKEN', 'short'],
    ['ADMIN_TOKEN', 'has spaces in its middle'],
    ['ADMIN_TOKENS', 'a-token-without-a-name'],
    ['ADMIN_TOKENS', 'alice:a-token-of-alice,bob:a-token-of-alice'],
    ['ADMIN_TOKENS', 'alice:a-token-of-alice,bob:short'],
    ['METRICS_TOKEN', 'short'],
    ['PAY_TO', '0x123'],
    ['PAY_TO', '0x833589fcd6edb6e08f4c7c32d4f71b54bdA02913'],
    ['PAY_TO', `0x${'0'.repeat(40)}`],
    ['ASSET', 'USDC'],
    ['NETWORK', 'base'],
    ['EXPOSURE_LIMIT', '-1'],
    ['EXPOSURE_LIMIT', '1000000001'],
    ['EXPOSURE_LIMIT', '1e3'],
    ['CREATOR_EXPOSURE_LIMIT', 'none'],
    ['RESOLUTION_INTERVAL_MS', '5'],
    ['CHALLENGE_TTL_SECONDS', '0'],
    ['FINALITY_DEPTH', '0'],
    ['KEY_RATE_LIMIT', '0'],
    ['LIQUIDITY_PARAMETER', '0.5'],
    ['LIQUIDITY_PARAMETER', '1e2'],
    ['FEED_PRICE', '0'],
    ['ORACLE_PRICE', '0.0000001'],
    ['MARKET_PRICE', '-1'],
    ['SMALLEST_WITHDRAWAL', '0.001'],
    ['WITHDRAWAL_LIMIT', '2.5'],
    ['ADDRESS_RATE_LIMIT', '1.5'],
    ['FAILED_AUTH_LIMIT', 'many'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['LOG_LEVEL', 'loud'],
    ['REDIS_URL', 'http://localhost'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'redis://:100%safe@localhost'],
    ['FACILITATOR_URL', 'facilitator.example'],
    ['FACILITATOR_URL', 'https://facilitator.example/?key=1'],
    ['RPC_URL', 'https://rpc.example'],
    ['RPC_URL', 'wss://rpc.example'],
    ['SETTLER_PRIVATE_KEY', '0xsecret'],
    ['SETTLER_PRIVATE_KEY', `0x${'11'.repeat(32)}`],
    ['SETTLER_PRIVATE_KEY', `0x${'00'.repeat(32)}`],
    ['TREASURY_PRIVATE_KEY', `0x${'11'.repeat(32)}`],
    ['TREASURY_PRIVATE_KEY', 'secret'],
    ['ORACLE_BASE_URL', 'https://oracle.example'],
    ['ORACLE_API_KEY', 'secret'],
    ['ORACLE_MODELS', 'a,b'],
    ['ORACLE_API', 'chat'],
    ['ORACLE_MIN_VOTERS', '3'],
    ['ORACLE_MIN_VOTERS', '0'],
    ['CHALLENGE_PERIOD_MS', '-1'],
    ['CHALLENGE_PERIOD_MS', '2h'],
    ['WEBHOOK_ALLOW_PRIVATE', 'yes'],
  ])('refuse %s=%s in one line that names it', (name, value) => {
    let message = '';
    try {
      readSettings({ [name]: value });
    } catch (error) {
      expect(error).toBeInstanceOf(SettingsError);
      message = (error as Error).message;
    }
    expect(message).toMatch(new RegExp(`^${name}: [^\\n]+$`));
  });

  it('name all that are wrong at once, each in one line, without the values of secrets', () => {
    const wrong = {
      ...{ PORT: 'abc', BASE_URL: 'market.example', ADMIN_TOKEN: 'hunter2', METRICS_TOKEN: 'hunter2' },
      ...{
        DATABASE_URL: 'mysql://ada:hunter2@localhost/x',
        REDIS_URL: 'http://:hunter2@host',
        WORKERS: '99',
      },
      ...{ RPC_URL: 'hunter2', SETTLER_PRIVATE_KEY: '0xhunter2', TREASURY_PRIVATE_KEY: 'hunter2' },
      ...{ PAY_TO: '0x12', NETWORK: 'base', ORACLE_API_KEY: 'two hunter2', ORACLE_API: 'x' },
      ...{ LOG_LEVEL: 'loud', TRUST_PROXY: 'true', EXPOSURE_LIMIT: 'all' },
    };
    const faults = faultsOf(wrong);
    expect(faults.map((fault) => fault.split(':', 1)[0]).sort()).toEqual(Object.keys(wrong).sort());
    for (const fault of faults) expect(fault).toMatch(/^[A-Z_]+: [^\n]+$/);
    expect(faults.join()).not.toContain('hunter2');
  });

  it('name a variable once, and none that is wrong only because of another', () => {
    expect(faultsOf({ ORACLE_MIN_VOTERS: '0', ORACLE_API: 'chat' })).toEqual([
      expect.stringMatching(/^ORACLE_API: needs ORACLE_MODELS/),
      expect.stringMatching(/^ORACLE_MIN_VOTERS: needs ORACLE_MODELS/),
    ]);
    expect(faultsOf({ WORKERS: '2', DATABASE_URL: 'mysql://x' })).toEqual([
      expect.stringMatching(/^DATABASE_URL: /),
    ]);
    expect(faultsOf({ FACILITATOR_URL: 'facilitator.example' })).toHaveLength(1);
  });

  describe('of the oracle', () => {
    const models = { ORACLE_MODELS: 'a, b', ORACLE_BASE_URL: 'http://127.0.0.1:11434/v1/' };

    it('let operators resolve markets unless models are named', () => {
      expect(readSettings({})).toMatchObject({
        oracle: { kind: 'manual' },
        minVoters: 2,
        challengePeriodMs: 0,
      });
    });

    it('name the models, their server, its API and its key', () => {
      expect(readSettings(models).oracle).toEqual({
        kind: 'models',
        baseUrl: 'http://127.0.0.1:11434/v1',
        apiKey: undefined,
        models: ['a', 'b'],
        api: 'chat',
      });
      const hosted = { ...models, ORACLE_API: 'responses', ORACLE_API_KEY: 'sk-12345678' };
      expect(readSettings(hosted).oracle).toMatchObject({ api: 'responses', apiKey: 'sk-12345678' });
      expect(secretsOfOracle(readSettings(hosted))).toEqual(['sk-12345678']);
    });

    it('take the fewest voters and the challenge period', () => {
      const settings = readSettings({ ...models, ORACLE_MIN_VOTERS: '1', CHALLENGE_PERIOD_MS: '7200000' });
      expect(settings).toMatchObject({ minVoters: 1, challengePeriodMs: 7_200_000 });
    });

    it.each([
      ['ORACLE_MODELS', { ORACLE_MODELS: 'a,a' }],
      ['ORACLE_MODELS', { ORACLE_MODELS: 'a,,b' }],
      ['ORACLE_MODELS', { ORACLE_MODELS: Array.from({ length: 16 }, (_, index) => `m${index}`).join(',') }],
      ['ORACLE_API', { ORACLE_API: 'completions' }],
      ['ORACLE_API_KEY', { ORACLE_API_KEY: 'two words' }],
      ['ORACLE_BASE_URL', { ORACLE_BASE_URL: 'https://key@models.example/v1' }],
      ['ORACLE_BASE_URL', { ORACLE_BASE_URL: 'https://models.example/v1?key=1' }],
      ['ORACLE_BASE_URL', { ORACLE_BASE_URL: 'models.example' }],
    ])('stop the start by the name %s, for %j', (name, environment) => {
      expect(() => readSettings({ ...models, ...environment })).toThrow(new RegExp(`^${name}: [^\\n]+$`));
    });
  });

  it.each([
    ['ADMIN_TOKEN', 'shortsecret'],
    ['METRICS_TOKEN', 'shortsecret'],
    ['DATABASE_URL', 'postgres://user:shortsecret@[host/db'],
    ['REDIS_URL', 'http://:shortsecret@host'],
    ['SETTLER_PRIVATE_KEY', 'shortsecret'],
    ['TREASURY_PRIVATE_KEY', 'shortsecret'],
    ['TREASURY_PRIVATE_KEY', `0x${'ff'.repeat(31)}shortsecret`],
    ['FACILITATOR_URL', 'https://user:shortsecret@[host'],
    ['FACILITATOR_URL', 'https://user:shortsecret@host/?key'],
    ['RPC_URL', 'https://[host/shortsecret'],
    ['RPC_URL', 'https://host/shortsecret'],
    ['ORACLE_API_KEY', 'shortsecret'],
  ])('do not repeat the secret in %s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(/^(?!.*shortsecret)/);
  });
});

describe('a variable that is not known', () => {
  const meantBy = (name: string): string | undefined => readSettings({ [name]: 'x' }).misspelt[0]?.meant;

  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['TRUSTPROXY', 'TRUST_PROXY'],
    ['OARCLE_MODELS', 'ORACLE_MODELS'],
    ['redis_url', 'REDIS_URL'],
    ['PORTS', 'PORT'],
    ['TREASURY_PRIVAT_KEY', 'TREASURY_PRIVATE_KEY'],
  ])('%s is taken for %s', (given, meant) => {
    expect(meantBy(given)).toBe(meant);
  });

  it('is left alone when it belongs to another program, and a known one too', () => {
    const others = [
      'HOSTNAME',
      'HOME',
      'PATH',
      'PWD',
      'USER',
      'SHELL',
      'LANG',
      'TERM',
      'SHLVL',
      'LOGNAME',
      'API_KEY',
    ];
    for (const name of others) expect([name, meantBy(name)]).toEqual([name, undefined]);
    expect(readSettings({ PORT: '0', BASE_URL: 'http://a.example' }).misspelt).toEqual([]);
  });

  it('is named in the banner', () => {
    const settings = readSettings({ DATABSE_URL: 'sqlite:secret-folder/x.db' });
    const lines = bannerLines(settings, 'token', { playMoney: null, isNew: false, hasMarkets: true }).join(
      '\n',
    );
    expect(lines).toContain('WARNING    DATABSE_URL is not a setting: did you mean DATABASE_URL?');
    expect(lines).not.toContain('secret-folder');
  });
});
