import { developmentFacilitator } from '../../adapters/facilitator/development';
import { startChain, type Chain } from '../chain/support/anvil';
import { startFacilitatorServer, type FacilitatorServer } from '../facilitator/support/facilitator-server';
import { describeWith } from '../support/optional';
import { until } from '../support/until';
import { buy, call, issueKey } from './support/client';
import { address, start, type Running } from './support/process';
import { randomWallet } from '../support/random-wallet';

const USD = 1_000_000n;
const PAY_TO = '0x1111111111111111111111111111111111111111';
const ADMIN_TOKEN = 'an-admin-token-for-tests';
const OPERATOR = { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } };
const QUICK = { ADMIN_TOKEN, RESOLUTION_INTERVAL_MS: '50' };

jest.setTimeout(60_000);

let running: Running | undefined;
afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.exit;
  running = undefined;
});

const shown = (): string => `${running?.output()}${running?.errors()}`;

function chainTests(binary: string): void {
  const settler = randomWallet();
  const treasury = randomWallet();
  const payer = randomWallet();
  let chain: Chain;
  /** The address of a node of the chain. The address contains a password. */
  let node: string;
  beforeAll(async () => {
    chain = await startChain(binary);
    node = chain.url.replace('http://', 'http://operator:node-password@');
    await chain.giveGas(settler.address);
    await chain.giveGas(treasury.address);
    await chain.mint(payer.address, 100n * USD);
    await chain.mint(treasury.address, 50n * USD);
  });
  afterAll(() => chain.stop());

  const environment = () => ({
    ...QUICK,
    RPC_URL: node,
    SETTLER_PRIVATE_KEY: settler.privateKey,
    TREASURY_PRIVATE_KEY: treasury.privateKey,
    PAY_TO,
  });
  const secrets = [settler.privateKey.slice(2), treasury.privateKey.slice(2), 'node-password'];

  it('sells a call and a deposit, and pays a withdrawal, and the chain and the books agree', async () => {
    running = start(environment());
    const base = await address(running);
    expect(running.errors()).toContain(`REAL MONEY on eip155:8453, to ${PAY_TO}`);
    expect((await buy(base, '/x402/feed', payer)).status).toBe(200);
    const deposit = await buy(base, '/x402/deposit', payer, { amount: 25 });
    expect([deposit.status, deposit.body]).toEqual([201, expect.objectContaining({ balance: 25 })]);
    expect(await chain.tokens(PAY_TO)).toBe(25n * USD + 1000n);
    expect(await chain.tokens(payer.address)).toBe(75n * USD - 1000n);

    const key = { 'X-API-Key': await issueKey(base, payer) };
    const body = { amount: 7 };
    const asked = await call(base, '/public/withdrawals', { body, headers: key });
    expect([asked.status, asked.body]).toEqual([202, expect.objectContaining({ status: 'pending' })]);
    const path = `/public/withdrawals/${String(asked.body['id'])}`;
    // The routes of operators have no quota, so the test polls them. Each poll mines a block, because a payout needs
    // confirmations.
    await until(async () => {
      await chain.mine();
      return (await call(base, '/admin/audit', OPERATOR)).body['external'] === -18;
    });
    expect((await call(base, path, { headers: key })).body).toMatchObject({ status: 'confirmed', amount: 7 });
    expect((await call(base, '/public/balance', { headers: key })).body).toMatchObject({
      balance: 18,
      reserved: 0,
    });
    expect(await chain.tokens(treasury.address)).toBe(43n * USD);
    expect(await chain.tokens(payer.address)).toBe(82n * USD - 1000n);
    const { body: audit } = await call(base, '/admin/audit', OPERATOR);
    expect(audit).toMatchObject({ ok: true, external: -18 });
    for (const secret of secrets) expect(shown()).not.toContain(secret);
  });

  it('does not start on a chain other than NETWORK', async () => {
    const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
    running = start({ ...environment(), NETWORK: 'eip155:84532', ASSET: asset });
    expect(await running.exit).toBe(1);
    expect(running.errors()).toBe(
      'cannot start: RPC_URL: the node is on eip155:8453, and NETWORK is eip155:84532\n',
    );
  });

  it('starts while the node is away, charges no payer, and shows no secret in what it logs', async () => {
    const away = {
      ...environment(),
      RPC_URL: 'http://operator:node-password@127.0.0.1:1/0123456789abcdefghij',
    };
    running = start(away);
    const base = await address(running);
    expect(running.output()).toContain('RPC_URL: the node does not answer');
    const refused = await buy(base, '/x402/feed', payer);
    expect([refused.status, refused.body['code']]).toEqual([503, 'FACILITATOR_UNAVAILABLE']);
    for (const secret of [...secrets, '0123456789abcdefghij']) expect(shown()).not.toContain(secret);
  });
}

describeWith('anvil', 'npm start with a settler key', chainTests);

describe('npm start with a facilitator', () => {
  const payer = randomWallet();
  let facilitator: FacilitatorServer;
  beforeEach(async () => {
    facilitator = await startFacilitatorServer(developmentFacilitator({ warn: () => undefined }));
  });
  afterEach(() => facilitator.close());

  const url = () => facilitator.url.replace('http://', 'http://operator:p%40ss-word@');

  it('sells a call and a deposit through the facilitator, with its credentials', async () => {
    running = start({ ...QUICK, FACILITATOR_URL: url(), PAY_TO });
    const base = await address(running);
    expect((await buy(base, '/x402/feed', payer)).status).toBe(200);
    expect((await buy(base, '/x402/deposit', payer, { amount: 25 })).body).toMatchObject({ balance: 25 });
    expect(facilitator.seen.filter(({ path }) => path === '/settle')).toHaveLength(2);
    const sent = new Set(facilitator.seen.map(({ headers }) => headers.authorization));
    expect([...sent]).toEqual([`Basic ${Buffer.from('operator:p@ss-word').toString('base64')}`]);
    const { body } = await call(base, '/admin/payments', OPERATOR);
    expect(body).toMatchObject({ payments: [{ status: 'delivered' }, { status: 'delivered' }] });
    expect(shown()).not.toMatch(/p@ss-word|p%40ss-word|b3BlcmF0b3I6/);
  });

  it('refuses withdrawals when there is no payout, and says so at the start', async () => {
    running = start({ ...QUICK, FACILITATOR_URL: url(), PAY_TO });
    const base = await address(running);
    expect(running.errors()).toMatch(/payouts +none: TREASURY_PRIVATE_KEY is not set/);
    await buy(base, '/x402/deposit', payer, { amount: 25 });
    const headers = { 'X-API-Key': await issueKey(base, payer) };
    const refused = await call(base, '/public/withdrawals', { body: { amount: 5 }, headers });
    expect([refused.status, refused.body]).toEqual([
      404,
      expect.objectContaining({
        code: 'NOT_FOUND',
        message: 'Withdrawals are not paid here; the host can give the option payout',
      }),
    ]);
    const balance = await call(base, '/public/balance', { headers });
    expect(balance.body).toMatchObject({ balance: 25, reserved: 0 });
  });

  it('starts while the facilitator is away, and charges no payer', async () => {
    await facilitator.close();
    running = start({ ...QUICK, FACILITATOR_URL: url(), PAY_TO });
    const base = await address(running);
    await until(() => shown().includes('FACILITATOR_URL: the facilitator does not answer'));
    const refused = await buy(base, '/x402/feed', payer);
    expect([refused.status, refused.body['code']]).toEqual([503, 'FACILITATOR_UNAVAILABLE']);
    expect(shown()).not.toMatch(/p@ss-word|p%40ss-word|b3BlcmF0b3I6/);
  });
});
