import { serviceUnavailable } from '../../../src/domain/errors';
import type { Logger } from '../../../src/ports/logger';
import type { Storage } from '../../../src/ports/storage';
import { testWallet } from '../../../testing';
import { createKeyAuthenticator, type KeyAuthenticator } from '../../../src/usecases/keys/key-authenticator';
import { listKeys } from '../../../src/usecases/keys/list-keys';
import { revokeKey } from '../../../src/usecases/keys/revoke-key';
import { addressOf, createKeyWorld, STORAGES, type KeyWorld } from './support';

const alice = testWallet('alice');

let world: KeyWorld;
let keys: KeyAuthenticator;
let counts: { reads: number; writes: number };
let writesFail: boolean;
let warnings: object[];

beforeEach(async () => {
  world = await createKeyWorld(STORAGES[0] as (typeof STORAGES)[number]);
  counts = { reads: 0, writes: 0 };
  writesFail = false;
  warnings = [];
  const logger: Logger = { ...world.context.logger, warn: (fields) => void warnings.push(fields) };
  keys = createKeyAuthenticator({ ...world.context, storage: watched(world.context.storage), logger });
});
afterEach(() => world.close());

function watched(storage: Storage): Storage {
  return {
    ...storage,
    read: (work) => {
      counts.reads += 1;
      return storage.read(work);
    },
    transaction: (work) => {
      counts.writes += 1;
      return writesFail ? Promise.reject(serviceUnavailable('away')) : storage.transaction(work);
    },
  };
}

async function lastUsedAt(): Promise<string | null> {
  const { keys: listed } = await listKeys(world.context, { address: addressOf(alice) });
  return listed[0]?.lastUsedAt ?? null;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const instant = (): string => new Date(world.clock.now()).toISOString();

describe('the authenticator', () => {
  it('knows an active key by its raw text', async () => {
    const { id, apiKey } = await world.issue(alice);
    expect(await keys.authenticate(apiKey)).toMatchObject({ id, wallet: addressOf(alice) });
  });

  it.each([undefined, '', 'pmk_', 'Bearer x', `pmk_${'0'.repeat(36)}`, '\u0000'])(
    'refuses %j without a look-up',
    async (raw) => {
      expect(await keys.authenticate(raw)).toBeNull();
      expect(counts).toEqual({ reads: 0, writes: 0 });
    },
  );

  it('refuses a key with one character changed, without a look-up', async () => {
    const { apiKey } = await world.issue(alice);
    const other = apiKey.endsWith('0') ? '1' : '0';
    expect(await keys.authenticate(apiKey.slice(0, -1) + other)).toBeNull();
    expect(counts.reads).toBe(0);
  });

  it('refuses a revoked key from the answer to the revocation on', async () => {
    const { id, apiKey } = await world.issue(alice);
    expect(await keys.authenticate(apiKey)).not.toBeNull();
    await revokeKey(world.context, { ...(await world.sign(alice, 'revoke', { keyId: id })), id });
    expect(await keys.authenticate(apiKey)).toBeNull();
  });

  it('looks up once what arrives together, and again what arrives later', async () => {
    const issued = [await world.issue(alice), await world.issue(alice)];
    const raws = Array.from({ length: 40 }, (_, index) => issued[index % 2]?.apiKey);
    const found = await Promise.all(raws.map((raw) => keys.authenticate(raw)));
    expect(new Set(found.map((key) => key?.id))).toEqual(new Set(issued.map((key) => key.id)));
    expect(counts).toEqual({ reads: 1, writes: 1 });
    await keys.authenticate(raws[0]);
    expect(counts.reads).toBe(2);
  });

  it('passes on that the storage is away', async () => {
    const { apiKey } = await world.issue(alice);
    await world.context.storage.close();
    await expect(keys.authenticate(apiKey)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('the last use of a key', () => {
  it('is there after the first use, and moves by the minute', async () => {
    const { apiKey } = await world.issue(alice);
    await keys.authenticate(apiKey);
    const first = instant();
    expect(await lastUsedAt()).toBe(first);

    world.clock.advance(59_999);
    await keys.authenticate(apiKey);
    expect(counts.writes).toBe(1);
    expect(await lastUsedAt()).toBe(first);

    world.clock.advance(1);
    await keys.authenticate(apiKey);
    await keys.authenticate(apiKey);
    await nextTurn();
    expect(counts.writes).toBe(2);
    expect(await lastUsedAt()).toBe(instant());
  });

  it('is written a minute later when it could not be written, and no key is refused meanwhile', async () => {
    const { apiKey } = await world.issue(alice);
    writesFail = true;
    for (let use = 0; use < 10; use += 1) expect(await keys.authenticate(apiKey)).not.toBeNull();
    expect(warnings).toHaveLength(1);
    writesFail = false;
    world.clock.advance(60_000);
    await keys.authenticate(apiKey);
    expect(await lastUsedAt()).toBe(instant());
  });

  it('is written every minute in which the key is used', async () => {
    const { apiKey } = await world.issue(alice);
    for (let minute = 0; minute < 5; minute += 1) {
      await keys.authenticate(apiKey);
      await nextTurn();
      world.clock.advance(60_000);
    }
    expect(counts.writes).toBe(5);
  });
});
