import { testWallet } from '../../../testing/test-wallets';
import { atOnce, ofStatus, tally } from './many';
import type { IssuedKey, RaceWorld } from './world';

interface KeyList {
  data: { keys: { id: number }[] };
}

export function keyRaces(world: () => RaceWorld): void {
  const keysOf = async (address: string): Promise<number[]> => {
    const { data } = await world().must<KeyList>(200, 'GET', `/auth/keys?address=${address}`);
    return data.keys.map(({ id }) => id);
  };

  it('one of 50 requests uses a nonce', async () => {
    const wallet = testWallet('nonce');
    const body = await world().signed(wallet, 'issue');
    const answers = await atOnce(50, () => world().call<object>('POST', '/auth/token', { body }));
    expect(tally(answers)).toEqual({ '201': 1, '400 INVALID_NONCE': 49 });
    expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({
      success: false,
      error: 'Nonce invalid, expired, or already used. Request a fresh challenge.',
    });
    expect(await keysOf(wallet.address)).toHaveLength(1);
  });

  it('20 requests for keys give five keys', async () => {
    const wallet = testWallet('cap');
    const bodies = await atOnce(20, () => world().signed(wallet, 'issue'));
    const answers = await atOnce(20, (index) =>
      world().call<object>('POST', '/auth/token', { body: bodies[index] }),
    );
    expect(tally(answers)).toEqual({ '201': 5, '400 KEY_LIMIT_REACHED': 15 });
    expect(await keysOf(wallet.address)).toHaveLength(5);
  });

  it('20 signed calls regenerate a key once', async () => {
    const wallet = testWallet('regenerate');
    const old = await world().issueKey(wallet);
    const bodies = await atOnce(20, () => world().signed(wallet, 'regenerate', old.id));
    const answers = await atOnce(20, (index) =>
      world().call<{ data: IssuedKey }>('POST', `/auth/keys/${old.id}/regenerate`, { body: bodies[index] }),
    );
    expect(tally(answers)).toEqual({ '201': 1, '404 KEY_NOT_FOUND': 19 });
    const fresh = ofStatus(answers, 201)[0]?.body.data;
    expect(await keysOf(wallet.address)).toEqual([fresh?.id]);
    expect((await world().call('GET', '/public/balance', { key: old.apiKey })).status).toBe(401);
    expect((await world().call('GET', '/public/balance', { key: fresh?.apiKey ?? '' })).status).toBe(200);
  });

  it('ten calls to revoke and ten to regenerate a key do one of both, once', async () => {
    const wallet = testWallet('either');
    const { id } = await world().issueKey(wallet);
    const actions = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'revoke' : 'regenerate'));
    const bodies = await Promise.all(actions.map((action) => world().signed(wallet, action, id)));
    const answers = await atOnce(20, (index) =>
      world().call<object>('POST', `/auth/keys/${id}/${actions[index] ?? ''}`, { body: bodies[index] }),
    );
    const { '404 KEY_NOT_FOUND': refused, ...succeeded } = tally(answers);
    expect(refused).toBe(19);
    expect(await keysOf(wallet.address)).toHaveLength('201' in succeeded ? 1 : 0);
  });

  it('five keys are the cap for issues and regenerations together', async () => {
    const wallet = testWallet('cap of both');
    const first = await world().issueKey(wallet);
    const issues = await atOnce(10, () => world().signed(wallet, 'issue'));
    const replacement = await world().signed(wallet, 'regenerate', first.id);
    const [regenerated, ...issued] = await Promise.all([
      world().call<object>('POST', `/auth/keys/${first.id}/regenerate`, { body: replacement }),
      ...issues.map((body) => world().call<object>('POST', '/auth/token', { body })),
    ]);
    expect(regenerated?.status).toBe(201);
    expect(tally(issued)).toEqual({ '201': 4, '400 KEY_LIMIT_REACHED': 6 });
    expect(await keysOf(wallet.address)).toHaveLength(5);
  });

  it('no request that is sent after the answer to a revocation is let in', async () => {
    const wallet = testWallet('revoke');
    const { id, apiKey: key } = await world().issueKey(wallet);
    const body = await world().signed(wallet, 'revoke', id);
    const use = () => world().call('GET', '/public/balance', { key });
    const before = atOnce(30, use);
    const revoked = world().call('POST', `/auth/keys/${id}/revoke`, { body });
    const during = atOnce(30, use);
    expect((await revoked).status).toBe(200);
    const after = await atOnce(30, use);
    expect(tally(after)).toEqual({ '401 UNAUTHORIZED': 30 });
    // The race decides how many requests were served. The others get the refusal of a revoked key.
    const { '200': served = 0, '401 UNAUTHORIZED': refused = 0 } = tally([
      ...(await before),
      ...(await during),
    ]);
    expect(served + refused).toBe(60);
  });
}
