import { testWallet, testWallets } from '../../../testing';
import { issueKey } from '../../../src/usecases/keys/issue-key';
import { listKeys } from '../../../src/usecases/keys/list-keys';
import { regenerateKey } from '../../../src/usecases/keys/regenerate-key';
import { revokeKey } from '../../../src/usecases/keys/revoke-key';
import { addressOf, createKeyWorld, NO_KEY, outcomesOf, STALE, STORAGES, type KeyWorld } from './support';

const alice = testWallet('alice');
const LIMIT = 'KEY_LIMIT_REACHED: Maximum 5 active API keys per wallet. Revoke or regenerate one first.';
const noTerms = { label: null, scopes: null };

let world: KeyWorld;
afterEach(() => world.close());

function together<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

describe.each(STORAGES)('at once, on %s,', (...storage) => {
  beforeEach(async () => {
    world = await createKeyWorld(storage);
  });

  const activeKeys = async (): Promise<number[]> =>
    (await listKeys(world.context, { address: addressOf(alice) })).keys.map((key) => key.id);

  it('fifty copies of one signed call issue one key', async () => {
    const body = await world.sign(alice, 'issue');
    const calls = together(50, () => issueKey(world.context, { ...body, ...noTerms }));
    expect(await outcomesOf(calls)).toEqual({ done: 1, [STALE]: 49 });
    expect(await activeKeys()).toHaveLength(1);
  });

  it('twenty challenges of one wallet issue five keys', async () => {
    const bodies = await Promise.all(together(20, () => world.sign(alice, 'issue')));
    const calls = bodies.map((body) => issueKey(world.context, { ...body, ...noTerms }));
    expect(await outcomesOf(calls)).toEqual({ done: 5, [LIMIT]: 15 });
    expect(await activeKeys()).toHaveLength(5);
  });

  it('wallets do not hold each other up', async () => {
    const bodies = await Promise.all(testWallets(20).map((wallet) => world.sign(wallet, 'issue')));
    const calls = bodies.map((body) => issueKey(world.context, { ...body, ...noTerms }));
    expect(await outcomesOf(calls)).toEqual({ done: 20 });
  });

  it('a key is regenerated once', async () => {
    const { id } = await world.issue(alice);
    const bodies = await Promise.all(together(10, () => world.sign(alice, 'regenerate', { keyId: id })));
    const calls = bodies.map((body) => regenerateKey(world.context, { ...body, id }));
    expect(await outcomesOf(calls)).toEqual({ done: 1, [NO_KEY]: 9 });
    expect(await activeKeys()).toHaveLength(1);
  });

  it('a key is regenerated or revoked, not both', async () => {
    const { id } = await world.issue(alice);
    const bodies = await Promise.all(
      together(10, (index) => world.sign(alice, index % 2 === 0 ? 'revoke' : 'regenerate', { keyId: id })),
    );
    const calls = bodies.map((body, index) =>
      index % 2 === 0
        ? revokeKey(world.context, { ...body, id })
        : regenerateKey(world.context, { ...body, id }),
    );
    expect(await outcomesOf(calls)).toEqual({ done: 1, [NO_KEY]: 9 });
    expect((await activeKeys()).includes(id)).toBe(false);
  });

  it('issuing beside regenerating stays within five', async () => {
    const ids = [];
    for (let count = 0; count < 4; count += 1) ids.push((await world.issue(alice)).id);
    const issues = await Promise.all(together(5, () => world.sign(alice, 'issue')));
    const swaps = await Promise.all(
      ids.map(async (id) => ({ ...(await world.sign(alice, 'regenerate', { keyId: id })), id })),
    );
    const calls = [
      ...swaps.map((body) => regenerateKey(world.context, body)),
      ...issues.map((body) => issueKey(world.context, { ...body, ...noTerms })),
    ];
    expect(await outcomesOf(calls)).toEqual({ done: 5, [LIMIT]: 4 });
    expect(await activeKeys()).toHaveLength(5);
  });
});
