import { sqliteStorage } from '../../adapters/storage/sqlite';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import { EPOCH_SETTING } from '../../src/usecases/facts/read-facts';
import { sampleConsumer } from '../../testing/storage-conformance/consumer-samples';
import { testClock } from '../../testing/test-clock';
import { IDEMPOTENCY_KEPT_MS, removeOldRows } from '../../src/usecases/remove-old-rows';
import { ALICE, createWorld, type World } from '../usecases/resolution/world';

const EVENTS_KEPT_MS = 7 * 24 * 3_600_000;
const RETENTION = { eventRetentionMs: EVENTS_KEPT_MS, consumerRetentionMs: 30 * 24 * 3_600_000 };

const OWNER = { owner: 'one' };
const FACT = { marketId: null, marketSeq: null, kind: 'a fact', data: {} };

async function addChallenges(world: World, count: number, expiresAt: number): Promise<void> {
  await world.storage.transaction(async (tx) => {
    for (let made = 0; made < count; made += 1) {
      await tx.challenges.insert({
        nonce: `${expiresAt}-${made}`,
        address: ALICE,
        action: 'issue',
        keyId: null,
        format: 'text',
        message: '',
        issuedAt: 0,
        expiresAt,
      });
    }
  });
}

async function addIdempotencyRecord(world: World, key: string, createdAt: number): Promise<void> {
  const record = { wallet: ALICE, key, requestHash: '', answer: '{}', createdAt };
  await world.storage.transaction((tx) => tx.idempotency.insert([record]));
}

async function keptKeys(world: World, keys: string[]): Promise<string[]> {
  const found = await world.storage.transaction((tx) =>
    tx.idempotency.find(keys.map((key) => ({ wallet: ALICE, key }))),
  );
  return found.map(({ key }) => key);
}

async function startEvents(storage: Storage): Promise<void> {
  await storage.transaction((transaction) => transaction.settings.putIfAbsent(EPOCH_SETTING, 'epoch-1'));
}

async function addConsumer(world: World, name: string, seq: number, epoch = 'epoch-1'): Promise<void> {
  const consumer = sampleConsumer(name, { seq, epoch });
  await world.storage.transaction((transaction) => transaction.consumers.insert(consumer));
}

describe('the pruning', () => {
  it('removes what no request needs any more, and nothing younger', async () => {
    const world = await createWorld();
    const now = world.clock.now();
    await addChallenges(world, 2, now - 1);
    await addChallenges(world, 1, now);
    await addIdempotencyRecord(world, 'old', now - IDEMPOTENCY_KEPT_MS - 1);
    await addIdempotencyRecord(world, 'kept', now - IDEMPOTENCY_KEPT_MS);
    expect(await removeOldRows(world.context, OWNER)).toEqual({
      challenges: 2,
      idempotencyRecords: 1,
      events: 0,
      rejectedPayments: 0,
      more: false,
    });
    expect(await keptKeys(world, ['old', 'kept'])).toEqual(['kept']);
  });

  it('removes events after a week, except the newest', async () => {
    const world = await createWorld();
    await world.open('First?');
    await world.open('Second?');
    world.clock.advance(EVENTS_KEPT_MS);
    expect((await removeOldRows(world.context, OWNER)).events).toBe(0);
    world.clock.advance(1);
    expect((await removeOldRows(world.context, OWNER)).events).toBe(1);
    const rows = await world.storage.read((reader) => reader.events.after(0, 10));
    expect(rows.map(({ seq }) => seq)).toEqual([2]);
  });

  it('keeps the events that a consumer has not handled, for thirty days', async () => {
    const world = await createWorld();
    await startEvents(world.storage);
    for (const question of ['First?', 'Second?', 'Third?', 'Fourth?']) await world.open(question);
    await addConsumer(world, 'books', 2);
    await addConsumer(world, 'ahead', 4);
    await addConsumer(world, 'of-another-epoch', 0, 'another');
    world.clock.advance(EVENTS_KEPT_MS + 1);
    expect((await removeOldRows(world.context, OWNER)).events).toBe(2);
    expect((await removeOldRows(world.context, OWNER)).events).toBe(0);
    await world.storage.transaction((transaction) => transaction.consumers.remove('books'));
    expect((await removeOldRows(world.context, OWNER)).events).toBe(1);

    await world.open('Fifth?');
    await addConsumer(world, 'forgotten', 4);
    await world.open('Sixth?');
    world.clock.advance(30 * 24 * 3_600_000 + 1);
    expect((await removeOldRows(world.context, OWNER)).events).toBe(2);
    const rows = await world.storage.read((reader) => reader.events.after(0, 10));
    expect(rows.map(({ seq }) => seq)).toEqual([6]);
  });

  it('removes rows in portions, and says when more may be left', async () => {
    const world = await createWorld();
    await addChallenges(world, 501, world.clock.now() - 1);
    expect(await removeOldRows(world.context, OWNER)).toMatchObject({ challenges: 500, more: true });
    expect(await removeOldRows(world.context, OWNER)).toMatchObject({ challenges: 1, more: false });
  });

  it('goes on after a portion that ended within the events of a batch', async () => {
    const storage = sqliteStorage({ file: ':memory:' });
    await storage.open({ logger: silentLogger });
    const context = { storage, clock: testClock(EVENTS_KEPT_MS + 2), config: RETENTION };
    const facts = Array.from({ length: 1_000 }, () => ({ ...FACT, createdAt: 1 }));
    await storage.transaction((tx) =>
      tx.events.append([...facts, { ...FACT, createdAt: context.clock.now() }]),
    );
    const first = await removeOldRows(context, OWNER);
    expect(first.more).toBe(true);
    const second = await removeOldRows(context, OWNER);
    expect([first.events + second.events, second.more]).toEqual([1_000, false]);
    await storage.close();
  });

  it('is left to the instance that holds the lease, until that lease ends', async () => {
    const world = await createWorld();
    await removeOldRows(world.context, OWNER);
    await addChallenges(world, 1, world.clock.now() - 1);
    expect(await removeOldRows(world.context, { owner: 'two' })).toMatchObject({
      challenges: 0,
      more: false,
    });
    world.clock.advance(60_000);
    expect((await removeOldRows(world.context, { owner: 'two' })).challenges).toBe(1);
  });
});
