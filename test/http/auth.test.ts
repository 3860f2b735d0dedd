import type { Response } from 'supertest';
import { API, START, startService, wallet, type Service } from './support/service';
import type { SignedChallenge } from '../support/sign-challenge';

const INVALID_NONCE = 'Nonce invalid, expired, or already used. Request a fresh challenge.';
const alice = wallet(101);
const mallory = wallet(102);

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

function post(path: string, body: unknown, from?: string): Promise<Response> {
  return service.call('post', API + path, from === undefined ? { body } : { body, from });
}

function expectAuthError(response: Response, status: number, code: string, error: string): void {
  expect(response.status).toBe(status);
  expect(response.body).toEqual({ success: false, error, code });
}

describe('POST /auth/challenge', () => {
  it('gives a message with a title and the four lines', async () => {
    const response = await post('/auth/challenge', { address: alice.address.toLowerCase(), action: 'issue' });
    expect(response.status).toBe(200);
    const { success, data } = response.body as { success: boolean; data: Record<string, string> };
    expect(success).toBe(true);
    expect(Object.keys(data).sort()).toEqual(['expiresAt', 'message', 'nonce']);
    expect(data.nonce).toMatch(/^[0-9a-f]{48}$/);
    expect(data.expiresAt).toBe(new Date(START + 300_000).toISOString());
    const lines = String(data.message).split('\n');
    expect(lines[0]).not.toBe('');
    for (const line of [
      'Action: issue',
      `Address: ${alice.address}`,
      `Nonce: ${String(data.nonce)}`,
      `Timestamp: ${String(START / 1000)}`,
    ]) {
      expect(lines).toContain(line);
    }
  });
});

describe('POST /auth/token', () => {
  it('issues a key that works, once for each challenge', async () => {
    const body = { ...(await service.signed(alice, 'issue')), label: 'bot' };
    const response = await post('/auth/token', body);
    expect(response.status).toBe(201);
    const { data } = response.body as { data: Record<string, unknown> };
    expect(data).toMatchObject({ label: 'bot', rateLimit: 60, createdAt: new Date(START).toISOString() });
    expect(data.apiKey).toMatch(/^pmk_[0-9A-Za-z]{36}$/);
    expect((await service.call('get', `${API}/public/balance`, { key: String(data.apiKey) })).status).toBe(
      200,
    );
    expectAuthError(await post('/auth/token', body), 400, 'INVALID_NONCE', INVALID_NONCE);
  });

  it.each(['address', 'message', 'signature', 'nonce'] as const)('needs %s', async (field) => {
    const text = 'address, signature, message, and nonce are required';
    const { [field]: _left, ...rest } = await service.signed(alice, 'issue');
    expectAuthError(await post('/auth/token', rest), 400, 'VALIDATION_ERROR', text);
    expectAuthError(await post('/auth/token', { ...rest, [field]: '' }), 400, 'VALIDATION_ERROR', text);
  });

  it('refuses a nonce that is unknown, stale, of another wallet or another action', async () => {
    const body = await service.signed(alice, 'issue');
    const wrong: SignedChallenge[] = [
      { ...body, nonce: 'ab'.repeat(24) },
      { ...(await service.signed(alice, 'issue')), address: mallory.address },
      await service.signed(alice, 'apply'),
    ];
    for (const each of wrong)
      expectAuthError(await post('/auth/token', each), 400, 'INVALID_NONCE', INVALID_NONCE);
    service.clock.advance(300_001);
    expectAuthError(await post('/auth/token', body), 400, 'INVALID_NONCE', INVALID_NONCE);
  });

  it('refuses a signature that does not verify, and one of another signer', async () => {
    const broken = { ...(await service.signed(alice, 'issue')), signature: '0x1234' };
    expectAuthError(await post('/auth/token', broken), 401, 'INVALID_SIGNATURE', 'Invalid signature');
    const body = await service.signed(alice, 'issue');
    const other = { ...body, signature: await mallory.signMessage(body.message) };
    expectAuthError(
      await post('/auth/token', other),
      401,
      'INVALID_SIGNATURE',
      'Signature does not match address',
    );
    expectAuthError(await post('/auth/token', body), 400, 'INVALID_NONCE', INVALID_NONCE);
  });

  it('issues five keys to a wallet and no sixth', async () => {
    for (let count = 0; count < 5; count += 1) await service.issueKey(alice);
    const response = await post('/auth/token', await service.signed(alice, 'issue'));
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ success: false, code: 'KEY_LIMIT_REACHED' });
    expect((response.body as { error: string }).error).toMatch(/^Maximum 5 active API keys per wallet/);
  });
});

describe('the keys of a wallet', () => {
  it('are listed without the raw keys', async () => {
    const key = await service.issueKey(alice, { label: 'one', scopes: ['markets:read'] });
    const response = await service.call('get', `${API}/auth/keys?address=${alice.address}`);
    expect(response.status).toBe(200);
    expect(response.text).not.toContain(key);
    expect(response.body).toMatchObject({
      success: true,
      data: { keys: [{ id: 1, label: 'one', scopes: ['markets:read'], lastUsedAt: null, rateLimit: 60 }] },
    });
  });

  it('are revoked at once', async () => {
    const key = await service.issueKey(alice);
    const response = await post('/auth/keys/1/revoke', await service.signed(alice, 'revoke', { keyId: 1 }));
    expect(response.status).toBe(200);
    const refused = await service.call('get', `${API}/public/markets`, { key });
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject({ error: 'Invalid or missing API key.', code: 'UNAUTHORIZED' });
  });

  it('are replaced when they are regenerated', async () => {
    const key = await service.issueKey(alice, { label: 'mine', scopes: ['markets:read'] });
    const response = await post(
      '/auth/keys/1/regenerate',
      await service.signed(alice, 'regenerate', { keyId: 1 }),
    );
    expect(response.status).toBe(201);
    const { data } = response.body as { data: { apiKey: string } };
    expect(data).toMatchObject({ label: 'mine', scopes: ['markets:read'] });
    expect((await service.call('get', `${API}/public/markets`, { key })).status).toBe(401);
    expect((await service.call('get', `${API}/public/markets`, { key: data.apiKey })).status).toBe(200);
  });

  it.each(['7', 'abc', '0', '-1', '1.5', '99999999999999999999', '9007199254740993'])(
    'answer 404 for the key id %s',
    async (id) => {
      for (const action of ['revoke', 'regenerate']) {
        const keyId = id === '7' ? 7 : 1;
        const body = await service.signed(alice, action, { keyId });
        const response = await post(`/auth/keys/${id}/${action}`, body);
        expectAuthError(response, 404, 'KEY_NOT_FOUND', 'Key not found or not owned by this wallet');
      }
    },
  );

  it('answer 404 to another wallet', async () => {
    await service.issueKey(alice);
    const body = await service.signed(mallory, 'revoke', { keyId: 1 });
    const response = await post('/auth/keys/1/revoke', body);
    expectAuthError(response, 404, 'KEY_NOT_FOUND', 'Key not found or not owned by this wallet');
  });
});

describe('creators', () => {
  it('apply with a signature and are approved by an operator', async () => {
    const status = (): Promise<Response> =>
      service.call('get', `${API}/creator/status?address=${alice.address}`);
    expect((await status()).body).toEqual({
      address: alice.address,
      status: 'none',
      appliedAt: null,
      approvedAt: null,
      rejectedReason: null,
    });
    const body = { ...(await service.signed(alice, 'apply')), displayName: 'Alice' };
    const applied = await post('/creator/apply', body);
    expect(applied.status).toBe(200);
    expect(applied.body).toMatchObject({ address: alice.address, status: 'pending' });
    await service.approve(alice);
    expect((await status()).body).toMatchObject({
      status: 'approved',
      approvedAt: new Date(START).toISOString(),
    });
  });

  it('get errors in the public form', async () => {
    const body = { ...(await service.signed(alice, 'apply')), signature: '0x' };
    const response = await post('/creator/apply', body);
    expect(response.status).toBe(401);
    expect(response.body).toEqual({
      error: 'Invalid signature',
      code: 'INVALID_SIGNATURE',
      message: 'Invalid signature',
    });
  });
});
