import { computeAddress } from 'ethers';
import { bannerLines } from '../../examples/standalone/banner';
import { SettingsError, type Environment } from '../../examples/standalone/checks';
import { secretsOf } from '../../examples/standalone/payment-settings';
import { readSettings } from '../../examples/standalone/settings';

const PAY_TO = '0x1111111111111111111111111111111111111111';
const SETTLER = `0x${'5e'.repeat(32)}`;
const TREASURY = `0x${'7e'.repeat(32)}`;
const FACILITATOR_URL = 'https://operator:p%40ssword@facilitator.example/x402/';
const RPC_URL = 'https://node.example/v2/0123456789abcdef0123456789abcdef';

const HTTP = { FACILITATOR_URL, PAY_TO };
const EVM = { RPC_URL, SETTLER_PRIVATE_KEY: SETTLER, PAY_TO };

function complaint(environment: Environment): string {
  try {
    readSettings(environment);
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
}

it('payments are play money, on Base, when no variable names more', () => {
  const { facilitator, payout, network, asset } = readSettings({});
  expect({ facilitator, payout, network, asset }).toEqual({
    facilitator: { kind: 'development' },
    payout: { kind: 'development' },
    network: 'eip155:8453',
    asset: undefined,
  });
});

it('a facilitator is taken, and the credentials of its address become a header', () => {
  const { facilitator, payout, payTo } = readSettings(HTTP);
  expect(facilitator).toEqual({
    kind: 'http',
    url: 'https://facilitator.example/x402',
    authorization: `Basic ${Buffer.from('operator:p@ssword').toString('base64')}`,
    rpcUrl: undefined,
  });
  expect([payout, payTo]).toEqual([{ kind: 'none' }, PAY_TO]);
  expect(readSettings({ ...HTTP, FACILITATOR_URL: 'http://127.0.0.1:4021' }).facilitator).toEqual({
    kind: 'http',
    url: 'http://127.0.0.1:4021',
    authorization: undefined,
    rpcUrl: undefined,
  });
});

it('a node and the key of a settler are taken', () => {
  const { facilitator, payout } = readSettings({ ...EVM, SETTLER_PRIVATE_KEY: SETTLER.slice(2) });
  const settler = { privateKey: SETTLER, address: computeAddress(SETTLER) };
  expect(facilitator).toEqual({ kind: 'evm', rpcUrl: RPC_URL, settler });
  expect(payout).toEqual({ kind: 'none' });
});

it.each([
  ['a settler', EVM],
  ['a facilitator', { ...HTTP, RPC_URL }],
])('withdrawals are paid by the key of the treasury, beside %s', (_name, environment) => {
  const treasury = { privateKey: TREASURY, address: computeAddress(TREASURY) };
  expect(readSettings({ ...environment, TREASURY_PRIVATE_KEY: TREASURY }).payout).toEqual({
    kind: 'evm',
    rpcUrl: RPC_URL,
    treasury,
  });
});

it('payments through a facilitator are looked up on the node that is named', () => {
  expect(readSettings({ ...HTTP, RPC_URL }).facilitator).toMatchObject({ kind: 'http', rpcUrl: RPC_URL });
});

it.each<[string, Environment]>([
  ['SETTLER_PRIVATE_KEY', { ...HTTP, ...EVM }],
  ['SETTLER_PRIVATE_KEY', { ...HTTP, SETTLER_PRIVATE_KEY: SETTLER }],
  ['SETTLER_PRIVATE_KEY', { ...EVM, RPC_URL: undefined }],
  ['RPC_URL', { ...EVM, SETTLER_PRIVATE_KEY: ' ' }],
  ['RPC_URL', { RPC_URL, TREASURY_PRIVATE_KEY: TREASURY, PAY_TO }],
  ['TREASURY_PRIVATE_KEY', { ...HTTP, TREASURY_PRIVATE_KEY: TREASURY }],
  ['TREASURY_PRIVATE_KEY', { TREASURY_PRIVATE_KEY: TREASURY }],
  ['TREASURY_PRIVATE_KEY', { ...EVM, TREASURY_PRIVATE_KEY: SETTLER.slice(2) }],
  ['PAY_TO', { FACILITATOR_URL }],
  ['PAY_TO', { ...EVM, PAY_TO: undefined }],
  ['PAY_TO', { ...HTTP, PAY_TO: '0x000000000000000000000000000000000000dead' }],
  ['ASSET', { ...EVM, NETWORK: 'eip155:84532' }],
])('a set of variables that makes no sense is refused by the name of %s', (name, environment) => {
  const message = complaint(environment);
  expect(message).toMatch(new RegExp(`^${name}: [^\\n]+$`));
  for (const secret of [SETTLER, TREASURY, 'p%40ssword', '0123456789abcdef']) {
    expect(message).not.toContain(secret.replace('0x', ''));
  }
});

it('another network is taken with its token', () => {
  const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
  const settings = readSettings({ ...EVM, NETWORK: 'eip155:84532', ASSET: asset, ASSET_NAME: 'USDC' });
  expect(settings).toMatchObject({ network: 'eip155:84532', asset, assetName: 'USDC' });
  // With play money it does not matter whether the token exists.
  expect(readSettings({ NETWORK: 'eip155:84532' })).toMatchObject({ network: 'eip155:84532' });
});

it('the settings name the secrets that must not be shown', () => {
  const environment = {
    ...HTTP,
    RPC_URL: `${RPC_URL}?token=fedcba9876543210`,
    TREASURY_PRIVATE_KEY: TREASURY,
  };
  const secrets = secretsOf(readSettings(environment));
  expect(secrets).toEqual(
    expect.arrayContaining([
      'p@ssword',
      'p%40ssword',
      Buffer.from('operator:p@ssword').toString('base64'),
      TREASURY.slice(2),
      '0123456789abcdef0123456789abcdef',
      'fedcba9876543210',
    ]),
  );
  expect(secretsOf(readSettings(EVM))).toContain(SETTLER.slice(2));
  expect(secretsOf(readSettings({}))).toEqual([]);
  expect(secretsOf(readSettings({ ...EVM, RPC_URL: 'http://node.example/api/v2' }))).toHaveLength(1);
});

describe('the banner', () => {
  const RANDOM_TOKEN = '9f1c7e20b85d4a36';
  const banner = (environment: Environment): string =>
    bannerLines(readSettings({ ADMIN_TOKEN: RANDOM_TOKEN, ...environment }), RANDOM_TOKEN, {
      ...{ playMoney: null, isNew: false, hasMarkets: false },
    }).join('\n');

  it('says what is play money, and nothing of real money', () => {
    expect(banner({})).toContain('play money');
    expect(banner({})).not.toMatch(/real money|TREASURY_PRIVATE_KEY/);
  });

  it('says who settles, who is paid, and that withdrawals are refused', () => {
    const text = banner(HTTP);
    expect(text).toContain(`REAL MONEY on eip155:8453, to ${PAY_TO}`);
    expect(text).toContain('settled by facilitator.example');
    expect(text).toMatch(/payouts +none: TREASURY_PRIVATE_KEY is not set/);
    expect(text).not.toMatch(/play money|as they like/);
  });

  it('warns of real money in books that each restart forgets', () => {
    const warning = /WARNING +DATABASE_URL=memory: forgets/;
    for (const real of [HTTP, EVM]) {
      expect(banner({ ...real, DATABASE_URL: 'memory:' })).toMatch(warning);
      expect(banner(real)).not.toMatch(warning);
    }
    expect(banner({ DATABASE_URL: 'memory:' })).not.toMatch(warning);
  });

  it('warns that no payment can be looked up where a facilitator settles and there is no node to ask', () => {
    expect(banner(HTTP)).toMatch(/WARNING +RPC_URL is not set/);
    for (const environment of [{}, EVM, { ...HTTP, RPC_URL }])
      expect(banner(environment)).not.toContain('RPC_URL is not set');
  });

  it('warns of real money without BASE_URL, and with it only of deposits', () => {
    const paying = { ...EVM, TREASURY_PRIVATE_KEY: TREASURY };
    for (const real of [HTTP, paying]) expect(banner(real)).toMatch(/WARNING +BASE_URL is not set: a caller/);
    expect(banner({})).not.toContain('BASE_URL is not set');
    const warnings = banner({ ...paying, BASE_URL: 'https://market.example' }).match(/WARNING.*/g);
    expect(warnings).toEqual([expect.stringMatching(/^WARNING +operators' deposits/)]);
  });

  it.each(['changeme-changeme', 'My-Secret-of-2027', 'abababababababab', '1234567890123456'])(
    'warns of real money behind the token %s, without repeating it',
    (guessable) => {
      const tokens = { ADMIN_TOKEN: guessable, METRICS_TOKEN: guessable };
      const named = `alice:${RANDOM_TOKEN}-9,bob:${guessable}x`;
      const text = banner({ ...EVM, ...tokens, ADMIN_TOKENS: named });
      for (const name of [...Object.keys(tokens), 'ADMIN_TOKENS \\(bob\\)'])
        expect(text).toMatch(new RegExp(`WARNING +${name} can be guessed: `));
      expect(text).not.toContain('alice');
      expect(text).not.toContain(guessable);
      expect(banner({ ...EVM, METRICS_TOKEN: RANDOM_TOKEN })).not.toContain('can be guessed');
      expect(banner(tokens)).not.toContain('can be guessed');
    },
  );

  it('warns of real money beside figures that every caller can read', () => {
    const open = /WARNING +\/metrics is open/;
    for (const HOST of ['0.0.0.0', '::']) {
      expect(banner({ ...EVM, HOST })).toMatch(open);
      expect(banner({ ...EVM, HOST, METRICS_TOKEN: RANDOM_TOKEN })).not.toMatch(open);
    }
    for (const HOST of ['127.0.0.1', 'localhost']) expect(banner({ ...EVM, HOST })).not.toMatch(open);
  });

  it('names the addresses of its keys, and no secret', () => {
    const text = banner({ ...EVM, TREASURY_PRIVATE_KEY: TREASURY });
    expect(text).toContain(computeAddress(SETTLER));
    expect(text).toContain(`withdrawals are paid by ${computeAddress(TREASURY)}`);
    for (const secret of [SETTLER.slice(2), TREASURY.slice(2), RPC_URL]) expect(text).not.toContain(secret);
    expect(banner(HTTP)).not.toMatch(/ssword|operator:/);
  });
});
