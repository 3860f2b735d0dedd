import type { Storage } from '../../src/ports/storage';
import { atOnce, dawdle, latch, PlantedError, rolledBack, type Suite } from './suite';
import { relay } from './relay';
import {
  addMarket,
  ALICE,
  depositPosting,
  NOW,
  sampleEvent,
  sampleMarket,
  sampleTrade,
  volumeOf,
  walletOf,
} from './samples';
import { balanceOfAlice } from './state';

export function transactionTests(suite: Suite): void {
  suite.describe('transactions', () => {
    wholeTransactionTests(suite);
    independentCallTests(suite);
  });
  isolationTests(suite);
}

function wholeTransactionTests({ test }: Suite): void {
  test('commit all writes and return what work returns', 'atomic', async ({ storage, other, check }) => {
    const answer = await storage.transaction(async (transaction) => {
      await transaction.markets.insert(
        sampleMarket(await transaction.markets.nextId(), { slug: 'together' }),
      );
      await transaction.accounts.apply([{ id: 'treasury', balance: 7n }], NOW);
      return 'done';
    });
    check.equal(answer, 'done');
    for (const handle of [storage, await other()]) {
      check.equal((await handle.read((r) => r.markets.findBySlugs(['together']))).length, 1);
      check.equal((await handle.read((r) => r.accounts.find('treasury')))?.balance, 7n);
    }
  });

  test('see their own writes', 'atomic', async ({ storage, check }) => {
    await storage.transaction(async (transaction) => {
      await transaction.accounts.apply([{ id: walletOf(ALICE), balance: 5n }], NOW);
      await transaction.postings.insert([depositPosting('deposit:own', ALICE, 5n)]);
      check.equal((await transaction.accounts.find(walletOf(ALICE)))?.balance, 5n);
      check.equal((await transaction.postings.find('deposit:own'))?.entries.length, 2);
    });
  });

  test(
    'rethrow the very error that work threw, and so do read and snapshot',
    'atomic',
    async ({ storage, check }) => {
      const planted = new PlantedError('mine');
      const fail = async (): Promise<never> => {
        throw planted;
      };
      check.equal((await check.rejects(storage.transaction(fail))) === planted, true, 'transaction');
      check.equal((await check.rejects(storage.read(fail))) === planted, true, 'read');
      check.equal((await check.rejects(storage.snapshot(fail))) === planted, true, 'snapshot');
      check.equal(await storage.transaction(async () => 'still works'), 'still works');
    },
  );

  test('write nothing at all when a write is rejected', 'atomic', async ({ storage, inspect, check }) => {
    await check.rejects(
      storage.transaction(async (transaction) => {
        await transaction.settings.putIfAbsent('half', 'written');
        await transaction.accounts.apply([{ id: 'treasury', balance: 9n }], NOW);
        await transaction.accounts.apply([{ id: walletOf(ALICE), balance: -1n }], NOW);
      }),
    );
    check.equal(await storage.read((r) => r.settings.get('half')), null);
    check.equal(await storage.read((r) => r.accounts.find('treasury')), null);
    if (inspect !== null) check.equal(await inspect.account('treasury'), null, 'row');
  });
}

function independentCallTests({ test }: Suite): void {
  test('take calls that do not wait for each other', 'atOnce', async ({ storage, check }) => {
    const id = await addMarket(storage).then((market) => market.id);
    const write = (share: bigint) =>
      storage.transaction(async (transaction) => {
        const [market] = await transaction.markets.lock([id]);
        if (market === undefined) throw new Error('the market is gone');
        await Promise.all([
          transaction.markets.update([{ ...market, volume: market.volume + 5n }]),
          transaction.accounts.apply([{ id: 'treasury', balance: 5n }], NOW),
          transaction.postings.insert([depositPosting(`deposit:${share}`, ALICE, 5n)]),
          transaction.accounts.apply([{ id: walletOf(ALICE), balance: share }], NOW),
          transaction.settings.putIfAbsent(`share ${share}`, 'written'),
        ]);
      });
    await check.rejects(write(-1n));
    await write(1n);
    const volume = await storage.read((r) => r.markets.findByIds([id]));
    check.equal(volume[0]?.volume, 5n);
    check.equal((await storage.read((r) => r.accounts.find('treasury')))?.balance, 5n);
    check.equal(await balanceOfAlice(storage), 1n);
    check.equal(await storage.read((r) => r.postings.find('deposit:-1')), null);
    check.equal(await storage.read((r) => r.settings.get('share -1')), null);
  });

  test('keep stored rows out of the reach of callers', 'ownObjects', async ({ storage, check }) => {
    const market = sampleMarket(1, {
      resolution: { outcome: 'YES', resolvedAt: NOW, oracleConsensus: 1, method: 'operator', note: null },
    });
    await storage.transaction(async (transaction) => {
      market.id = await transaction.markets.nextId();
      await transaction.markets.insert(market);
    });
    const { question } = market;
    market.question = 'changed after the insert';
    const [first] = await storage.read((r) => r.markets.findByIds([market.id]));
    if (first?.resolution) first.resolution.outcome = 'NO';
    if (first) first.volume = 99n;
    const [second] = await storage.read((r) => r.markets.findByIds([market.id]));
    check.equal(second?.question, question);
    check.equal(second?.resolution?.outcome, 'YES');
    check.equal(second?.volume, 0n);
  });
}

/**
 * The data that a reader gets if it starts during a transaction with uncommitted writes. The transaction then
 * ends in the given way.
 */
async function readDuringTransaction<T>(
  writer: Storage,
  marketId: number,
  read: () => Promise<T>,
  end: 'commit' | 'rollback',
): Promise<T> {
  const written = latch();
  const planted = new PlantedError('rolled back on purpose');
  const running = writer.transaction(async (transaction) => {
    const [market] = await transaction.markets.lock([marketId]);
    if (market !== undefined) await transaction.markets.update([{ ...market, volume: 666n }]);
    written.open();
    await dawdle(transaction);
    if (end === 'rollback') throw planted;
  });
  const ended = running.catch((error: unknown) => {
    if (error !== planted) throw error;
  });
  await Promise.race([written.opened, ended]);
  const [answer] = await Promise.all([read(), ended]);
  return answer;
}

function isolationTests(suite: Suite): void {
  suite.describe('isolation', () => {
    uncommittedWriteTests(suite);
    committedWriteTests(suite);
    snapshotTests(suite);
  });
}

function uncommittedWriteTests({ test }: Suite): void {
  test('read never sees what is rolled back', 'reads', async ({ storage, other, check }) => {
    const { id } = await addMarket(storage);
    for (const handle of [storage, await other()]) {
      const read = (): Promise<unknown> => handle.read((r) => volumeOf(r, id));
      check.equal(await readDuringTransaction(storage, id, read, 'rollback'), 0n);
      check.equal(await read(), 0n, 'afterwards');
    }
  });

  test('snapshot never sees what is rolled back', 'reads', async ({ storage, other, check }) => {
    const { id } = await addMarket(storage);
    for (const handle of [storage, await other()]) {
      const read = (): Promise<unknown> => handle.snapshot((r) => volumeOf(r, id));
      check.equal(await readDuringTransaction(storage, id, read, 'rollback'), 0n);
      check.equal(await read(), 0n, 'afterwards');
    }
  });

  test(
    'a statement of a running read never sees what is rolled back',
    'reads',
    async ({ storage, check }) => {
      const { id } = await addMarket(storage);
      const started = latch();
      const seen = storage.read(async (r) => {
        const volumes = new Set([await volumeOf(r, id)]);
        started.open();
        for (let lap = 0; lap < 60; lap += 1) volumes.add(await volumeOf(r, id));
        return [...volumes];
      });
      await started.opened;
      await rolledBack(storage, async (transaction) => {
        const [market] = await transaction.markets.lock([id]);
        if (market !== undefined) await transaction.markets.update([{ ...market, volume: 666n }]);
        await dawdle(transaction);
      });
      check.equal(await seen, [0n]);
    },
  );
}

function committedWriteTests({ test }: Suite): void {
  test(
    'what has been committed is seen at once, on every handle',
    'kept',
    async ({ storage, other, check }) => {
      const { id } = await addMarket(storage);
      const second = await other();
      for (let round = 1n; round <= 10n; round += 1n) {
        const [writer, reader] = round % 2n === 0n ? [storage, second] : [second, storage];
        await writer.transaction(async (transaction) => {
          const [market] = await transaction.markets.lock([id]);
          if (market !== undefined) await transaction.markets.update([{ ...market, volume: round }]);
        });
        check.equal(await reader.read((r) => volumeOf(r, id)), round, 'read');
        check.equal(await reader.snapshot((r) => volumeOf(r, id)), round, 'snapshot');
      }
    },
  );

  test('what a handle has read before does not hide what another commits', ['kept', 'reads'], async (t) => {
    const { storage, check } = t;
    const second = await t.other();
    const readAll = (handle: Storage) =>
      handle.read(async (r) => [
        await r.settings.get('name'),
        (await r.accounts.find('treasury'))?.balance ?? null,
        (await r.trades.listByWallet({ wallet: ALICE, limit: 5, offset: 0 })).trades.length,
        (await r.markets.findBySlugs(['seen'])).length,
        (await r.postings.find('deposit:1'))?.kind ?? null,
        await r.events.head().then((head) => head > 0),
      ]);
    check.equal(await readAll(second), [null, null, 0, 0, null, false], 'before');
    await storage.transaction(async (transaction) => {
      const market = sampleMarket(await transaction.markets.nextId(), { slug: 'seen' });
      await transaction.settings.putIfAbsent('name', 'value');
      await transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW);
      await transaction.markets.insert(market);
      await transaction.trades.insert([sampleTrade(market.id)]);
      await transaction.postings.insert([depositPosting('deposit:1', ALICE, 1n)]);
      await transaction.events.append([sampleEvent()]);
    });
    await relay(storage);
    check.equal(await readAll(second), ['value', 1n, 1, 1, 'deposit', true], 'after');
  });
}

function snapshotTests({ test }: Suite): void {
  test('snapshot sees one moment throughout', 'reads', async ({ storage, other, check }) => {
    const { id } = await addMarket(storage);
    const second = await other();
    let commit: Promise<void> = Promise.resolve();
    const seen = await storage.snapshot(async (r) => {
      const before = await volumeOf(r, id);
      commit = second.transaction(async (transaction) => {
        const [market] = await transaction.markets.lock([id]);
        if (market !== undefined) await transaction.markets.update([{ ...market, volume: 5n }]);
        await transaction.accounts.apply([{ id: 'treasury', balance: 5n }], NOW);
      });
      await dawdle(r);
      return [before, await volumeOf(r, id), await r.accounts.find('treasury')];
    });
    await commit;
    check.equal(seen, [0n, 0n, null]);
    check.equal(await storage.snapshot((r) => volumeOf(r, id)), 5n, 'a later snapshot');
  });

  test('snapshots never see half of a transaction', 'reads', async ({ storage, other, check }) => {
    const second = await other();
    const writing = atOnce(8, [storage], (handle) =>
      handle.transaction(async (transaction) => {
        await transaction.accounts.apply([{ id: 'external', balance: -1n }], NOW);
        await dawdle(transaction);
        await transaction.accounts.apply([{ id: 'treasury', balance: 1n }], NOW);
      }),
    );
    const sums = await atOnce(8, [storage, second], (handle) =>
      handle.snapshot(async (r) => {
        const treasury = (await r.accounts.find('treasury'))?.balance ?? 0n;
        await dawdle(r);
        return treasury + ((await r.accounts.find('external'))?.balance ?? 0n);
      }),
    );
    await writing;
    check.equal(
      sums,
      Array.from({ length: 8 }, () => 0n),
    );
  });
}
