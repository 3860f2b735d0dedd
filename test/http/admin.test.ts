import type { Response } from 'supertest';
import { API, createMarket, OPS, PAY_TO, startService, wallet, type Service } from './support/service';

const owner = wallet(301);
let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const post = (path: string, body?: unknown): Promise<Response> => service.call('post', OPS + path, { body });
const get = (path: string): Promise<Response> => service.call('get', OPS + path);

describe('operators', () => {
  it('judge creators', async () => {
    const { address } = owner;
    expect((await post(`/creators/${address}/approve`)).body).toMatchObject({ address, status: 'approved' });
    const rejected = await post(`/creators/${address.toLowerCase()}/reject`, { reason: 'spam' });
    expect(rejected.body).toMatchObject({ address, status: 'rejected', rejectedReason: 'spam' });
    expect((await post(`/creators/${address}/suspend`, { reason: 'abuse' })).body).toMatchObject({
      status: 'suspended',
    });
    const listed = await get('/creators?status=suspended');
    expect(listed.body).toMatchObject({ total: 1, creators: [{ address, status: 'suspended' }] });
    expect((await get('/creators?status=pending')).body).toMatchObject({ total: 0 });
  });

  it('need a reason to reject or suspend, and an address', async () => {
    expect((await post(`/creators/${owner.address}/reject`)).status).toBe(400);
    expect((await post(`/creators/${owner.address}/suspend`, { reason: ' ' })).status).toBe(400);
    for (const address of ['0x12', 'abc', `0x${'0'.repeat(40)}`, owner.address.replace(/[a-f]/, 'A')]) {
      const response = await post(`/creators/${address}/approve`);
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'address' }] });
    }
  });

  it('credit a deposit once for each reference', async () => {
    const path = `/accounts/${owner.address}/deposits`;
    const first = await post(path, { amount: 12.5, reference: 'wire-1' });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      address: owner.address,
      amount: 12.5,
      reference: 'wire-1',
      balance: 12.5,
    });
    expect((await post(path, { amount: 12.5, reference: 'wire-1' })).body).toEqual(first.body);
    const other = await post(path, { amount: 13, reference: 'wire-1' });
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    expect((await get(`/accounts/${owner.address}`)).body).toEqual({
      address: owner.address,
      balance: 12.5,
      reserved: 0,
      available: 12.5,
    });
  });

  it('put money into the treasury once for each reference, over all wallets too', async () => {
    const empty = { balance: 0, exposure: 0, limit: 10_000, solvent: true };
    expect((await get('/treasury')).body).toEqual(empty);
    const first = await post('/treasury/deposits', { amount: 250.5, reference: 'capital' });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ balance: 250.5, amount: 250.5, reference: 'capital' });
    await post('/treasury/deposits', { amount: 1, reference: 'more capital' });
    expect((await post('/treasury/deposits', { amount: 250.5, reference: 'capital' })).body).toEqual(
      first.body,
    );
    const wallet = `/accounts/${owner.address}/deposits`;
    for (const [path, amount] of [
      ['/treasury/deposits', 250],
      [wallet, 250.5],
    ] as const) {
      const other = await post(path, { amount, reference: 'capital' });
      expect(other.status).toBe(409);
      expect(other.body).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    }
    await post(wallet, { amount: 5, reference: 'a wire' });
    expect((await post('/treasury/deposits', { amount: 5, reference: 'a wire' })).status).toBe(409);
    expect((await get('/treasury')).body).toEqual({ ...empty, balance: 251.5 });
    expect((await get('/audit')).body).toMatchObject({ ok: true, treasury: 251.5, external: -256.5 });
  });

  it('cannot use a reference that only a blank at an end tells from another, so that no transfer is credited twice', async () => {
    for (const reference of ['wire-1 ', ' wire-1', 'wire-1\u00a0']) {
      for (const path of [`/accounts/${owner.address}/deposits`, '/treasury/deposits'])
        expect(await post(path, { amount: 12.5, reference })).toMatchObject({
          status: 400,
          body: {
            code: 'VALIDATION_ERROR',
            errors: [{ field: 'reference', message: 'reference must not begin or end with a blank' }],
          },
        });
      const refused = { code: 'VALIDATION_ERROR', errors: [{ field: 'reference' }] };
      const credit = { amount: 12.5, reference };
      await expect(service.pm.depositToTreasury(credit)).rejects.toMatchObject(refused);
      const { address } = owner;
      await expect(service.pm.deposit({ ...credit, address })).rejects.toMatchObject(refused);
    }
  });

  it('cannot use references that belong to the deposits of payments, so that no payer loses a credit', async () => {
    const reference = `x402:${PAY_TO}:${owner.address}:0x${'1'.repeat(64)}`.toLowerCase();
    for (const path of ['/treasury/deposits', `/accounts/${owner.address}/deposits`]) {
      const { status, body } = await post(path, { amount: 25, reference });
      expect([path, status, body.code]).toEqual([path, 400, 'VALIDATION_ERROR']);
    }
    await expect(service.pm.deposit({ address: owner.address, amount: 25, reference })).rejects.toMatchObject(
      { code: 'VALIDATION_ERROR' },
    );
  });

  it('see what open markets can cost the house', async () => {
    await createMarket(service, owner);
    expect((await get('/treasury')).body).toMatchObject({ balance: 0, exposure: 69.314719, solvent: true });
  });

  it('close and resolve markets', async () => {
    const market = await createMarket(service, owner);
    const closed = await post(`/markets/${String(market)}/close`);
    expect(closed.status).toBe(200);
    expect(closed.body).toMatchObject({ status: 'resolving' });
    const resolved = await post(`/markets/${String(market)}/resolve`, {
      outcome: 'YES',
      note: 'as reported',
    });
    expect(resolved.status).toBe(200);
    expect(resolved.body).toMatchObject({
      status: 'resolved',
      yesPrice: 1,
      resolution: { outcome: 'YES', oracleConsensus: 1 },
    });
    expect((await post(`/markets/${String(market)}/resolve`, { outcome: 'YES' })).status).toBe(200);
    const other = await post(`/markets/${String(market)}/resolve`, { outcome: 'NO' });
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({ code: 'ALREADY_RESOLVED' });
    expect((await post('/markets/77/resolve', { outcome: 'NO' })).body).toMatchObject({
      code: 'MARKET_NOT_FOUND',
    });
  });

  it('change the quota and the scopes of a key', async () => {
    const key = await service.issueKey(owner);
    const changed = await service.call('patch', `${OPS}/keys/1`, {
      body: { rateLimit: 3, scopes: ['account:read'] },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ id: 1, rateLimit: 3, scopes: ['account:read'] });
    const response = await service.call('get', `${API}/public/balance`, { key });
    expect(response.headers['x-ratelimit-limit']).toBe('3');
    expect((await service.call('get', `${API}/public/markets`, { key })).status).toBe(403);
    for (const id of ['9', 'abc', '99999999999999999999']) {
      const unknown = await service.call('patch', `${OPS}/keys/${id}`, { body: { rateLimit: 3 } });
      expect(unknown.status).toBe(404);
      expect(unknown.body).toMatchObject({ code: 'KEY_NOT_FOUND' });
    }
    expect((await service.call('patch', `${OPS}/keys/1`, { body: {} })).status).toBe(400);
  });

  it('list the keys of a wallet, and revoke one without its signature', async () => {
    const key = await service.issueKey(owner);
    const other = await service.issueKey(owner);
    const listed = await get(`/accounts/${owner.address}/keys`);
    expect(listed.status).toBe(200);
    expect(listed.body).toEqual({
      keys: [expect.objectContaining({ id: 1 }), expect.objectContaining({ id: 2 })],
    });
    expect(JSON.stringify(listed.body)).not.toContain(key);
    const revoked = await service.call('delete', `${OPS}/keys/1`);
    expect(revoked.status).toBe(200);
    expect(revoked.body).toMatchObject({ id: 1, revokedAt: expect.any(String) });
    expect((await service.call('get', `${API}/public/markets`, { key })).status).toBe(401);
    expect((await service.call('get', `${API}/public/markets`, { key: other })).status).toBe(200);
    for (const id of ['1', '9', 'abc']) {
      const unknown = await service.call('delete', `${OPS}/keys/${id}`);
      expect([unknown.status, unknown.body]).toEqual([
        404,
        expect.objectContaining({ code: 'KEY_NOT_FOUND' }),
      ]);
    }
  });

  it('audit the books', async () => {
    await service.fund(owner, 10);
    const response = await get('/audit');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ ok: true, differences: [] });
  });

  it('get JSON for unknown paths, without rate-limit headers', async () => {
    const response = await get('/nothing');
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ code: 'NOT_FOUND' });
    expect(response.headers['x-ratelimit-limit']).toBeUndefined();
  });
});
