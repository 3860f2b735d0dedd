import { describe, expect, it } from '@jest/globals';
import { memoryStorage } from '../../adapters/storage/memory';
import { silentLogger } from '../../src/ports/logger';
import type { Storage, Transaction } from '../../src/ports/storage';
import {
  addMarket,
  ALICE,
  NOW,
  sampleMarket,
  sampleRecord,
  walletOf,
} from '../../testing/storage-conformance/samples';

async function opened(): Promise<Storage> {
  const storage = memoryStorage();
  await storage.open({ logger: silentLogger });
  return storage;
}

describe('memoryStorage', () => {
  it('refuses calls before it is open, and a second opening', async () => {
    const storage = memoryStorage();
    await expect(storage.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    await expect(storage.read((r) => r.events.head())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await storage.open({ logger: silentLogger });
    await expect(storage.open({ logger: silentLogger })).rejects.toThrow('once');
    await storage.close();
    await expect(storage.close()).resolves.toBeUndefined();
    await expect(storage.open({ logger: silentLogger })).rejects.toThrow('once');
  });

  it('finishes the transactions that wait in the queue before it is closed', async () => {
    const storage = await opened();
    const work = (transaction: Transaction): Promise<void> =>
      transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW);
    const queued = Promise.all([
      storage.transaction(work),
      storage.transaction(work),
      storage.transaction(work),
    ]);
    await storage.close();
    await expect(queued).resolves.toHaveLength(3);
  });

  it('refuses what is done with a transaction after its end', async () => {
    const storage = await opened();
    let leaked: Transaction | null = null;
    await storage.transaction(async (transaction) => {
      leaked = transaction;
    });
    const late = leaked as Transaction | null;
    await expect(late?.settings.putIfAbsent('late', 'write')).rejects.toThrow('has ended');
    expect(await storage.read((r) => r.settings.get('late'))).toBeNull();
  });

  it('does not commit half of a work that swallows a conflict', async () => {
    const storage = await opened();
    await storage.transaction((transaction) => transaction.idempotency.insert([sampleRecord('taken')]));
    let runs = 0;
    const work = async (transaction: Transaction): Promise<void> => {
      runs += 1;
      await transaction.settings.putIfAbsent('half', 'written');
      await transaction.idempotency.insert([sampleRecord('taken')]).catch(() => undefined);
    };
    await expect(storage.transaction(work)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(runs).toBe(5);
    expect(await storage.read((r) => r.settings.get('half'))).toBeNull();
  });

  it('keeps pools off the accounts, and takes one change for each account', async () => {
    const storage = await opened();
    const apply = (...changes: Parameters<Transaction['accounts']['apply']>[0][number][]): Promise<void> =>
      storage.transaction((transaction) => transaction.accounts.apply(changes, NOW));
    await expect(apply({ id: 'market:1', balance: 1n })).rejects.toThrow('lives on its market');
    const change = { id: walletOf(ALICE), balance: 1n };
    await expect(apply(change, change)).rejects.toThrow('one change an account');
  });

  it('refuses to update or insert markets out of order', async () => {
    const storage = await opened();
    const market = await addMarket(storage);
    const twice = storage.transaction((transaction) =>
      transaction.markets.insert({ ...market, slug: 'another' }),
    );
    await expect(twice).rejects.toThrow('exists');
    const unknown = storage.transaction((transaction) => transaction.markets.update([sampleMarket(99)]));
    await expect(unknown).rejects.toThrow('does not exist');
  });

  it('stores no field that a table would not have', async () => {
    const storage = await opened();
    const market = await addMarket(storage);
    const [record] = await storage.read((r) => r.markets.findByIds([market.id]));
    if (record === undefined) throw new Error('the market is gone');
    await storage.transaction((transaction) => transaction.markets.update([{ ...record, volume: 3n }]));
    const [locked] = await storage.transaction((transaction) => transaction.markets.lock([market.id]));
    expect(locked).toStrictEqual({ ...market, volume: 3n });
  });
});
