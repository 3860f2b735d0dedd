import { fakePayout } from '../../testing/fake-payout';
import { API, OPS, startService, wallet, type Service } from './support/service';

const owner = wallet(811);
let service: Service;
let key: string;
beforeEach(async () => {
  service = await startService();
  key = await service.issueKey(owner);
  await service.fund(owner, 50);
});
afterEach(() => service.close());

const path = `${API}/public/withdrawals`;
const ask = (body: unknown, headers: Record<string, string> = {}) =>
  service.call('post', path, { key, body, headers });

it('the service accepts a withdrawal, shows it reserved, and pays it', async () => {
  const accepted = await ask({ amount: 5 }, { 'Idempotency-Key': 'first' });
  expect(accepted.status).toBe(202);
  expect(accepted.body).toMatchObject({ id: 1, amount: 5, status: 'pending', transaction: null });
  const balance = await service.call('get', `${API}/public/balance`, { key });
  expect(balance.body).toMatchObject({ balance: 50, reserved: 5, available: 45 });
  await service.pm.runJobs();
  const paid = await service.call('get', `${path}/1`, { key });
  expect(paid.body).toMatchObject({ id: 1, status: 'confirmed' });
  expect((await service.call('get', path, { key })).body).toMatchObject({ total: 1, limit: 20, offset: 0 });
  expect((await service.call('get', `${API}/public/balance`, { key })).body).toMatchObject({
    balance: 45,
    reserved: 0,
  });
});

it('operators list the open withdrawals of all wallets, the oldest first, until they end', async () => {
  const other = wallet(812);
  const otherKey = await service.issueKey(other);
  await service.fund(other, 50);
  await ask({ amount: 5 });
  await service.call('post', path, { key: otherKey, body: { amount: 7 } });
  const list = (query: string) => service.call('get', `${OPS}/withdrawals${query}`);
  const first = await list('?limit=1');
  expect(first.body).toMatchObject({
    withdrawals: [{ id: 1, amount: 5, status: 'pending', address: owner.address }],
    limit: 1,
    hasMore: true,
  });
  expect((await list('?after=1&status=pending')).body).toMatchObject({
    withdrawals: [{ id: 2, amount: 7, address: other.address }],
    hasMore: false,
  });
  expect(await service.pm.listOpenWithdrawals({ limit: 1 })).toEqual(first.body);
  expect((await list('?status=confirmed')).status).toBe(400);
  await service.pm.runJobs();
  expect((await list('')).body).toEqual({ withdrawals: [], limit: 20, hasMore: false });
});

it('the service answers a repeated withdrawal as before, and says so', async () => {
  const headers = { 'Idempotency-Key': 'same' };
  const first = await ask({ amount: 5 }, headers);
  const second = await ask({ amount: 5 }, headers);
  expect(second.status).toBe(202);
  expect(second.body).toEqual(first.body);
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect((await ask({ amount: 6 }, headers)).body).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
});

it.each([
  {},
  { amount: 0 },
  { amount: 0.009 },
  { amount: -1 },
  { amount: '5' },
  { amount: 1.1234567 },
  { amount: 1e10 },
  { amount: 5, to: '0x00000000000000000000000000000000000000aa' },
])('the service refuses %j with 400', async (body) => {
  const refused = await ask(body);
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({ code: 'VALIDATION_ERROR' });
});

it('the service refuses a withdrawal beyond the balance, under a bad idempotency key or by a key without the scope', async () => {
  expect((await ask({ amount: 50.01 })).body).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  expect((await ask({ amount: 5 }, { 'Idempotency-Key': 'x'.repeat(129) })).status).toBe(400);
  const reader = await service.issueKey(owner, { scopes: ['account:read'] });
  const refused = await service.call('post', path, { key: reader, body: { amount: 5 } });
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ error: 'This API key lacks required scope: account:withdraw' });
});

it.each(['2', '0', 'x', '1e3', '99999999999999999999'])('the service knows no withdrawal %s', async (id) => {
  await ask({ amount: 5 });
  expect((await service.call('get', `${path}/${id}`, { key })).body).toMatchObject({ code: 'NOT_FOUND' });
});

it('a wallet does not see the withdrawals of other wallets', async () => {
  await ask({ amount: 5 });
  const other = await service.issueKey(wallet(812));
  expect((await service.call('get', `${path}/1`, { key: other })).status).toBe(404);
  expect((await service.call('get', path, { key: other })).body).toMatchObject({ total: 0 });
});

it('the routes of withdrawals do what the typed methods do', async () => {
  const requested = await service.pm.requestWithdrawal({ wallet: owner.address, amount: 7 });
  expect(requested).toMatchObject({ amount: 7, status: 'pending' });
  const found = await service.pm.getWithdrawal({ wallet: owner.address, id: requested.id });
  expect(found).toEqual(requested);
  expect((await service.pm.listWithdrawals({ wallet: owner.address })).total).toBe(1);
});

describe('operators', () => {
  const PAID = `0x${'5e'.repeat(32)}`;
  const decide = (id: number | string, verb: 'confirm' | 'fail', body: unknown) =>
    service.call('post', `${OPS}/withdrawals/${id}/${verb}`, { body });

  async function stuck(): Promise<number> {
    const payout = fakePayout();
    await service.close();
    service = await startService({ payout });
    key = await service.issueKey(owner);
    await service.fund(owner, 50);
    const { id } = (await ask({ amount: 5 })).body as { id: number };
    payout.progressWith({ status: 'pending', trouble: 'its key was replaced' });
    await service.pm.runJobs();
    return id;
  }

  it('confirm a withdrawal that is stuck, by its transaction', async () => {
    const id = await stuck();
    const confirmed = await decide(id, 'confirm', { transaction: PAID });
    expect([confirmed.status, confirmed.body]).toMatchObject([
      200,
      { id, status: 'confirmed', transaction: PAID },
    ]);
    expect((await service.call('get', `${API}/public/balance`, { key })).body).toMatchObject({ balance: 45 });
    expect(await service.pm.confirmWithdrawal({ id, transaction: PAID })).toEqual(confirmed.body);
    const refused = await decide(id, 'fail', { reason: 'no' });
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'ALREADY_RESOLVED' }]);
  });

  it('give a withdrawal back that nothing can pay any more', async () => {
    const id = await stuck();
    const failed = await decide(id, 'fail', { reason: 'Another transaction has used its nonce.' });
    expect([failed.status, failed.body]).toMatchObject([200, { id, status: 'failed' }]);
    expect(await service.pm.failWithdrawal({ id, reason: 'Again.' })).toEqual(failed.body);
    expect((await service.call('get', `${API}/public/balance`, { key })).body).toMatchObject({
      balance: 50,
      reserved: 0,
    });
  });

  it('decide nothing that may end by itself, nothing unknown, and nothing without evidence', async () => {
    const { id } = (await ask({ amount: 5 })).body as { id: number };
    const early = await decide(id, 'confirm', { transaction: PAID });
    expect([early.status, early.body]).toMatchObject([409, { code: 'WITHDRAWAL_UNDER_WAY' }]);
    for (const unknown of ['99', '0', 'x', '99999999999999999999'])
      expect((await decide(unknown, 'fail', { reason: 'no' })).body).toMatchObject({ code: 'NOT_FOUND' });
    for (const body of [{}, { transaction: '0x12' }, { transaction: 5 }, { transaction: PAID, reason: 'x' }])
      expect((await decide(id, 'confirm', body)).status).toBe(400);
    for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }, { reason: 'x', transaction: PAID }])
      expect((await decide(id, 'fail', body)).status).toBe(400);
    expect((await service.call('get', `${path}/${id}`, { key })).body).toMatchObject({ status: 'pending' });
  });
});
