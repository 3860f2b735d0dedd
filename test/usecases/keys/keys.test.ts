import { SiweMessage } from 'siwe';
import { hashApiKey, isWellFormedApiKey } from '../../../src/crypto/api-key';
import { SCOPES, type ChallengeAction } from '../../../src/domain/types';
import { testWallet } from '../../../testing';
import { issueChallenge } from '../../../src/usecases/keys/issue-challenge';
import { issueKey } from '../../../src/usecases/keys/issue-key';
import { listKeys } from '../../../src/usecases/keys/list-keys';
import { regenerateKey } from '../../../src/usecases/keys/regenerate-key';
import { revokeKey } from '../../../src/usecases/keys/revoke-key';
import { updateKey } from '../../../src/usecases/keys/update-key';
import {
  addressOf,
  createKeyWorld,
  NO_KEY,
  OTHER_SIGNER,
  outcomeOf,
  STALE,
  STORAGES,
  UNVERIFIED,
  type KeyWorld,
} from './support';

const alice = testWallet('alice');
const mallory = testWallet('mallory');
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const noTerms = { label: null, scopes: null };

let world: KeyWorld;
afterEach(() => world.close());

describe.each(STORAGES)('keys on %s', (...storage) => {
  beforeEach(async () => {
    world = await createKeyWorld(storage, { keyRateLimit: 90 });
  });

  const tryToken = async (change: object = {}): Promise<string> =>
    outcomeOf(issueKey(world.context, { ...(await world.sign(alice, 'issue')), ...noTerms, ...change }));

  it('are issued with what was asked for', async () => {
    const signed = await world.sign(alice, 'issue');
    const view = await issueKey(world.context, { ...signed, label: 'bot', scopes: ['markets:read'] });
    expect(view).toMatchObject({
      label: 'bot',
      scopes: ['markets:read'],
      rateLimit: 90,
      createdAt: new Date(world.clock.now()).toISOString(),
    });
    expect(isWellFormedApiKey(view.apiKey)).toBe(true);
    expect(view.prefix).toBe(`${view.apiKey.slice(0, 8)}…`);
    const found = await world.context.storage.read((reader) =>
      reader.apiKeys.findActiveByHashes([hashApiKey(view.apiKey)]),
    );
    expect(found).toMatchObject([{ id: view.id, wallet: addressOf(alice), lastUsedAt: null }]);
  });

  it('get every scope unless fewer are named', async () => {
    expect((await world.issue(alice)).scopes).toEqual([...SCOPES]);
  });

  it('are listed oldest first, without the raw key and its hash', async () => {
    const [one, two] = [await world.issue(alice, 'one'), await world.issue(alice)];
    await world.issue(mallory);
    const { keys } = await listKeys(world.context, { address: addressOf(alice) });
    expect(keys).toEqual([
      {
        id: one.id,
        prefix: one.prefix,
        label: 'one',
        rateLimit: 90,
        scopes: [...SCOPES],
        createdAt: one.createdAt,
        lastUsedAt: null,
      },
      expect.objectContaining({ id: two.id, label: null }),
    ]);
  });

  it('are judged in the order nonce, signature, signer', async () => {
    const other = (await world.sign(mallory, 'issue')).signature;
    expect(await tryToken()).toBe('done');
    expect(await tryToken({ nonce: 'ab'.repeat(24), signature: 'x' })).toBe(STALE);
    expect(await tryToken({ message: 'something else', signature: other })).toBe(UNVERIFIED);
    const body = await world.sign(alice, 'issue');
    const signature = mallory.signMessageSync(body.message);
    expect(await tryToken({ ...body, signature })).toBe(OTHER_SIGNER);
  });

  it.each(['', 'x', '0x', 'AB'.repeat(24), `${'ab'.repeat(24)}\n`, '\u0000'.repeat(48)])(
    'are refused for the nonce %j without a look-up',
    async (nonce) => {
      expect(await tryToken({ nonce })).toBe(STALE);
    },
  );

  it('take signatures of 65 bytes with any usual v and low s, and no others', async () => {
    const forms: [string, (r: string, s: bigint, odd: boolean) => string][] = [
      ['done', (r, s, odd) => `0x${r}${hex(s)}${odd ? '1c' : '1b'}`],
      ['done', (r, s, odd) => `0x${r}${hex(s)}${odd ? '01' : '00'}`],
      [UNVERIFIED, (r, s, odd) => `0x${r}${hex(ORDER - s)}${odd ? '1b' : '1c'}`],
      [UNVERIFIED, (r, s, odd) => `${r}${hex(s)}${odd ? '1c' : '1b'}`],
      [UNVERIFIED, (r, s) => `0x${r}${hex(s)}`],
      [UNVERIFIED, () => `0x${'00'.repeat(65)}`],
      [UNVERIFIED, () => 'please'],
    ];
    for (const [expected, form] of forms) {
      const { signature, ...rest } = await world.sign(alice, 'issue');
      const [r, s] = [signature.slice(2, 66), BigInt(`0x${signature.slice(66, 130)}`)];
      expect(await tryToken({ ...rest, signature: form(r, s, signature.endsWith('1c')) })).toBe(expected);
    }
  });

  it('are refused for the challenge of another wallet or another action', async () => {
    const ofMallory = await world.sign(mallory, 'issue');
    expect(await tryToken({ ...ofMallory, address: addressOf(alice) })).toBe(STALE);
    expect(await tryToken(ofMallory)).toBe(STALE);
    for (const action of ['apply', 'revoke', 'regenerate'] as const) {
      const keyId = action === 'apply' ? null : 1;
      expect(await tryToken(await world.sign(alice, action, { keyId }))).toBe(STALE);
    }
  });

  it('take a challenge until it expires, by our clock', async () => {
    const early = await world.sign(alice, 'issue');
    const late = await world.sign(alice, 'issue');
    world.clock.advance(299_999);
    expect(await tryToken(early)).toBe('done');
    world.clock.advance(1);
    expect(await tryToken(late)).toBe(STALE);
  });

  it('use a nonce up with every attempt', async () => {
    const body = await world.sign(alice, 'issue');
    expect(await tryToken({ ...body, signature: '0x12' })).toBe(UNVERIFIED);
    expect(await tryToken(body)).toBe(STALE);
    const of = await world.sign(alice, 'issue');
    expect(await tryToken({ ...of, address: addressOf(mallory) })).toBe(STALE);
    expect(await tryToken(of)).toBe(STALE);
  });

  it('are five a wallet at most, and one has to be revoked before another is issued', async () => {
    for (let count = 0; count < 5; count += 1) await world.issue(alice);
    expect(await tryToken()).toBe(
      'KEY_LIMIT_REACHED: Maximum 5 active API keys per wallet. Revoke or regenerate one first.',
    );
    await world.issue(mallory);
    const { keys } = await listKeys(world.context, { address: addressOf(alice) });
    const id = keys[0]?.id ?? 0;
    await revokeKey(world.context, { ...(await world.sign(alice, 'revoke', { keyId: id })), id });
    expect(await tryToken()).toBe('done');
  });

  it('are revoked by their wallet, once', async () => {
    const { id, prefix } = await world.issue(alice);
    const revoke = async (): Promise<unknown> =>
      revokeKey(world.context, { ...(await world.sign(alice, 'revoke', { keyId: id })), id });
    expect(await revoke()).toEqual({ id, prefix, revokedAt: new Date(world.clock.now()).toISOString() });
    expect((await listKeys(world.context, { address: addressOf(alice) })).keys).toEqual([]);
    expect(await outcomeOf(revoke())).toBe(NO_KEY);
  });

  it('are regenerated with the same label, scopes and rate limit', async () => {
    const signed = await world.sign(alice, 'issue');
    const old = await issueKey(world.context, { ...signed, label: 'bot', scopes: ['account:read'] });
    await updateKey(world.context, { id: old.id, rateLimit: 600 });
    const body = await world.sign(alice, 'regenerate', { keyId: old.id });
    const fresh = await regenerateKey(world.context, { ...body, id: old.id });
    expect(fresh).toMatchObject({ label: 'bot', scopes: ['account:read'], rateLimit: 600 });
    expect(fresh.apiKey).not.toBe(old.apiKey);
    const { keys } = await listKeys(world.context, { address: addressOf(alice) });
    expect(keys.map((key) => key.id)).toEqual([fresh.id]);
  });

  describe.each([
    ['revoke', revokeKey],
    ['regenerate', regenerateKey],
  ] as [ChallengeAction, typeof revokeKey | typeof regenerateKey][])('%s', (action, manage) => {
    const attempt = async (
      keyId: number | null,
      id: number | null,
      change: object = {},
      wallet = alice,
    ): Promise<string> =>
      outcomeOf(manage(world.context, { ...(await world.sign(wallet, action, { keyId })), ...change, id }));

    it('is a 404 for a key that is unknown, of another wallet, or that there cannot be', async () => {
      const { id } = await world.issue(alice);
      expect(await attempt(id + 1, id + 1)).toBe(NO_KEY);
      expect(await attempt(id, id, {}, mallory)).toBe(NO_KEY);
      expect(await attempt(id, null)).toBe(NO_KEY);
      expect(await attempt(null, null)).toBe(NO_KEY);
      expect(await attempt(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).toBe(NO_KEY);
      expect((await listKeys(world.context, { address: addressOf(alice) })).keys).toHaveLength(1);
    });

    it('is a stale nonce for the challenge of another key', async () => {
      const [one, two] = [await world.issue(alice), await world.issue(alice)];
      expect(await attempt(one.id, two.id)).toBe(STALE);
      expect(await attempt(null, two.id)).toBe(STALE);
    });

    it('looks at the signature before it looks for the key', async () => {
      const { id } = await world.issue(alice);
      expect(await attempt(id, null, { signature: '0x12' })).toBe(UNVERIFIED);
      expect(await attempt(99, 99, { signature: '0x12' })).toBe(UNVERIFIED);
    });
  });

  it('are changed by operators while they are active', async () => {
    const { id } = await world.issue(alice);
    expect(await updateKey(world.context, { id, scopes: ['markets:read'] })).toMatchObject({
      id,
      rateLimit: 90,
      scopes: ['markets:read'],
    });
    await revokeKey(world.context, { ...(await world.sign(alice, 'revoke', { keyId: id })), id });
    expect(await outcomeOf(updateKey(world.context, { id, rateLimit: 5 }))).toMatch(/^KEY_NOT_FOUND/);
  });
});

describe('challenges', () => {
  beforeEach(async () => {
    world = await createKeyWorld(STORAGES[0] as (typeof STORAGES)[number], {
      baseUrl: 'https://market.example/app',
      serviceName: 'Odds "&" Ends {1}',
      network: 'eip155:84532',
      challengeTtlSeconds: 60,
    });
  });

  it('in text have a title and exactly four lines', async () => {
    const challenge = await issueChallenge(world.context, {
      address: addressOf(alice),
      action: 'revoke',
      keyId: 7,
      format: 'text',
    });
    expect(challenge.nonce).toMatch(/^[0-9a-f]{48}$/);
    expect(challenge.expiresAt).toBe(new Date(world.clock.now() + 60_000).toISOString());
    expect(challenge.message.split('\n')).toEqual([
      'Odds "&" Ends {1} (https://market.example/app)',
      'Action: revoke',
      `Address: ${alice.address}`,
      `Nonce: ${challenge.nonce}`,
      `Timestamp: ${world.clock.now() / 1000}`,
    ]);
  });

  it('in EIP-4361 say where, for what, and until when', async () => {
    const { message, nonce } = await world.sign(alice, 'regenerate', { keyId: 7, format: 'siwe' });
    const parsed = new SiweMessage(message);
    expect(parsed).toMatchObject({
      domain: 'market.example',
      address: alice.address,
      uri: 'https://market.example/app',
      version: '1',
      chainId: 84532,
      nonce,
      issuedAt: new Date(world.clock.now()).toISOString(),
      expirationTime: new Date(world.clock.now() + 60_000).toISOString(),
    });
    expect(parsed.statement).toMatch(/\(key 7\).*Action: regenerate/);
  });

  it('in EIP-4361 are as good as in text', async () => {
    const issue = (body: object): Promise<string> =>
      outcomeOf(issueKey(world.context, { ...noTerms, ...body } as Parameters<typeof issueKey>[1]));
    const siwe = { format: 'siwe' } as const;
    const good = await world.sign(alice, 'issue', siwe);
    expect(await issue(good)).toBe('done');
    expect(await issue(good)).toBe(STALE);
    const zero = await world.sign(alice, 'issue', siwe);
    const v = zero.signature.endsWith('1b') ? '00' : '01';
    expect(await issue({ ...zero, signature: zero.signature.slice(0, -2) + v })).toBe('done');
    const changed = await world.sign(alice, 'issue', siwe);
    const message = changed.message.replace('market.example', 'evil.example');
    expect(await issue({ ...changed, message, signature: alice.signMessageSync(message) })).toBe(UNVERIFIED);
    const stolen = await world.sign(alice, 'issue', siwe);
    expect(await issue({ ...stolen, signature: mallory.signMessageSync(stolen.message) })).toBe(OTHER_SIGNER);
    const late = await world.sign(alice, 'issue', siwe);
    world.clock.advance(60_000);
    expect(await issue(late)).toBe(STALE);
  });

  it.each(['http://localhost:3000', 'http://[::1]:3000/x', 'https://münchen.example/ä b'])(
    'in EIP-4361 can name %s',
    async (baseUrl) => {
      const other = await createKeyWorld(STORAGES[0] as (typeof STORAGES)[number], { baseUrl });
      const body = await other.sign(alice, 'issue', { format: 'siwe' });
      expect(await outcomeOf(issueKey(other.context, { ...body, ...noTerms }))).toBe('done');
      await other.close();
    },
  );
});

function hex(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
